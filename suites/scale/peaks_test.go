package scale

import (
	"time"

	"streamgate/helpers/report"
)

// sample is the target's Java memory at a moment.
type sample struct {
	at           time.Time
	heap, direct int64
}

// peaks are the highest of the samples of a span. The heap in use falls only by a collection, so
// that a sample below the one before it is the first after one.
func peaks(samples []sample, from, to time.Time) report.Memory {
	var m report.Memory
	for i, s := range samples {
		if s.at.Before(from) || s.at.After(to) {
			continue
		}
		m.Samples++
		m.HeapBytes = max(m.HeapBytes, s.heap)
		m.DirectBytes = max(m.DirectBytes, s.direct)
		if i > 0 && s.heap < samples[i-1].heap {
			m.CollectedBytes = max(m.CollectedBytes, s.heap)
		}
	}
	return m
}
