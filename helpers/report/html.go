package report

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"sync"

	"streamgate/helpers/bundle"
)

// Apache ECharts 5.6.0, dist/echarts.min.js of the npm package, licence header included;
// its LICENSE and NOTICE lie beside it. Compressed, because no file of this repository is
// to reach 1 MB.
//
//go:embed assets/echarts-5.6.0.min.js.gz
var echartsCompressed []byte

//go:embed assets/report.css
var pageStyle string

//go:embed assets/report.js
var pageScript string

//go:embed assets/report.html.tmpl
var pageTemplate string

//go:embed assets/matrix.html.tmpl
var matrixTemplate string

var (
	page       = template.Must(template.New("report").Parse(pageTemplate))
	matrixPage = template.Must(template.New("matrix").Parse(matrixTemplate))

	echarts = sync.OnceValues(func() (string, error) {
		reader, err := gzip.NewReader(bytes.NewReader(echartsCompressed))
		if err != nil {
			return "", fmt.Errorf("unpack echarts: %w", err)
		}
		script, err := io.ReadAll(reader)
		if err != nil {
			return "", fmt.Errorf("unpack echarts: %w", err)
		}
		return string(script), nil
	})
)

// HTML writes one page that stands alone: script, style and numbers are in it, and its
// content security policy forbids it to load anything.
func HTML(w io.Writer, run bundle.Run) error {
	library, err := echarts()
	if err != nil {
		return err
	}
	content := struct {
		Title, Outcome     string
		Words              string
		Reasons, Remarks   []string
		Claims             [][]string
		Arms               [][]string
		Charts             []chart
		EvidenceHeads      []string
		EvidenceLegend     []string
		Evidence           [][]string
		Facts              []fact
		Style              template.CSS
		Library, Script    template.JS
		ClaimHeads, ArmTop []string
	}{
		Title: headline(run), Outcome: string(run.Verdict.Outcome), Words: run.Verdict.Words(),
		Reasons: reasons(run), Remarks: append(unproven(run), remarks(run)...),
		Charts:        allCharts(run),
		EvidenceHeads: evidenceHeads, EvidenceLegend: evidenceLegend,
		Facts:      facts(run),
		ClaimHeads: []string{"claim", "verdict", "measured", "interval", "bound", "from", "best possible", "of best"},
		ArmTop:     []string{"arm", "streams", "time (median)", "bytes", "files", "rate", "best possible", "efficiency"},
		// These three are files of this package, not data of a run.
		Style: template.CSS(pageStyle), Library: template.JS(library), Script: template.JS(pageScript),
	}
	for _, r := range run.Verdict.Claims {
		content.Claims = append(content.Claims, []string{
			r.Claim.Name, string(r.Outcome), figure(r.Estimate, r.Claim.Limit), interval(r), demand(r.Claim), r.Claim.Origin, best(r.Claim), ofBest(r),
		})
	}
	for _, a := range arms(run) {
		content.Arms = append(content.Arms, []string{
			a.Name, streams(a.Arm), seconds(a.Time), size(float64(a.Bytes)), fmt.Sprint(a.Files), rate(a.rate()), seconds(a.Best), percent(a.efficiency()),
		})
	}
	for _, r := range run.Recoveries {
		content.Evidence = append(content.Evidence, evidenceCells(r))
	}
	return page.Execute(w, content)
}
