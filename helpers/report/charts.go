package report

import (
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"streamgate/helpers/bundle"
	"streamgate/helpers/recovery"
)

// palette are the arms' colours, told apart on white and on black, and by most colour-blind
// readers. An arm keeps its colour in every chart.
var palette = []string{"#c8743a", "#3b87c8", "#4f9d69", "#8f6bb3", "#b8577e", "#8a8f2f", "#3f9a9a", "#8c6d5a"}

// Colours of what is no arm.
const (
	colourMeasured = "#3b87c8"
	colourBound    = "#d0453f"
	colourBest     = "#4f9d69"
	colourBeyond   = "#d9a441"
	colourRest     = "#9aa3ad"
	colourInvalid  = "#d0453f"
)

// maxPoints bounds one curve, so that a page of many long recoveries stays small.
const maxPoints = 200

// chart is one picture of the page.
type chart struct {
	ID      string
	Heading string
	Note    string
	// Key says what is drawn how. It is part of the page and not of the picture, where its
	// entries would not find room on a phone.
	Key []entry
	// Option is what echarts draws.
	Option map[string]any
}

// entry is one line of a key.
type entry struct {
	Name   string
	Colour string
	// Mark is how it is drawn: block, point, solid, dashed, dotted or area.
	Mark string
}

// validator is what every chart of go-echarts has.
type validator interface {
	Validate()
	JSON() map[string]any
}

func newChart(id, heading, note string, key []entry, of validator) chart {
	of.Validate()
	return chart{ID: id, Heading: heading, Note: note, Key: key, Option: of.JSON()}
}

// allCharts are the pictures of a run, in the order of the questions a reader has, without
// those that would be empty.
func allCharts(run bundle.Run) []chart {
	if len(measured(run.Recoveries)) == 0 {
		return nil
	}
	list := []chart{timesChart(run)}
	for i, result := range run.Verdict.Claims {
		if len(bundle.Values(result.Claim, run.Recoveries)) > 0 {
			list = append(list, claimChart(run, i, result))
		}
	}
	if slices.ContainsFunc(measured(run.Recoveries), func(r recovery.Recovery) bool { return len(r.Evidence.Progress) > 0 }) {
		list = append(list, progressChart(run))
	}
	if slices.ContainsFunc(arms(run), func(a arm) bool { return a.Recoveries > 0 }) {
		list = append(list, partsChart(run))
	}
	return list
}

// globals are the options that all charts share. Text colours come from the page, which
// knows whether it is light or dark.
func globals(x opts.XAxis, y opts.YAxis, trigger string) []charts.GlobalOpts {
	x.NameLocation, x.NameGap = "middle", 30
	if x.AxisLabel == nil {
		x.AxisLabel = &opts.AxisLabel{}
	}
	x.AxisLabel.HideOverlap = opts.Bool(true)
	y.NameLocation, y.NameGap = "middle", 48
	if y.AxisLabel == nil {
		y.AxisLabel = &opts.AxisLabel{}
	}
	return []charts.GlobalOpts{
		charts.WithAnimation(false),
		charts.WithTitleOpts(opts.Title{Show: opts.Bool(false)}),
		charts.WithLegendOpts(opts.Legend{Show: opts.Bool(false)}),
		charts.WithTooltipOpts(opts.Tooltip{Show: opts.Bool(true), Trigger: trigger}),
		charts.WithGridOpts(opts.Grid{Left: "64", Right: "28", Top: "14", Bottom: "52"}),
		charts.WithXAxisOpts(x),
		charts.WithYAxisOpts(y),
	}
}

func colour(i int) string { return palette[i%len(palette)] }

// armKey is the key of a chart that has something for every arm.
func armKey(run bundle.Run, mark string) []entry {
	var key []entry
	for i, each := range run.Environment.Arms {
		key = append(key, entry{clip(each.Name, maxCell), colour(i), mark})
	}
	return key
}

// timesChart shows every measured recovery: is an arm steady, does it drift, which round
// stands out?
func timesChart(run bundle.Run) chart {
	last := 0
	for _, r := range measured(run.Recoveries) {
		last = max(last, r.Round)
	}
	rounds := make([]string, last)
	for i := range rounds {
		rounds[i] = strconv.Itoa(i + 1)
	}
	bar := charts.NewBar()
	bar.SetGlobalOptions(globals(opts.XAxis{Name: "round"}, opts.YAxis{Name: "recovery time (s)"}, "axis")...)
	bar.SetXAxis(rounds)
	for i, each := range run.Environment.Arms {
		bars := make([]opts.BarData, last)
		for _, r := range measured(run.Recoveries) {
			if r.Arm.Name != each.Name {
				continue
			}
			bars[r.Round-1] = opts.BarData{Value: toMillis(r.Total)}
			if len(r.Invalid) > 0 {
				bars[r.Round-1].ItemStyle = &opts.ItemStyle{Color: "transparent", BorderColor: colourInvalid, BorderWidth: 2}
			}
		}
		bar.AddSeries(clip(each.Name, maxCell), bars,
			charts.WithItemStyleOpts(opts.ItemStyle{Color: colour(i)}),
			charts.WithBarChartOpts(opts.BarChart{BarGap: "10%"}))
	}
	return newChart("times", "Time of each recovery", "The recovery API's total time of the replica, by round and arm. An empty red frame is an invalid recovery.", armKey(run, "block"), bar)
}

// progressChart shows the bytes over time of every measured recovery: a curve that bends
// tells of a slow start, a stall or a long last file.
func progressChart(run bundle.Run) chart {
	drawn := charts.NewLine()
	drawn.SetGlobalOptions(globals(
		opts.XAxis{Name: "time since the replica was asked for (s)", Type: "value", Min: 0},
		opts.YAxis{Name: "downloaded (MB)", Type: "value", Min: 0}, "item")...)
	for i, each := range run.Environment.Arms {
		for _, r := range measured(run.Recoveries) {
			if r.Arm.Name != each.Name || len(r.Evidence.Progress) == 0 {
				continue
			}
			// One name for all curves of an arm: they are the same thing measured again.
			drawn.AddSeries(clip(each.Name, maxCell), curve(r),
				charts.WithLineChartOpts(opts.LineChart{ShowSymbol: opts.Bool(false)}),
				charts.WithLineStyleOpts(opts.LineStyle{Color: colour(i), Width: 1.5, Opacity: opts.Float(0.75)}),
				charts.WithItemStyleOpts(opts.ItemStyle{Color: colour(i)}))
		}
	}
	return newChart("progress", "Bytes over time", "One curve per recovery, as sampled while it ran.", armKey(run, "solid"), drawn)
}

// curve thins the samples out to maxPoints; the first and the last one always stay.
func curve(r recovery.Recovery) []opts.LineData {
	points := r.Evidence.Progress
	step := max(1, int(math.Ceil(float64(len(points))/maxPoints)))
	var data []opts.LineData
	for i, point := range points {
		if i%step == 0 || i == len(points)-1 {
			data = append(data, opts.LineData{Value: []any{toMillis(point.After), float(float64(point.Bytes)/1e6, 5)}})
		}
	}
	return data
}

// partsChart shows where an arm's time went.
func partsChart(run bundle.Run) chart {
	var names []string
	var best, beyond, rest []opts.BarData
	for _, a := range arms(run) {
		if a.Recoveries == 0 {
			continue
		}
		least, more, other := a.parts()
		names = append(names, clip(a.Name, 12))
		best = append(best, opts.BarData{Value: toMillis(least)})
		beyond = append(beyond, opts.BarData{Value: toMillis(more)})
		rest = append(rest, opts.BarData{Value: toMillis(other)})
	}
	bar := charts.NewBar()
	bar.SetGlobalOptions(globals(opts.XAxis{Name: "arm"}, opts.YAxis{Name: "time (s)"}, "axis")...)
	bar.SetXAxis(names)
	key := []entry{
		{"best possible download", colourBest, "block"},
		{"download beyond that", colourBeyond, "block"},
		{"before and after the download", colourRest, "block"},
	}
	for i, data := range [][]opts.BarData{best, beyond, rest} {
		bar.AddSeries(key[i].Name, data, charts.WithItemStyleOpts(opts.ItemStyle{Color: key[i].Colour}),
			charts.WithBarChartOpts(opts.BarChart{Stack: "time", BarWidth: "45%"}))
	}
	// Arms lie on the upright axis: two long bars compare better below each other.
	horizontal(bar)
	return newChart("parts", "Where the time went", "Medians over the valid recoveries. Best possible is the larger of two times: of the largest file alone, and of all files divided by the streams, at the measured rate.", key, bar)
}

// horizontal turns a bar chart by a quarter, names of the axes included.
func horizontal(bar *charts.Bar) {
	bar.XYReversal()
	x, y := &bar.XAxisList[0], &bar.YAxisList[0]
	x.Name, y.Name = y.Name, x.Name
	x.Type, y.Type = "value", "category"
	y.Inverse = opts.Bool(true)
}

// toMillis is a time in seconds, to the millisecond.
func toMillis(d time.Duration) float64 { return math.Round(d.Seconds()*1000) / 1000 }

// float keeps a number to so many significant digits, for a page without noise.
func float(x float64, digits int) float64 {
	short, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', digits, 64), 64)
	if err != nil {
		return x
	}
	return short
}
