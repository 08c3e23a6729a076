package report

import (
	"fmt"
	"io"
	"strings"

	"streamgate/helpers/bundle"
)

// maxMarkdownBytes is below what a GitHub step summary takes, 1 MiB a step.
const maxMarkdownBytes = 1 << 20

// clipMarkdown bounds a text of others (a log line, a name) in the Markdown report.
const clipMarkdown = 500

// Markdown writes the summary for a pull request or a step summary, below 1 MiB whatever
// the run holds. What was read from outside is escaped: it can be neither markup nor link.
func Markdown(w io.Writer, run bundle.Run) error {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s: %s\n\n", escape(headline(run)), run.Verdict.Words())
	for _, reason := range reasons(run) {
		if hint, ok := strings.CutPrefix(reason, "  "); ok {
			fmt.Fprintf(&b, "  - %s\n", escape(hint))
			continue
		}
		fmt.Fprintf(&b, "- %s\n", escape(reason))
	}
	for _, line := range unproven(run) {
		fmt.Fprintf(&b, "- %s\n", escape(line))
	}
	for _, remark := range remarks(run) {
		fmt.Fprintf(&b, "- note: %s\n", escape(remark))
	}
	b.WriteString("\n")
	markdownClaims(&b, run)
	markdownArms(&b, run)
	// The two long parts go first when the report would not fit: the verdict never does.
	for _, part := range []func(*strings.Builder, bundle.Run){markdownRecoveries, markdownFacts} {
		var more strings.Builder
		part(&more, run)
		if b.Len()+more.Len() < maxMarkdownBytes-clipMarkdown {
			b.WriteString(more.String())
		} else {
			b.WriteString("A table is left out, it is too long for a summary: see report.html in the bundle.\n\n")
		}
	}
	text := b.String()
	if len(text) >= maxMarkdownBytes {
		text = strings.ToValidUTF8(text[:maxMarkdownBytes-clipMarkdown], "") + "\n\nCut off here, see report.html in the bundle.\n"
	}
	_, err := io.WriteString(w, text)
	return err
}

func markdownClaims(b *strings.Builder, run bundle.Run) {
	markdownRow(b, "claim", "verdict", "measured", "interval", "bound", "from", "best possible", "of best")
	markdownRule(b, "llrrrlrr")
	for _, r := range run.Verdict.Claims {
		markdownRow(b, r.Claim.Name, string(r.Outcome), figure(r.Estimate, r.Claim.Limit), interval(r),
			demand(r.Claim), r.Claim.Origin, best(r.Claim), ofBest(r))
	}
	b.WriteString("\n")
}

func markdownArms(b *strings.Builder, run bundle.Run) {
	markdownRow(b, "arm", "streams", "time (median)", "bytes", "files", "rate", "best possible", "efficiency")
	markdownRule(b, "lrrrrrrr")
	for _, a := range arms(run) {
		markdownRow(b, a.Name, streams(a.Arm), seconds(a.Time), size(float64(a.Bytes)), fmt.Sprint(a.Files),
			rate(a.rate()), seconds(a.Best), percent(a.efficiency()))
	}
	b.WriteString("\n")
}

func markdownRecoveries(b *strings.Builder, run bundle.Run) {
	b.WriteString("<details><summary>Recoveries and their evidence</summary>\n\n")
	markdownRow(b, evidenceHeads...)
	markdownRule(b, "rll"+strings.Repeat("r", len(evidenceHeads)-3))
	for _, r := range run.Recoveries {
		markdownRow(b, evidenceCells(r)...)
	}
	b.WriteString("\n")
	for _, line := range evidenceLegend {
		b.WriteString("- " + escape(line) + "\n")
	}
	b.WriteString("\n</details>\n\n")
}

func markdownFacts(b *strings.Builder, run bundle.Run) {
	b.WriteString("<details><summary>Environment</summary>\n\n")
	markdownRow(b, "condition", "value")
	markdownRule(b, "ll")
	for _, f := range facts(run) {
		markdownRow(b, f.Name, f.Value)
	}
	b.WriteString("\n</details>\n")
}

func markdownRow(b *strings.Builder, cells ...string) {
	for _, cell := range cells {
		b.WriteString("| " + escape(cell) + " ")
	}
	b.WriteString("|\n")
}

// markdownRule is the line below the heads: r aligns a column to the right, l to the left.
func markdownRule(b *strings.Builder, aligned string) {
	for _, side := range aligned {
		if side == 'r' {
			b.WriteString("|---:")
			continue
		}
		b.WriteString("|---")
	}
	b.WriteString("|\n")
}

var markdownEscaper = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "|", `\|`, "#", `\#`, "~", `\~`,
	"&", "&amp;", "<", "&lt;", ">", "&gt;",
	// GitHub makes links and mentions of these; a word joiner takes away their meaning.
	"@", "@\u2060", "://", ":\u2060//",
)

func escape(text string) string { return markdownEscaper.Replace(clip(text, clipMarkdown)) }
