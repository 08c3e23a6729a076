package report

import (
	"fmt"
	"io"
	"math"
	"strings"
	"unicode/utf8"

	"streamgate/helpers/bundle"
)

// Comparison writes what bundle.Compare found: the conditions that forbid to compare, or
// how much each arm's time and each claim's quantity moved from A to B.
func Comparison(w io.Writer, c bundle.Comparison) error {
	var b strings.Builder
	if len(c.Unlike) > 0 {
		b.WriteString("not compared, the runs differ in " + count(len(c.Unlike), "condition", "conditions") + ":\n")
		writeDifferences(&b, c.Unlike)
	} else {
		if len(c.Noted) > 0 {
			b.WriteString("differs, as it may:\n")
			writeDifferences(&b, c.Noted)
			b.WriteString("\n")
		}
		writeChanges(&b, "median time", " s", c.Times)
		b.WriteString("\n")
		writeChanges(&b, "median of rounds", "", c.Ratios)
		fmt.Fprintf(&b, "\nChange from A to B with its %.0f %% interval; one that holds 0 shows no change.\n", 100*bundle.ShiftConfidence)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func writeDifferences(b *strings.Builder, list []bundle.Difference) {
	widest := 0
	for _, d := range list {
		widest = max(widest, utf8.RuneCountInString(d.Condition))
	}
	for _, d := range list {
		pad := strings.Repeat(" ", widest-utf8.RuneCountInString(d.Condition))
		hang(b, "  "+d.Condition+pad+"  A: ", clip(d.A, 300), widest+7, columns)
		hang(b, strings.Repeat(" ", widest+2)+"  B: ", clip(d.B, 300), widest+7, columns)
	}
}

func writeChanges(b *strings.Builder, head, unit string, changes []bundle.Change) {
	rows := [][]string{{head, "A", "B", "change", "interval"}}
	for _, c := range changes {
		row := []string{clip(c.Name, maxClaim), number(c.A) + unit, number(c.B) + unit, moved(c.Shift.Factor), "too few rounds"}
		if c.Shift.Known {
			row[4] = moved(c.Shift.Lower) + " to " + moved(c.Shift.Upper)
		}
		rows = append(rows, row)
	}
	table(b, rows)
}

// moved writes a factor as a change in per cent: 1.2 is "+20.0 %".
func moved(factor float64) string {
	change := math.Round(1000*(factor-1)) / 10
	if change == 0 {
		return "0.0 %"
	}
	return fmt.Sprintf("%+.1f %%", change)
}

func number(x float64) string { return plain(x, 4) }
