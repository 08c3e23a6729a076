package report

import (
	"fmt"
	"slices"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"streamgate/helpers/bundle"
	"streamgate/helpers/verdict"
)

// claimChart shows a claim's value in every round against its estimate with interval, its
// bound and the best possible value.
func claimChart(run bundle.Run, number int, result verdict.Result) chart {
	values := bundle.Values(result.Claim, run.Recoveries)
	unit := "times"
	if result.Claim.BestSeconds != 0 {
		unit = "share of best possible time"
	}
	left, right := claimRange(result, values)
	top := float64(values[len(values)-1].Round) + 0.5
	scatter := charts.NewScatter()
	scatter.SetGlobalOptions(globals(
		opts.XAxis{Name: fmt.Sprintf("%s (%s)", clip(result.Claim.Quantity, 40), unit), Type: "value", Min: left, Max: right, AxisLabel: inner()},
		opts.YAxis{Name: "round", Type: "value", Min: 0.5, Max: top, AxisLabel: inner(), MinInterval: 1}, "item")...)
	points := make([]opts.ScatterData, len(values))
	for i, value := range values {
		points[i] = opts.ScatterData{Value: []any{float(value.Value, 4), value.Round}, SymbolSize: 9}
	}
	scatter.AddSeries("each round", points, charts.WithItemStyleOpts(opts.ItemStyle{Color: colourMeasured}))
	key := []entry{{"each round", colourMeasured, "point"}}
	upright := func(name string, x float64, colour, style string) {
		key = append(key, entry{name, colour, style})
		scatter.MultiSeries = append(scatter.MultiSeries, line(name, x, top, colour, style))
	}
	if result.Estimate != nil {
		upright("measured "+figure(result.Estimate, result.Claim.Limit), *result.Estimate, colourMeasured, "solid")
	}
	if result.Lower != nil && result.Upper != nil {
		key = append(key, entry{"interval " + interval(result), colourMeasured, "area"})
		scatter.MultiSeries = append(scatter.MultiSeries, band("interval", *result.Lower, *result.Upper))
	}
	upright("bound "+demand(result.Claim), result.Claim.Limit, colourBound, "dashed")
	if result.Claim.BestPossible != 0 {
		upright("best possible "+best(result.Claim), result.Claim.BestPossible, colourBest, "dotted")
	}
	return newChart(fmt.Sprintf("claim-%d", number+1), clip(result.Claim.Name, 80)+": measured against bound and best possible", clip(result.Reason, clipMarkdown), key, scatter)
}

// claimRange is the part of the axis that holds everything that is drawn, with some room.
func claimRange(result verdict.Result, values []bundle.Value) (left, right float64) {
	numbers := []float64{result.Claim.Limit}
	for _, value := range values {
		numbers = append(numbers, value.Value)
	}
	for _, number := range []*float64{result.Estimate, result.Lower, result.Upper} {
		if number != nil {
			numbers = append(numbers, *number)
		}
	}
	if result.Claim.BestPossible != 0 {
		numbers = append(numbers, result.Claim.BestPossible)
	}
	const room = 0.07
	left, right = slices.Min(numbers), slices.Max(numbers)
	// Equal numbers still need an axis.
	margin := max(room*(right-left), 0.01*right)
	return float(left-margin, 3), float(right+margin, 3)
}

// inner hides the labels at the ends of an axis, which are no round numbers.
func inner() *opts.AxisLabel {
	return &opts.AxisLabel{ShowMinLabel: opts.Bool(false), ShowMaxLabel: opts.Bool(false)}
}

// line is a vertical line over the whole height.
func line(name string, x, top float64, colour, style string) charts.SingleSeries {
	drawn := charts.NewLine()
	drawn.AddSeries(name, []opts.LineData{{Value: []any{float(x, 6), 0.5}}, {Value: []any{float(x, 6), top}}},
		charts.WithLineChartOpts(opts.LineChart{ShowSymbol: opts.Bool(false)}),
		charts.WithLineStyleOpts(opts.LineStyle{Color: colour, Width: 2, Type: style}),
		charts.WithItemStyleOpts(opts.ItemStyle{Color: colour}))
	return drawn.MultiSeries[0]
}

// band is the interval, over the whole height.
func band(name string, from, to float64) charts.SingleSeries {
	drawn := charts.NewLine()
	drawn.AddSeries(name, nil, charts.WithMarkAreaData([]opts.MarkAreaData{{XAxis: from, MarkAreaStyle: bandStyle()}, {XAxis: to}}))
	return drawn.MultiSeries[0]
}

func bandStyle() opts.MarkAreaStyle {
	return opts.MarkAreaStyle{ItemStyle: &opts.ItemStyle{Color: colourMeasured, Opacity: opts.Float(0.22)}}
}
