package bundle_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"streamgate/helpers/bundle"
	"streamgate/helpers/bundle/bundletest"
	"streamgate/helpers/recovery"
	"streamgate/helpers/verdict"
)

// Is a run invalid whose link was let go after the calibration, in whichever recovery that shows? Its
// rounds would pass otherwise.
func TestDownloadFasterThanItsConnections(t *testing.T) {
	for name, c := range map[string]struct {
		round int
		arm   string
		words string
	}{
		"warm-up": {0, "single", "warm-up, arm single is invalid: "},
		"single":  {3, "single", "round 3, arm single is invalid: "},
		"multi":   {6, "multi", "round 6, arm multi is invalid: "},
	} {
		t.Run(name, func(t *testing.T) {
			run := bundletest.Run()
			for i := range run.Recoveries {
				if r := &run.Recoveries[i]; r.Round == c.round && r.Arm.Name == c.arm {
					halve(r)
				}
			}
			v, err := bundle.Judge(run.Environment, run.Recoveries)
			require.NoError(t, err)
			assert.Equal(t, verdict.Invalid, v.Outcome)
			assert.Contains(t, v.Reasons[0], c.words)
			assert.Contains(t, v.Reasons[0], "the link was not the one that was calibrated")
		})
	}
}

// Is a download at the full rate of its connections honest, with the 5 % that a rate may be off, and one
// byte more not? The samples lie a second apart, which the first may have been late by.
func TestDownloadAtFullRate(t *testing.T) {
	run := bundletest.Run()
	run.Environment.Link.Measured.RateAlone, run.Environment.Link.Measured.RateEach = 11_000_000, 11_000_000
	bundletest.Reclaim(&run.Environment)
	bytes := recovery.Sum(run.Environment.Files)
	for _, r := range run.Recoveries[:2] {
		full := time.Duration(float64(bytes) / float64(r.Arm.Streams) / 11e6 / 1.05 * float64(time.Second))
		for more, want := range map[time.Duration]verdict.Outcome{time.Millisecond: verdict.Inconclusive, -time.Millisecond: verdict.Invalid} {
			begin := 500 * time.Millisecond
			one := r
			one.Download = full + more - time.Second
			one.Total = one.Download + time.Second
			one.Wall = one.Total + time.Second
			one.Evidence.Concurrency = 0
			one.Evidence.Progress = []recovery.Point{{After: begin}}
			for after := time.Second; after < one.Download; after += time.Second {
				one.Evidence.Progress = append(one.Evidence.Progress, recovery.Point{After: begin + after, Bytes: 1})
			}
			one.Evidence.Progress = append(one.Evidence.Progress, recovery.Point{After: begin + one.Download, Bytes: bytes})
			recoveries := []recovery.Recovery{one}
			if r.Arm.Name == "multi" {
				recoveries = []recovery.Recovery{run.Recoveries[0], one}
			}
			v, err := bundle.Judge(run.Environment, recoveries)
			require.NoError(t, err)
			assert.Equal(t, want, v.Outcome, "%s %v: %v", r.Arm.Name, more, v.Reasons)
		}
	}
}

// Is nothing said of a link that nobody knows, or that is not shaped?
func TestDownloadOverAnUnknownLink(t *testing.T) {
	run := bundletest.OnTarget()
	for i := range run.Recoveries {
		halve(&run.Recoveries[i])
	}
	v, err := bundle.Judge(run.Environment, run.Recoveries)
	require.NoError(t, err)
	assert.Equal(t, verdict.Pass, v.Outcome, v.Reasons)
}

// halve lets a recovery's download take half the time, in all that tells of it.
func halve(r *recovery.Recovery) {
	begin, before := r.Evidence.Progress[0].After, r.Download
	for i, point := range r.Evidence.Progress {
		r.Evidence.Progress[i].After = begin + (point.After-begin)/2
	}
	r.Download = recovery.Span(r.Evidence.Progress)
	r.Total -= before - r.Download
	r.Wall -= before - r.Download
}
