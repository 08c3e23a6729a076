package report

import (
	"math"
	"time"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"streamgate/helpers/bundle"
)

// lineSteps is how many points draw a predicted line: straight on paper, it is bent where both
// axes are logarithmic.
const lineSteps = 24

// scaleChart is time against size, a line for each number of streams: solid where it was measured,
// dashed where it is predicted.
func scaleChart(run ScaleRun) chart {
	drawn := charts.NewLine()
	drawn.SetGlobalOptions(globals(
		opts.XAxis{Name: "downloaded (MB, logarithmic)", Type: "log"},
		opts.YAxis{Name: "recovery time (s, logarithmic)", Type: "log"}, "item")...)
	var key []entry
	for i, p := range predictions(run) {
		name := count(p.Streams, "stream", "streams")
		measured := medians(run.Points, p.Streams)
		if len(measured) == 0 {
			continue
		}
		key = append(key, entry{name, colour(i), "solid"})
		style := func(kind string) []charts.SeriesOpts {
			return []charts.SeriesOpts{
				charts.WithLineStyleOpts(opts.LineStyle{Color: colour(i), Width: 1.5, Type: kind}),
				charts.WithItemStyleOpts(opts.ItemStyle{Color: colour(i)}),
			}
		}
		drawn.AddSeries(name, dots(measured), append(style("solid"),
			charts.WithLineChartOpts(opts.LineChart{SymbolSize: 8}))...)
		if last := measured[len(measured)-1]; p.Missing == "" && last.Bytes < seedBytes {
			drawn.AddSeries(name+", predicted", onward(p.Fit, last.Bytes), append(style("dashed"),
				charts.WithLineChartOpts(opts.LineChart{SymbolSize: 8}))...)
		}
	}
	drawn.AddSeries("seed report", []opts.LineData{
		{Name: "seed, without multistream", Value: dot(seedBytes, seedSingle), Symbol: "triangle", SymbolSize: 11},
		{Name: "seed, with multistream", Value: dot(seedBytes, seedMulti), Symbol: "triangle", SymbolSize: 11},
	}, charts.WithLineStyleOpts(opts.LineStyle{Color: "transparent"}), charts.WithItemStyleOpts(opts.ItemStyle{Color: colourRest}))
	key = append(key,
		entry{"predicted, not measured", colourRest, "dashed"},
		entry{"measured by the seed report, on other machines", colourRest, "point"})
	return newChart("scale", "Recovery time by size",
		"Medians of the valid recoveries. A dashed line follows the fitted one from the largest size measured to the seed's "+seedSize+", where its diamond is the prediction.", key, drawn)
}

// medians are the measured sizes with so many streams, with the median time of each, in rising
// order.
func medians(points []ScalePoint, streams int) []sized {
	var list []sized
	for _, p := range points {
		if times := p.times(); p.Streams == streams && len(times) > 0 {
			list = append(list, sized{p.IndexBytes, bundle.Median(times)})
		}
	}
	return list
}

func dots(measured []sized) []opts.LineData {
	var data []opts.LineData
	for _, m := range measured {
		data = append(data, opts.LineData{Value: dot(m.Bytes, duration(m.Seconds)), Symbol: "circle"})
	}
	return data
}

// onward follows a line from a size to the seed's, in equal steps of a logarithmic axis.
func onward(f scaleFit, fromBytes int64) []opts.LineData {
	var data []opts.LineData
	ratio := float64(seedBytes) / float64(fromBytes)
	for i := range lineSteps + 1 {
		bytes := int64(math.Round(float64(fromBytes) * math.Pow(ratio, float64(i)/lineSteps)))
		point := opts.LineData{Value: dot(bytes, duration(f.at(bytes))), Symbol: "none"}
		if i == lineSteps {
			point.Symbol = "diamond"
		}
		data = append(data, point)
	}
	return data
}

// dot is a point of the chart: megabytes and seconds.
func dot(bytes int64, took time.Duration) []any {
	return []any{float(float64(bytes)/1e6, 5), toMillis(took)}
}
