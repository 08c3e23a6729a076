// Package multistream is the gate: is a replica recovered from the remote store with
// several streams as much faster as it should be?
package multistream

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"streamgate/fixtures/corpus"
	"streamgate/fixtures/gate"
	"streamgate/fixtures/link"
	"streamgate/fixtures/machine"
	"streamgate/fixtures/stack"
	"streamgate/fixtures/suite"
	"streamgate/helpers/recovery"
	"streamgate/helpers/verdict"
)

func TestMain(m *testing.M) { suite.Main(m) }

// Two arms on one stack, the rate limit lifted in both: one stream and eight. The link is
// shaped per connection, so that the download and not the machine is the slow part. The
// replica's recovery is measured in rounds until the claim is answered; each recovery has
// to prove that its bytes came from the store over the streams it claims.
func TestMultistreamSpeedsUpRecovery(t *testing.T) {
	ctx, run := suite.Begin(t, suite.Needs{Corpus: true, Time: 4 * time.Minute})
	cfg := run.Config

	working := machine.Working(ctx, t)
	s := stack.Start(ctx, t, run.Spec())
	run.Say("loading " + run.Corpus.String())
	placed := corpus.Place(ctx, t, s, "so", run.Corpus, corpus.Layout{Segments: cfg.Segments})
	run.Say(placed.String())
	working()

	looks, err := verdict.LooksUpTo(cfg.Rounds)
	require.NoError(t, err)
	single := recovery.Unlimited("single", cfg.SingleStreams)
	multi := recovery.Unlimited("multi", cfg.MultiStreams)
	machine.Measuring(ctx, t)
	gate.Judge(ctx, t, gate.Bench{Run: run, Stack: s, Placed: placed}, gate.Experiment{
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
