package report

import (
	"bytes"
	"fmt"
	"html/template"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"streamgate/helpers/bundle"
	"streamgate/helpers/verdict"
)

// Files of a matrix.
const (
	MatrixMarkdown = "matrix.md"
	MatrixHTML     = "matrix.html"
)

// Cell is one OpenSearch of a version matrix with the run that judged it.
type Cell struct {
	// Name is where it comes from: "maven:3.8.0".
	Name string
	// Run is a run of two arms, the slower first; nil when there is none.
	Run *bundle.Run
	// Missing says in one line why there is no run.
	Missing string
}

// matrixHeads are the columns of a matrix.
var matrixHeads = []string{"OpenSearch", "time single", "time multi", "ratio", "interval", "efficiency", "verdict"}

// Matrix writes one table and one chart over several runs of the same experiment into dir, and
// returns the table as text. A version without a run keeps its row, with the reason.
func Matrix(dir, title string, cells []Cell) (text string, err error) {
	var b strings.Builder
	rows := [][]string{matrixHeads}
	for _, c := range cells {
		rows = append(rows, c.row())
	}
	table(&b, rows)
	for _, c := range cells {
		if c.Run == nil {
			wrap(&b, c.Name+" was not measured: "+clip(c.Missing, clipReason), wideColumns)
		}
	}
	if err := bundle.WriteFile(filepath.Join(dir, MatrixMarkdown), []byte(matrixMarkdown(title, cells))); err != nil {
		return "", fmt.Errorf("write %s: %w", MatrixMarkdown, err)
	}
	page, err := matrixHTML(title, cells)
	if err != nil {
		return "", fmt.Errorf("write %s: %w", MatrixHTML, err)
	}
	if err := bundle.WriteFile(filepath.Join(dir, MatrixHTML), page); err != nil {
		return "", fmt.Errorf("write %s: %w", MatrixHTML, err)
	}
	return b.String(), nil
}

// row is a cell in words, as long as matrixHeads.
func (c Cell) row() []string {
	name := clip(c.Name, maxCell)
	if c.Run == nil {
		return []string{name, unknown, unknown, unknown, unknown, unknown, "not measured"}
	}
	single, multi := c.times()
	row := []string{name, seconds(single), seconds(multi), unknown, unknown, unknown, string(c.Run.Verdict.Outcome)}
	if ratio := c.result(false); ratio != nil {
		row[3], row[4] = figure(ratio.Estimate, ratio.Claim.Limit), interval(*ratio)
	}
	if efficiency := c.result(true); efficiency != nil && efficiency.Estimate != nil {
		row[5] = percent(*efficiency.Estimate)
	}
	return row
}

// times are the medians of the first two arms.
func (c Cell) times() (single, multi time.Duration) {
	list := arms(*c.Run)
	if len(list) < 2 {
		return 0, 0
	}
	return list[0].Time, list[1].Time
}

// result is the claim about an efficiency, or the first that is about a ratio of times.
func (c Cell) result(efficiency bool) *verdict.Result {
	for i, r := range c.Run.Verdict.Claims {
		if (r.Claim.BestSeconds != 0) == efficiency {
			return &c.Run.Verdict.Claims[i]
		}
	}
	return nil
}

func matrixMarkdown(title string, cells []Cell) string {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s\n\n", escape(title))
	markdownRow(&b, matrixHeads...)
	markdownRule(&b, "lrrrrrl")
	for _, c := range cells {
		markdownRow(&b, c.row()...)
	}
	b.WriteString("\n")
	for _, c := range cells {
		switch {
		case c.Run == nil:
			fmt.Fprintf(&b, "- %s was not measured: %s\n", escape(c.Name), escape(c.Missing))
		case c.Run.Verdict.Outcome != verdict.Pass:
			for _, reason := range c.Run.Verdict.Reasons {
				fmt.Fprintf(&b, "- %s: %s\n", escape(c.Name), escape(reason))
			}
		}
	}
	return b.String()
}

// matrixChart is the table to look at: two bars of time for each version, and the ratio on an axis
// of its own, with the efficiency written at its points.
func matrixChart(cells []Cell) chart {
	key := []entry{
		{"time single", colour(0), "block"}, {"time multi", colour(1), "block"},
		{"ratio, and at its points the efficiency of multi", colourBest, "point"},
	}
	var names []string
	var single, multi []opts.BarData
	var ratio []opts.LineData
	for _, c := range cells {
		names = append(names, clip(c.Name, maxCell))
		if c.Run == nil { // echarts leaves "-" out
			single, multi, ratio = append(single, opts.BarData{Value: "-"}), append(multi, opts.BarData{Value: "-"}), append(ratio, opts.LineData{Value: "-"})
			continue
		}
		s, m := c.times()
		single, multi = append(single, opts.BarData{Value: toMillis(s)}), append(multi, opts.BarData{Value: toMillis(m)})
		ratio = append(ratio, c.point())
	}
	bar := charts.NewBar()
	bar.SetGlobalOptions(globals(opts.XAxis{Name: "OpenSearch"}, opts.YAxis{Name: "recovery time (s)", Min: 0}, "axis")...)
	// Room for the second axis and for what is written above the points; the library would only add a grid.
	bar.GridList = []opts.Grid{{Left: "64", Right: "56", Top: "30", Bottom: "52"}}
	bar.ExtendYAxis(opts.YAxis{
		Name: "ratio (times)", NameLocation: "middle", NameGap: 30, Min: 0, SplitLine: &opts.SplitLine{Show: opts.Bool(false)},
	})
	bar.SetXAxis(names)
	for i, data := range [][]opts.BarData{single, multi} {
		bar.AddSeries(key[i].Name, data, charts.WithItemStyleOpts(opts.ItemStyle{Color: key[i].Colour}))
	}
	drawn := charts.NewLine()
	drawn.SetXAxis(names)
	drawn.AddSeries("ratio", ratio,
		charts.WithLineChartOpts(opts.LineChart{YAxisIndex: 1, SymbolSize: 10}),
		charts.WithLineStyleOpts(opts.LineStyle{Color: key[2].Colour, Width: 1}),
		charts.WithItemStyleOpts(opts.ItemStyle{Color: key[2].Colour}),
		charts.WithLabelOpts(opts.Label{Show: opts.Bool(true), Position: "top", Formatter: "{b}", Color: key[2].Colour}))
	bar.Overlap(drawn)
	return newChart("matrix", "Recovery by version", "Medians of the valid recoveries; the ratio with its interval is in the table.", key, bar)
}

// point is the ratio with the efficiency in words as its name, which is the label's text.
func (c Cell) point() opts.LineData {
	point := opts.LineData{Value: "-"}
	if r := c.result(false); r != nil && r.Estimate != nil {
		point.Value = float(*r.Estimate, 4)
	}
	if r := c.result(true); r != nil && r.Estimate != nil {
		point.Name = percent(*r.Estimate)
	}
	return point
}

// matrixHTML is one page that stands alone, as HTML writes it for a run.
func matrixHTML(title string, cells []Cell) ([]byte, error) {
	library, err := echarts()
	if err != nil {
		return nil, err
	}
	content := struct {
		Title           string
		Heads           []string
		Rows            [][]string
		Charts          []chart
		Style           template.CSS
		Library, Script template.JS
	}{
		Title: clip(title, 160), Heads: matrixHeads, Charts: []chart{matrixChart(cells)},
		// These three are files of this package, not data of a run.
		Style: template.CSS(pageStyle), Library: template.JS(library), Script: template.JS(pageScript),
	}
	for _, c := range cells {
		content.Rows = append(content.Rows, c.row())
	}
	var page bytes.Buffer
	err = matrixPage.Execute(&page, content)
	return page.Bytes(), err
}
