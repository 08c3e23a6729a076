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
	if o.ending == equal || o.ending == wrong {
		line += ", a gate " + o.gate()
	}
	if len(o.unequal) > 0 {
		line += ": " + strings.Join(o.unequal, "; ")
	}
	return line
}

// gate is what the proof of a measured recovery makes of this one.
func (o outcome) gate() string {
	switch {
	case o.ending != equal && o.ending != wrong:
		return "-"
	case len(o.doubts) > 0:
		return "refuses it"
	}
	return "takes it"
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
	if o.ending == equal && o.source != remote && len(o.doubts) == 0 {
		unmet = append(unmet, fmt.Sprintf("the bytes came from %q, and a gate would measure it", o.source))
	}
	if o.ending == wrong && len(o.doubts) == 0 {
		unmet = append(unmet, "the replica is wrong, and a gate would measure it")
	}
	return unmet
}

// table is all outcomes as text.
func table(outcomes []outcome) string {
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "scenario\tstreams\toutcome\tbytes from\tremote\tpeer\ttime\ta gate")
	for _, o := range outcomes {
		_, _ = fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\t%s\t%s\t%s\n",
			o.scenario, o.streams, o.ending, o.source, megabytes(o.remoteBytes), megabytes(o.peerBytes), o.took.Round(time.Second/10), o.gate())
	}
	_ = w.Flush() // a strings.Builder takes everything
	return text.String()
}
