//go:build noise

package selfcheck

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"streamgate/fixtures/gate"
	"streamgate/fixtures/link"
	"streamgate/fixtures/machine"
	"streamgate/fixtures/shelf"
	"streamgate/fixtures/suite"
	"streamgate/helpers/config"
	"streamgate/helpers/estimate"
	"streamgate/helpers/recovery"
	"streamgate/helpers/verdict"
)

// takes is the floor's time: all rounds of two arms of many streams.
func takes(c config.Config) (time.Duration, error) {
	rounds, err := estimate.Rounds(c, verdict.DefaultLooks().Last(), c.MultiStreams, c.MultiStreams)
	return rounds + estimate.Stack(c), err
}

// How small an effect can this machine show? Twelve rounds of two arms that are the same,
// on the profile's corpus and link: what their ratio is off 1, and how much it scatters,
// is the machine's. `make noise` runs it; a difference below its interval is no finding.
func TestNoiseFloor(t *testing.T) {
	ctx, run := suite.Begin(t, suite.Needs{Corpus: true, Link: true, Time: takes})
	cfg := run.Config
	working := machine.Working(ctx, t)
	s, placed := shelf.Start(ctx, t, run.Loaded(run.Spec(), "so")) // as the gate loads it
	working()

	one, other := recovery.Unlimited("one", cfg.MultiStreams), recovery.Unlimited("other", cfg.MultiStreams)
	looks := verdict.DefaultLooks()
	looks.Rounds = looks.Rounds[len(looks.Rounds)-1:] // a floor, not a race: all rounds
	machine.Measuring(ctx, t)
	v := gate.Measure(ctx, t, gate.Bench{Run: run, Stack: s, Placed: placed}, gate.Experiment{
		Suite: "noise", Arms: []recovery.Arm{one, other}, Looks: looks,
		Shape: link.Shape{RateBytes: cfg.LinkRateBytes, FirstByte: cfg.LinkFirstByte},
		Claims: func(best gate.Best) []verdict.Claim {
			return gate.Equal(best, other, one, 0.1, "noise floor: equal within a tenth")
		},
	})
	require.Equal(t, verdict.Pass, v.Outcome, v.Reasons)
}
