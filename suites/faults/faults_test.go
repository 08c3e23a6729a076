package faults

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"streamgate/fixtures/corpus"
	"streamgate/fixtures/machine"
	"streamgate/fixtures/stack"
	"streamgate/fixtures/suite"
)

var (
	update = flag.Bool("update", false, "write README.md from this run; it needs STREAMGATE_SCENARIOS=all")
	only   = flag.String("scenario", "", "play only the scenarios whose name matches, with all their streams")
)

func TestMain(m *testing.M) { suite.Main(m) }

// Time that the two choices take, with the images built.
const (
	quickTime = 4 * time.Minute
	fullTime  = 20 * time.Minute
)

// Does a recovery that meets a fault end with the right data, or fail for all to see? One
// stack is shared. Each scenario strikes at its share of the bytes, is told by its ending,
// and held against what the table expects; then everything is brought back and checked.
//
// The machine is given back between scenarios, so that a measurement elsewhere gets its turn.
func TestRecoveryUnderFaults(t *testing.T) {
	whole := suite.Config(t).AllScenarios()
	needs := suite.Needs{Corpus: true, Own: own, Time: suite.Fixed(quickTime)}
	if whole {
		needs.Time = suite.Fixed(fullTime)
	}
	if *update {
		require.True(t, whole && *only == "", "-update writes what all scenarios came to: it needs STREAMGATE_SCENARIOS=all")
	}
	ctx, run := suite.Begin(t, needs)
	s := begin(ctx, t, run)

	var outcomes []outcome
	turn := turns{ctx: ctx, t: t}
	for _, x := range scenarios() {
		for _, streams := range chosen(x, whole) {
			t.Run(fmt.Sprintf("%s/streams=%d", x.name, streams), func(t *testing.T) {
				turn.take()
				defer turn.giveBack()
				start := time.Now()
				require.NoError(t, s.ready(ctx, func() corpus.Placed { return s.placed(ctx, t) }))
				o, err := s.play(ctx, x, streams)
				restored := s.restore(ctx, x.spoils)
				run.Say(fmt.Sprintf("  %s; with restoring %s", o, time.Since(start).Round(time.Second/10)))
				require.NoError(t, err)
				outcomes = append(outcomes, o)
				for _, fault := range x.want.unmet(o) {
					assert.Fail(t, fault, "said: %s", o.says)
				}
				require.NoError(t, restored)
			})
		}
	}
	turn.end()
	run.Say(table(outcomes))
	run.Say(fmt.Sprintf("the machine was held for %s", (s.began + turn.held).Round(time.Second)))
	if *update && !t.Failed() {
		version, err := s.bench.API.Version(ctx)
		require.NoError(t, err)
		require.NoError(t, writeReadme(version, outcomes))
	}
}

// turnTime is how long scenarios hold the machine before a measurement gets its turn. One
// takes some 7 s, and a measurement minutes: giving back after each would make this suite wait
// between any two.
const turnTime = 30 * time.Second

// turns takes the machine for some scenarios at a time.
type turns struct {
	ctx     context.Context //nolint:containedctx // the test's
	t       *testing.T
	since   time.Time
	held    time.Duration
	release func()
}

func (m *turns) take() {
	if m.release == nil {
		m.release, m.since = machine.Working(m.ctx, m.t), time.Now()
	}
}

func (m *turns) giveBack() {
	if time.Since(m.since) >= turnTime {
		m.end()
	}
}

// end gives the machine back, if it is held.
func (m *turns) end() {
	if m.release != nil {
		m.release()
		m.release = nil
		m.held += time.Since(m.since)
	}
}

// chosen are the streams that a scenario is played with.
func chosen(x scenario, whole bool) []int {
	switch {
	case *only != "":
		if regexp.MustCompile(*only).MatchString(x.name) {
			return x.streams
		}
		return nil
	case whole:
		return x.streams
	case x.quick > 0:
		return []int{x.quick}
	}
	return nil
}

// begin starts the stack and places the corpus.
func begin(ctx context.Context, t *testing.T, run *suite.Run) *stand {
	t.Helper()
	defer machine.Working(ctx, t)()
	start := time.Now()
	spec := run.Spec()
	spec.DataNodes = 3
	spec.Settings = maps.Clone(nodeSettings)
	s := &stand{run: run, stack: stack.Start(ctx, t, spec), corpus: run.Corpus}
	logs := filepath.Join(run.Out, time.Now().UTC().Format("20060102T150405Z")+"-faults-"+run.ID, "logs")
	s.stack.KeepLogs(func(part string) string { return filepath.Join(logs, part+".log") })
	require.NoError(t, s.place(ctx, func() corpus.Placed { return s.placed(ctx, t) }))
	require.NoError(t, s.asBefore(ctx))
	s.began = time.Since(start)
	return s
}

func (s *stand) placed(ctx context.Context, t *testing.T) corpus.Placed {
	t.Helper()
	return corpus.Place(ctx, t, s.stack, index, s.corpus, corpus.Layout{Segments: segments})
}
