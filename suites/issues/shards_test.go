package issues

import (
	"context"
	"fmt"
	"time"

	"github.com/stretchr/testify/require"

	"streamgate/fixtures/corpus"
	"streamgate/helpers/await"
	"streamgate/helpers/osapi"
)

// settingConcurrent is how many recoveries a node takes part in at a time, 2 by default.
const settingConcurrent = "cluster.routing.allocation.node_concurrent_recoveries"

// set sets dynamic cluster settings; the hand-over sets them back.
func (s *scenario) set(settings map[string]string) {
	s.t.Helper()
	values := map[string]any{}
	for name, value := range settings {
		values[name] = value
	}
	require.NoError(s.t, s.stack.API.SetClusterSettings(s.ctx, values))
}

// placeShards loads the report's corpus into an index of several shards, each with so many
// segments, all on node-1.
func (s *scenario) placeShards(name string, shards, segments int) string {
	s.t.Helper()
	api, primary, index := s.stack.API, s.stack.Nodes[0], s.index(name)
	require.NoError(s.t, api.CreateIndex(s.ctx, index, corpus.IndexBody(map[string]any{
		"index.number_of_shards": shards, "index.routing.allocation.include._name": primary.Name,
		// Settle looks at one shard; with the translog in the store bulk by bulk, all are alike.
		"index.translog.durability": "request",
	})))
	loader, err := osapi.NewLoader(primary.URL)
	require.NoError(s.t, err)
	_, err = corpus.Load(s.ctx, loader, index, s.run.Corpus, corpus.Layout{Segments: segments})
	require.NoError(s.t, err)
	require.NoError(s.t, corpus.Settle(s.ctx, api, index))
	require.NoError(s.t, api.SetIndexSettings(s.ctx, index, map[string]any{"index.routing.allocation.include._name": nil}))
	return index
}

// shardsRecovery is the recovery of all replicas of an index.
type shardsRecovery struct {
	// concurrent is how many recoveries were allowed at a time.
	concurrent int
	took       time.Duration
	// atOnce and threads are the most that were seen: replicas initializing, and threads of
	// the pool remote_recovery at work.
	atOnce, threads int
	failedBytes     int64
	fallback        []string
}

// recoverShards adds a replica to every shard and waits until all are STARTED.
func (s *scenario) recoverShards(index string, shards, concurrent int) shardsRecovery {
	s.t.Helper()
	s.set(map[string]string{settingConcurrent: fmt.Sprint(concurrent)})
	api, target := s.stack.API, s.stack.Nodes[1]
	r := shardsRecovery{concurrent: concurrent}
	start := time.Now()
	require.NoError(s.t, api.SetIndexSettings(s.ctx, index, map[string]any{"index.number_of_replicas": 1}))
	err := await.Until(s.ctx, "all replicas are STARTED", recoveryLimit, 50*time.Millisecond, func(ctx context.Context) (bool, string, error) {
		stats, err := api.NodeStats(ctx, target.Name)
		if err != nil {
			return false, "", err
		}
		copies, err := api.ShardCopies(ctx, index)
		started, initializing := 0, 0
		for _, c := range copies {
			switch {
			case c.Primary:
			case c.State == "STARTED":
				started++
			case c.State == "INITIALIZING":
				initializing++
			}
		}
		r.threads, r.atOnce = max(r.threads, stats.Pool.Active), max(r.atOnce, initializing)
		return started == shards, fmt.Sprintf("%d of %d", started, shards), err
	})
	require.NoError(s.t, err)
	r.took = time.Since(start)
	stats, err := api.RemoteStats(s.ctx, index)
	require.NoError(s.t, err)
	for _, c := range stats {
		r.failedBytes += c.Segment.Download.Size.FailedBytes
	}
	r.fallback, err = target.LogLines(s.ctx, start, fallbackLine)
	require.NoError(s.t, err)
	s.run.Say(fmt.Sprintf("%d shards, %d at a time: %.2f s, %d threads", shards, concurrent, r.took.Seconds(), r.threads))
	return r
}

// fallbackLine is what a target logs when it gives a download up.
const fallbackLine = "will continue with peer to peer segment copy"
