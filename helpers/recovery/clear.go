package recovery

import (
	"context"
	"fmt"
	"time"

	"streamgate/helpers/await"
)

const (
	// clearLimit bounds one attempt to remove a replica, files on disk included. It takes some
	// 50 to 200 ms; what takes longer than this was forgotten.
	clearLimit    = 20 * time.Second
	clearAttempts = 4

	// storesEvery is the pause before each look at what is on the disks. A look locks the shard:
	// see Clear.
	storesEvery = 500 * time.Millisecond
)

// Clear takes the replica away and waits until no copy is left on the target's disk: a
// replica that comes back before that reuses the old files.
//
// A node deletes a copy once, right after it has left the routing table, and gives up at DEBUG
// when the shard's lock is taken at that moment ("lock already held for [open index]"). The lock
// is taken by the very API that tells which copies there are, _shard_stores: asked every 100 ms,
// 1 to 2 removals in 100 were prevented by the asking. So the node is given time before each look,
// and a copy that stayed is brought back, with the files it has, and taken away once more: only a
// change of the routing table makes the node try again.
func Clear(ctx context.Context, bench Bench) error {
	var err error
	for attempt := range clearAttempts {
		if attempt > 0 {
			if err = bringBack(ctx, bench); err != nil {
				continue
			}
		}
		if err := setReplicas(ctx, bench, 0); err != nil {
			return err
		}
		if err = awaitCleared(ctx, bench); err == nil || ctx.Err() != nil {
			return err
		}
	}
	return err
}

func bringBack(ctx context.Context, bench Bench) error {
	if err := setReplicas(ctx, bench, 1); err != nil {
		return err
	}
	return await.Until(ctx, "a replica whose files stayed is STARTED", clearLimit, sampleEvery, func(ctx context.Context) (bool, string, error) {
		started, err := isStarted(ctx, bench)
		return started, "not STARTED", err
	})
}

func setReplicas(ctx context.Context, bench Bench, n int) error {
	if err := bench.API.SetIndexSettings(ctx, bench.Index, map[string]any{"index.number_of_replicas": n}); err != nil {
		return fmt.Errorf("set the number of replicas to %d: %w", n, err)
	}
	return nil
}

func awaitCleared(ctx context.Context, bench Bench) error {
	return await.Until(ctx, "the old replica's files are gone", clearLimit, sampleEvery, func(ctx context.Context) (bool, string, error) {
		select {
		case <-ctx.Done():
			return false, "", context.Cause(ctx)
		case <-time.After(storesEvery):
		}
		nodes, err := bench.API.ShardStores(ctx, bench.Index)
		only := len(nodes) == 1 && nodes[0] == bench.Primary.ID
		return only, fmt.Sprintf("copies on %d nodes", len(nodes)), err
	})
}
