//go:build faults

package faults

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// String is the outcome in one line.
func (o outcome) String() string {
	line := fmt.Sprintf("%s, bytes from %s, remote %s, peer %s, %s",
		o.ending, o.source, megabytes(o.remoteBytes), megabytes(o.peerBytes), o.took.Round(time.Second/10))
	if len(o.unequal) > 0 {
		line += ": " + strings.Join(o.unequal, "; ")
	}
	return line
}

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }

// unmet says in which points an outcome is not what is expected.
func (e expectation) unmet(o outcome) []string {
	var unmet []string
	if !slices.Contains(e.ending, o.ending) {
		unmet = append(unmet, fmt.Sprintf("the ending is %q, want %q", o.ending, e.ending))
	}
	if !slices.Contains(e.source, o.source) {
		unmet = append(unmet, fmt.Sprintf("the bytes came from %q, want %q", o.source, e.source))
	}
	if !strings.Contains(o.says, e.says) {
		unmet = append(unmet, fmt.Sprintf("nothing says %q", e.says))
	}
	if o.took < e.least || o.took > e.most {
		unmet = append(unmet, fmt.Sprintf("it took %s, want %s to %s", o.took.Round(time.Second/10), e.least, e.most))
	}
	return unmet
}

// table is all outcomes as text.
func table(outcomes []outcome) string {
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "scenario\tstreams\toutcome\tbytes from\tremote\tpeer\ttime")
	for _, o := range outcomes {
		_, _ = fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\t%s\t%s\n",
			o.scenario, o.streams, o.ending, o.source, megabytes(o.remoteBytes), megabytes(o.peerBytes), o.took.Round(time.Second/10))
	}
	_ = w.Flush() // a strings.Builder takes everything
	return text.String()
}
