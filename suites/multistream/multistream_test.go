// Package multistream is the gate: is a replica recovered from the remote store with
// several streams as much faster as it should be?
package multistream

import (
	"testing"

	"github.com/stretchr/testify/require"

	"streamgate/fixtures/gate"
	"streamgate/fixtures/link"
	"streamgate/fixtures/machine"
	"streamgate/fixtures/suite"
	"streamgate/helpers/estimate"
	"streamgate/helpers/recovery"
	"streamgate/helpers/verdict"
)

func TestMain(m *testing.M) { suite.Main(m) }

// Two arms on one stack, the rate limit lifted in both: one stream and eight. The link is
// shaped per connection, so that the download and not the machine is the slow part; on a
// cluster that STREAMGATE_TARGET names it is what it is, and no efficiency is judged. The
// replica's recovery is measured in rounds until the claim is answered; each recovery has
// to prove that its bytes came from the store over the streams it claims.
func TestMultistreamSpeedsUpRecovery(t *testing.T) {
	ctx, run := suite.Begin(t, suite.Needs{Corpus: true, Link: true, Time: estimate.Longest, Target: true})
	cfg := run.Config

	bench := gate.Place(ctx, t, run, "so")

	looks, err := verdict.LooksUpTo(cfg.Rounds)
	require.NoError(t, err)
	single := recovery.Unlimited("single", cfg.SingleStreams)
	multi := recovery.Unlimited("multi", cfg.MultiStreams)
	machine.Measuring(ctx, t)
	gate.Judge(ctx, t, bench, gate.Experiment{
		Suite: "multistream",
		Arms:  []recovery.Arm{single, multi},
		Shape: link.Shape{RateBytes: cfg.LinkRateBytes, FirstByte: cfg.LinkFirstByte},
		Looks: looks,
		Claims: func(best gate.Best) []verdict.Claim {
			return []verdict.Claim{
				gate.SpeedUp(best, multi, single, cfg.MinSpeedup, run.Origin("STREAMGATE_MIN_SPEEDUP")),
				gate.Efficiency(best, multi, cfg.MinEfficiency, run.Origin("STREAMGATE_MIN_EFFICIENCY")),
			}
		},
	})
}
