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
	"streamgate/helpers/estimate"
	"streamgate/helpers/source"
	"streamgate/helpers/verdict"
)

// takes is the comparison's time when it needs all rounds: two stacks, one loaded after the other, and
// in each round a recovery of each arm.
func takes(c config.Config) (time.Duration, error) {
	var streams []int
	for _, arm := range arms(c) {
		streams = append(streams, arm.Streams)
	}
	rounds, err := estimate.Rounds(c, c.Rounds, streams...)
	return rounds + 2*estimate.Stack(c), err
}

// Is the candidate as fast as its base, within a tenth? Both run at the same time, each on a
// stack of its own with the same documents in the same layout, and every round has one recovery
// of each arm: what drifts on the machine meets both. A recovery is proven like in the gate.
func TestCandidateKeepsUp(t *testing.T) {
	ctx, run := suite.Begin(t, suite.Needs{Corpus: true, Link: true, Stacks: 2, Time: takes})
	cfg := run.Config

	// Images first: they are built under the machine's lock.
	ofBase, ofCandidate := specOf(ctx, t, run, "base", cfg.BaseSource()), specOf(ctx, t, run, "candidate", cfg.CandidateSource())
	working := machine.Working(ctx, t)
	base, onBase := place(ctx, t, run, ofBase)
	candidate, onCandidate := place(ctx, t, run, ofCandidate)
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

// specOf makes a side's image ready and describes its stack.
func specOf(ctx context.Context, t *testing.T, run *suite.Run, side string, from source.Source) stack.Spec {
	t.Helper()
	spec, err := run.SpecOf(ctx, side, from)
	require.NoError(t, err)
	run.Say(side + " is " + from.String())
	return spec
}

// place starts a side's stack and loads the run's corpus into it.
func place(ctx context.Context, t *testing.T, run *suite.Run, spec stack.Spec) (*stack.Stack, corpus.Placed) {
	t.Helper()
	s, placed := shelf.Start(ctx, t, run.Loaded(spec, "so"))
	run.Say(spec.Name + ": " + placed.String())
	return s, placed
}
