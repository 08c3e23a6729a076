package report

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"streamgate/helpers/bundle"
	"streamgate/helpers/verdict"
)

// columns is the width that the text report keeps to: a terminal beside an editor, and the
// log of a CI job.
const columns = 100

// Text writes the table that ends a run: per arm what the seed report has (time, bytes,
// files, rate), per claim the measured value with its interval against the bound and the
// best possible, then the verdict in words and where the bundle lies.
func Text(w io.Writer, run bundle.Run) error {
	var b strings.Builder
	b.WriteString(clip(headline(run), columns) + "\n\n")
	armTable(&b, arms(run))
	b.WriteString("\n")
	claimTable(&b, run.Verdict.Claims)
	b.WriteString("\n" + strings.ToUpper(run.Verdict.Words()) + "\n")
	for _, line := range reasons(run) {
		wrap(&b, line)
	}
	for _, line := range unproven(run) {
		wrap(&b, line)
	}
	for _, remark := range remarks(run) {
		wrap(&b, "note: "+remark)
	}
	// The folder is printed whole, however long: it is there to be copied.
	if run.Dir != "" {
		b.WriteString("bundle: " + run.Dir + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// maxCell bounds names in the tables; with it every table keeps within columns.
const maxCell = 18

func armTable(b *strings.Builder, list []arm) {
	rows := [][]string{{"arm", "streams", "time (median)", "bytes", "files", "rate", "best possible", "efficiency"}}
	for _, a := range list {
		rows = append(rows, []string{
			clip(a.Name, maxCell), streams(a.Arm), seconds(a.Time), size(float64(a.Bytes)), fmt.Sprint(a.Files),
			rate(a.rate()), seconds(a.Best), percent(a.efficiency()),
		})
	}
	table(b, rows)
}

func claimTable(b *strings.Builder, results []verdict.Result) {
	rows := [][]string{{"claim", "measured", "interval", "bound", "best possible", "of best", "verdict"}}
	for _, r := range results {
		rows = append(rows, []string{
			clip(r.Claim.Name, maxCell), figure(r.Estimate, r.Claim.Limit), interval(r), demand(r.Claim),
			best(r.Claim), ofBest(r), string(r.Outcome),
		})
	}
	table(b, rows)
}

// table aligns rows, names on the left and numbers on the right.
func table(b *strings.Builder, rows [][]string) {
	widest := 0
	for _, row := range rows {
		widest = max(widest, utf8.RuneCountInString(row[0]))
	}
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, row := range rows {
		// With AlignRight tabwriter pushes every cell to the right, so names are padded here.
		name := row[0] + strings.Repeat(" ", widest-utf8.RuneCountInString(row[0]))
		// Writing into a strings.Builder cannot end in an error.
		_, _ = fmt.Fprintln(w, name+"\t"+strings.Join(row[1:], "\t")+"\t")
	}
	_ = w.Flush()
}

// clipReason bounds one reason: those of an invalid recovery quote log lines.
const clipReason = 2000

// reasons are the verdict's reasons, each claim's hints after its own.
func reasons(run bundle.Run) []string {
	hints := map[string][]string{}
	for _, result := range run.Verdict.Claims {
		hints[result.Reason] = result.Hints
	}
	var lines []string
	for _, reason := range run.Verdict.Reasons {
		lines = append(lines, clip(reason, clipReason))
		for _, hint := range hints[reason] {
			lines = append(lines, clip("  hint: "+hint, clipReason))
		}
	}
	return lines
}

// wrap writes a line within the columns, what does not fit below it and indented.
func wrap(b *strings.Builder, line string) {
	const indent = 4
	body := strings.TrimLeft(line, " ")
	start := utf8.RuneCountInString(line) - utf8.RuneCountInString(body) + 2
	b.WriteString(strings.Repeat(" ", start))
	at := start
	for i, word := range strings.Fields(body) {
		width := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case at+1+width > columns:
			b.WriteString("\n" + strings.Repeat(" ", start+indent))
			at = start + indent
		default:
			b.WriteString(" ")
			at++
		}
		b.WriteString(word)
		at += width
	}
	b.WriteString("\n")
}
