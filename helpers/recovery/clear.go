package recovery

import (
	"context"
	"fmt"
	"strings"
	"time"

	"streamgate/helpers/await"
)

// clearAttempts is how often a copy that stays is taken away.
const clearAttempts = 4

// How long Clear waits. Tests wait for less.
var (
	// clearLimit bounds one attempt to remove a replica, files on disk included. It takes some
	// 50 to 200 ms; what takes longer than this was forgotten.
	clearLimit = 20 * time.Second
	// diskEvery is the pause between two looks at the target's disk.
	diskEvery = 100 * time.Millisecond
	// storesEvery is the pause before each question for the stores of a shard, which locks it: see
	// Clear.
	storesEvery = 500 * time.Millisecond
)

// Clear takes the replica away and waits until no file of it is left on the target's disk: a
// replica that comes back before that reuses the old files.
//
// A node deletes a copy once, right after it has left the routing table, and gives up at DEBUG
// when the shard's lock is taken at that moment ("lock already held for [open index]"). The lock
// is taken by the very API that tells which copies there are, _shard_stores: asked every 100 ms,
// 1 to 2 removals in 100 were prevented by the asking. That API also leaves out a node that could
// not look, so that a copy which is there may not be in its answer. Where the disk can be read it is
// the one that is asked. Elsewhere the node is given time before each question. A copy that stayed
// is brought back, with the files it has, and taken away once more: only a change of the routing
// table makes the node try again.
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
	look := askStores
	if bench.FilesOn != nil {
		look = readDisk
	}
	return await.Until(ctx, "the old replica's files are gone", clearLimit, diskEvery, func(ctx context.Context) (bool, string, error) {
		return look(ctx, bench)
	})
}

// readDisk looks for files of the shard on the target's disk.
func readDisk(ctx context.Context, bench Bench) (gone bool, state string, err error) {
	files, err := bench.FilesOn(ctx, bench.Target)
	if err != nil {
		return false, "", err
	}
	if len(files) == 0 {
		return true, "", nil
	}
	return false, fmt.Sprintf("%d files on %s: %s", len(files), bench.Target.Name, strings.Join(files[:min(len(files), filesNamed)], ", ")), nil
}

// filesNamed is how many of the files that stayed an error names.
const filesNamed = 5

// askStores asks the cluster which nodes hold a copy, after a pause.
func askStores(ctx context.Context, bench Bench) (gone bool, state string, err error) {
	select {
	case <-ctx.Done():
		return false, "", context.Cause(ctx)
	case <-time.After(storesEvery):
	}
	nodes, err := bench.API.ShardStores(ctx, bench.Index)
	only := len(nodes) == 1 && nodes[0] == bench.Primary.ID
	return only, fmt.Sprintf("copies on %d nodes", len(nodes)), err
}
