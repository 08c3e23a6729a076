package bundle

import (
	"fmt"
	"time"

	"streamgate/helpers/recovery"
)

// paceSlack is how much faster than the calibrated rate a download may be: as far as the rate may be
// off. 96 real recoveries on two cores, quiet and busy, reached 0.48 to 0.98 of it, never more: their
// span begins at a sample without bytes, and ends at one with all.
const paceSlack = rateTolerance

// tooFast says that a download was faster than its connections together, so that the link was not the
// one that was calibrated; "" when it was not, or when nobody knows the link.
func tooFast(environment Environment, r recovery.Recovery) string {
	_, link := environment.On(r.Arm.Name)
	streams := max(r.Arm.Streams, r.Evidence.Threads)
	if link.Measured == nil || link.NominalRateBytes == 0 || streams == 0 {
		return ""
	}
	took := downloadAtMost(r)
	rate := link.Bound().RateBytes
	carried := float64(streams) * rate * (1 + paceSlack) * took.Seconds()
	if bytes := r.Evidence.DownloadedBytes; float64(bytes) > carried {
		return fmt.Sprintf("%.1f MB came within %v, but %d at once of %.2f MB/s carry at most %.1f MB: the link was not the one that was calibrated",
			float64(bytes)/1e6, took.Round(time.Millisecond), streams, rate/1e6, carried/1e6)
	}
	return ""
}

// downloadAtMost is the longest time that a download can have taken. A sample has the time at which its
// answer was there, and the first may have been answered late: by no more than samples lie apart.
// Without samples it is all of the recovery.
func downloadAtMost(r recovery.Recovery) time.Duration {
	span := recovery.Span(r.Evidence.Progress)
	if span == 0 {
		return r.Total
	}
	var apart, before time.Duration
	for i, point := range r.Evidence.Progress {
		if i > 0 {
			apart = max(apart, point.After-before)
		}
		before = point.After
	}
	return span + apart
}
