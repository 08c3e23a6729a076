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

const (
	// columns is the width that the texts of a run and of a comparison keep to: a terminal.
	columns = 80
	// wideColumns is that of a matrix and of a scale run, whose tables have more to say.
	wideColumns = 100
)

// Text writes the tables that end a run: per arm what the seed report has (median time, bytes,
// files, rate) and the efficiency, per claim the measured value against its bound and the best
// possible; then the verdict in words, with the intervals, and where the bundle lies.
func Text(w io.Writer, run bundle.Run) error {
	var b strings.Builder
	b.WriteString(clip(headline(run), columns) + "\n\n")
	armTable(&b, arms(run))
	b.WriteString("\n")
	claimTable(&b, run.Verdict.Claims)
	b.WriteString("\n" + strings.ToUpper(run.Verdict.Words()) + "\n")
	for _, line := range reasons(run) {
		wrap(&b, line, columns)
	}
	for _, line := range unproven(run) {
		wrap(&b, line, columns)
	}
	for _, remark := range remarks(run) {
		wrap(&b, "note: "+remark, columns)
	}
	// The folder is printed whole, however long: it is there to be copied.
	if run.Dir != "" {
		b.WriteString("bundle: " + run.Dir + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// What bounds the names in the tables; with it every table keeps within its columns.
const (
	maxCell  = 18
	maxArm   = 16
	maxClaim = 30
)

func armTable(b *strings.Builder, list []arm) {
	rows := [][]string{{"arm", "streams", "median", "bytes", "files", "rate", "efficiency"}}
	for _, a := range list {
		rows = append(rows, []string{
			clip(a.Name, maxArm), streams(a.Arm), seconds(a.Time), size(float64(a.Bytes)), fmt.Sprint(a.Files),
			rate(a.rate()), percent(a.efficiency()),
		})
	}
	table(b, rows)
}

func claimTable(b *strings.Builder, results []verdict.Result) {
	rows := [][]string{{"claim", "measured", "bound", "at best", "of best"}}
	for _, r := range results {
		rows = append(rows, []string{
			clip(r.Claim.Name, maxClaim), figure(r.Estimate, r.Claim.Limit), demand(r.Claim), best(r.Claim), ofBest(r),
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

// wrap writes a line within so many columns, what does not fit below it and indented.
func wrap(b *strings.Builder, line string, within int) {
	body := strings.TrimLeft(line, " ")
	start := utf8.RuneCountInString(line) - utf8.RuneCountInString(body) + 2
	hang(b, strings.Repeat(" ", start), body, start+4, within)
}

// hang writes head and text within so many columns, what does not fit below the text, indented. A
// longer word keeps a line of its own.
func hang(b *strings.Builder, head, text string, indent, within int) {
	b.WriteString(head)
	at := utf8.RuneCountInString(head)
	for i, word := range strings.Fields(text) {
		width := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case at+1+width > within:
			b.WriteString("\n" + strings.Repeat(" ", indent))
			at = indent
		default:
			b.WriteString(" ")
			at++
		}
		b.WriteString(word)
		at += width
	}
	b.WriteString("\n")
}
