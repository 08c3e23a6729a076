// Package smoke asks whether a stack works at all: it starts, an index is remote-backed,
// and a replica equals its primary.
package smoke

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"streamgate/fixtures/corpus"
	"streamgate/fixtures/machine"
	"streamgate/fixtures/stack"
	"streamgate/fixtures/suite"
	"streamgate/helpers/config"
	"streamgate/helpers/recovery"
)

func TestMain(m *testing.M) { suite.Main(m) }

const index = "so-smoke"

// own is a corpus that loads in a second, over a link that nothing slows down.
func own(c *config.Config) {
	c.NoGate()
	c.CorpusBytes, c.Segments = 5_000_000, 5
}

// Does a replica come from the remote store, whole? Load a small corpus in a few
// segments, add a replica over an unshaped link twice, and hold each recovery's proof.
func TestReplicaEqualsPrimary(t *testing.T) {
	ctx, run := suite.Begin(t, suite.Needs{Time: suite.Fixed(2 * time.Minute), Corpus: true, Own: own})
	machine.Working(ctx, t)
	s := stack.Start(ctx, t, run.Spec())

	placed := corpus.Place(ctx, t, s, index, run.Corpus, corpus.Layout{Segments: run.Config.Segments})
	require.Equal(t, run.Config.Segments, placed.Segments)
	for _, streams := range []int{1, 4} {
		r, err := recovery.Measure(ctx, placed.Bench, recovery.Unlimited("unshaped", streams))
		require.NoError(t, err)
		require.Empty(t, r.Invalid, "%+v", r.Evidence)
		require.Equal(t, recovery.Sum(placed.Bench.Files), r.Evidence.DownloadedBytes)
	}
}
