//go:build compare

package compare

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"streamgate/fixtures/corpus"
	"streamgate/fixtures/gate"
	"streamgate/fixtures/link"
	"streamgate/fixtures/machine"
	"streamgate/fixtures/shelf"
	"streamgate/fixtures/stack"
	"streamgate/fixtures/suite"
	"streamgate/helpers/config"
	"streamgate/helpers/source"
	"streamgate/helpers/verdict"
)

// comparedBytes is half the quick profile's corpus: a round has four recoveries instead of
// two, and is to take no longer.
const comparedBytes = 100_000_000

// own is the comparison's corpus, unless another was asked for.
func own(c *config.Config) {
	if !c.Given("STREAMGATE_CORPUS_SIZE") && !c.Given("STREAMGATE_PROFILE") {
		c.CorpusBytes = comparedBytes
	}
}

// Is the candidate as fast as its base, within a tenth? Both run at the same time, each on a
// stack of its own with the same documents in the same layout, and every round has one recovery
// of each arm: what drifts on the machine meets both. A recovery is proven like in the gate.
func TestCandidateKeepsUp(t *testing.T) {
	ctx, run := suite.Begin(t, suite.Needs{Corpus: true, Link: true, Stacks: 2, Time: 9 * time.Minute, Own: own})
	cfg := run.Config

	working := machine.Working(ctx, t)
	base, onBase := place(ctx, t, run, "base", cfg.BaseSource())
	candidate, onCandidate := place(ctx, t, run, "candidate", cfg.CandidateSource())
	working()

	looks, err := verdict.LooksUpTo(cfg.Rounds)
	require.NoError(t, err)
	machine.Measuring(ctx, t)
	gate.Judge(ctx, t, gate.Bench{Run: run, Stack: base, Placed: onBase}, gate.Experiment{
		Suite:  "compare",
		Arms:   arms(cfg),
		Shape:  link.Shape{RateBytes: cfg.LinkRateBytes, FirstByte: cfg.LinkFirstByte},
		Looks:  looks,
		Claims: func(gate.Best) []verdict.Claim { return claims() },
		Beside: []gate.Beside{{
			Name: "candidate", Arms: []string{candidateSingle, candidateMulti}, Stack: candidate, Placed: onCandidate,
		}},
	})
}

// place starts a side's stack and loads the run's corpus into it.
func place(ctx context.Context, t *testing.T, run *suite.Run, side string, from source.Source) (*stack.Stack, corpus.Placed) {
	t.Helper()
	spec, err := run.SpecOf(ctx, side, from)
	require.NoError(t, err)
	run.Say(side + " is " + from.String())
	s, placed := shelf.Start(ctx, t, run.Loaded(spec, "so"))
	run.Say(side + ": " + placed.String())
	return s, placed
}
