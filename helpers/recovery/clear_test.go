package recovery

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// soon lets a removal be given up after a moment.
func soon(t *testing.T) {
	t.Helper()
	before := clearLimit
	clearLimit = 30 * time.Millisecond
	t.Cleanup(func() { clearLimit = before })
}

// Does the removal wait until the target's disk holds no file of the shard? The disk of the target is
// read, and no other; _shard_stores, which locks the shard, is not asked.
func TestClearReadsTheDisk(t *testing.T) {
	s := recorded(t)
	bench := s.bench()
	looks := 0
	bench.FilesOn = func(_ context.Context, node Node) ([]string, error) {
		assert.Equal(t, bench.Target, node)
		if looks++; looks < 4 {
			return []string{"index/_0.cfs"}, nil
		}
		return nil, nil
	}
	require.NoError(t, Clear(t.Context(), bench))
	assert.Equal(t, 4, looks)
	assert.Equal(t, []string{`{"index.number_of_replicas":0}`}, s.bodies(setIndex))
	assert.Empty(t, s.bodies(shardStores))
}

// Is a copy that stays brought back and taken away once more, some times, and is what stayed named in the
// end?
func TestClearOfACopyThatStays(t *testing.T) {
	soon(t)
	s := recorded(t)
	bench := s.bench()
	bench.FilesOn = func(context.Context, Node) ([]string, error) {
		return []string{"_state/state-1.st", "index/_0.cfs", "index/_1.cfs", "index/a", "index/b", "index/c"}, nil
	}
	err := Clear(t.Context(), bench)
	require.ErrorContains(t, err, "await the old replica's files are gone: limit passed")
	require.ErrorContains(t, err, "6 files on node-2: _state/state-1.st, index/_0.cfs, index/_1.cfs, index/a, index/b")
	assert.NotContains(t, err.Error(), "index/c")
	const away, back = `{"index.number_of_replicas":0}`, `{"index.number_of_replicas":1}`
	assert.Equal(t, []string{away, back, away, back, away, back, away}, s.bodies(setIndex))

	s = recorded(t)
	bench = s.bench()
	bench.FilesOn = func(context.Context, Node) ([]string, error) { return nil, errors.New("no such container") }
	require.ErrorContains(t, Clear(t.Context(), bench), "no such container")
}

// Does an end of the context end the removal at once, and a refused setting too?
func TestClearEnds(t *testing.T) {
	s := recorded(t)
	bench := s.bench()
	bench.FilesOn = func(context.Context, Node) ([]string, error) { return []string{"index/_0.cfs"}, nil }
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	require.ErrorIs(t, Clear(ctx, bench), context.DeadlineExceeded)
	assert.Len(t, s.bodies(setIndex), 1)

	s = recorded(t)
	s.fail(setIndex, http.StatusForbidden)
	require.ErrorContains(t, Clear(t.Context(), s.bench()), "set the number of replicas to 0")
}

// Where no disk can be read, is the cluster asked for the shard's stores, with a pause before it, until
// only the primary holds one?
func TestClearAsksForStores(t *testing.T) {
	s := recorded(t)
	only := s.answers[shardStores][0]
	both := only
	both.Answer = json.RawMessage(`{"indices":{"so":{"shards":{"0":{"stores":[{"` + primaryID + `":{"name":"node-1"}},{"` + targetID + `":{"name":"node-2"}}]}}}}}`)
	elsewhere := only
	elsewhere.Answer = json.RawMessage(`{"indices":{"so":{"shards":{"0":{"stores":[{"` + targetID + `":{"name":"node-2"}}]}}}}}`)
	s.answers[shardStores] = []exchange{both, elsewhere, only}
	bench := s.bench()
	bench.FilesOn = nil
	begin := time.Now()
	require.NoError(t, Clear(t.Context(), bench))
	assert.Len(t, s.bodies(shardStores), 3)
	assert.GreaterOrEqual(t, time.Since(begin), 3*storesEvery)

	soon(t)
	s = recorded(t)
	s.answers[shardStores] = []exchange{both}
	bench = s.bench()
	bench.FilesOn = nil
	clearLimit = storesEvery + 20*time.Millisecond
	require.ErrorContains(t, Clear(t.Context(), bench), "copies on 2 nodes")
}
