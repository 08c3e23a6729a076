// Package harness breaks the suite's own ground: the engine goes away, a disk fills up, a
// signal comes at a bad moment. In none of it may a run say pass; each must end within its
// bound, name its cause in one line, and leave nothing behind.
//
// What OpenSearch makes of faults is asked by suites/faults.
package harness

import (
	"context"
	"flag"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"streamgate/fixtures/machine"
	"streamgate/fixtures/stack"
	"streamgate/fixtures/suite"
	"streamgate/helpers/config"
)

func TestMain(m *testing.M) { suite.Main(m) }

// What a child of this package's tests is told.
var (
	asChild = flag.Bool("child", false, "be the run that a test of this package breaks; that test holds the machine")
	hold    = flag.Duration("hold", 0, "how long the smallest run keeps its stack")
)

const (
	// needs is what the default choice takes on a machine of 2 cores, fullNeeds what all take.
	needs     = 3 * time.Minute
	fullNeeds = 15 * time.Minute
	// startLimit bounds what a child needs until its stack is up, on a busy machine.
	startLimit = 90 * time.Second
	// smallestHeapBytes is what a node without an index starts with.
	smallestHeapBytes = 512 << 20
)

// The smallest run there is: one node on a store comes up, answers, and goes away. The
// other tests start it as a child of theirs and do to it what a run has to bear.
func TestSmallestRun(t *testing.T) {
	if !*asChild && !suite.Config(t).AllScenarios() {
		return // its children start it often enough
	}
	ctx, run := suite.Begin(t, suite.Needs{Time: suite.Fixed(time.Minute), Own: (*config.Config).NoGate})
	if !*asChild {
		machine.Working(ctx, t)
	}
	s := stack.Start(ctx, t, smallest(run))
	health, err := s.API.Health(ctx)
	require.NoError(t, err)
	require.Equal(t, 1, health.Nodes)
	run.Say("the stack is up")
	pause(ctx, *hold)
}

// Does the harness bear what it may meet? Each breaks one thing; the long ones, and those
// that another covers in part, are left to STREAMGATE_SCENARIOS=all. The machine is held for one at
// a time.
func TestHarnessUnderFaults(t *testing.T) {
	limit := needs
	whole := suite.Config(t).AllScenarios()
	if whole {
		limit = fullNeeds
	}
	ctx, run := suite.Begin(t, suite.Needs{Time: suite.Fixed(limit), Own: (*config.Config).NoGate})
	for _, x := range questions {
		if !x.Quick && !whole {
			continue
		}
		t.Run(x.Name, func(t *testing.T) {
			machine.Working(ctx, t)
			x.ask(t, ctx, run)
		})
	}
}

// questions are what the harness is asked, in their order.
var questions = []struct {
	suite.Choice
	ask func(t *testing.T, ctx context.Context, run *suite.Run)
}{
	{suite.Choice{Name: "out cannot be written to", Quick: true}, outNotWritable},
	{suite.Choice{Name: "a node never gets ready"}, nodeNeverReady},
	{suite.Choice{Name: "credentials and ports", Quick: true}, secretsAndSurface},
	{suite.Choice{Name: "the engine goes away"}, engineGone},
	{suite.Choice{Name: "a signal", Quick: true}, oneSignal},
	{suite.Choice{Name: "ten signals"}, tenSignals},
	{suite.Choice{Name: "kill -9 and the next run"}, killAndSweep},
	{suite.Choice{Name: "two runs at once"}, twoRunsAtOnce},
	{suite.Choice{Name: "the disk is full"}, diskFull},
	{suite.Choice{Name: "a corpus is kept"}, corpusIsKept},
	{suite.Choice{Name: "twenty runs"}, nothingPilesUp},
}

// Does suites/README.md say which of them each choice plays?
func TestChoices(t *testing.T) {
	suite.Uncached(t)
	var choices []suite.Choice
	for _, x := range questions {
		choices = append(choices, x.Choice)
	}
	suite.Choices(t, "harness", choices)
}

// smallest is a stack of one node.
func smallest(run *suite.Run) stack.Spec {
	spec := run.Spec()
	spec.DataNodes, spec.HeapBytes = 1, smallestHeapBytes
	return spec
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}
