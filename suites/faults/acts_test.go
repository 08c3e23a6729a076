package faults

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"

	"streamgate/helpers/await"
	"streamgate/helpers/recovery"
)

// What can be done to the link.

func clearLink(_ context.Context, s *stand) error { return s.stack.Link.Clear() }
func linkDown(_ context.Context, s *stand) error  { return s.stack.Link.Down() }
func linkUp(_ context.Context, s *stand) error    { return s.stack.Link.Up() }
func linkBreak(_ context.Context, s *stand) error { return s.stack.Link.Break() }
func linkStall(_ context.Context, s *stand) error { return s.stack.Link.Stall() }

func linkReset(_ context.Context, s *stand) error { return s.stack.Link.Reset(0) }

func linkCut(afterBytes int64) act {
	return func(_ context.Context, s *stand) error { return s.stack.Link.Cut(afterBytes) }
}

func linkSlow(rateBytes int64) act {
	return func(_ context.Context, s *stand) error { return s.stack.Link.Slow(rateBytes) }
}

func linkDelay(by time.Duration) act {
	return func(_ context.Context, s *stand) error { return s.stack.Link.Delay(by) }
}

// What can be done to the store.

func storeKill(ctx context.Context, s *stand) error     { return s.stack.Store.Kill(ctx) }
func storeStart(ctx context.Context, s *stand) error    { return s.stack.Store.Start(ctx) }
func storeWritable(ctx context.Context, s *stand) error { return s.stack.Store.ReadOnly(ctx, false) }
func storeRevoke(ctx context.Context, s *stand) error   { return s.stack.Store.Revoke(ctx) }
func storeGrant(ctx context.Context, s *stand) error    { return s.stack.Store.Grant(ctx) }

// storeReadOnly also tries to write: a store that still takes an object was not broken.
func storeReadOnly(ctx context.Context, s *stand) error {
	if err := s.stack.Store.ReadOnly(ctx, true); err != nil {
		return err
	}
	if err := s.stack.Store.Put(ctx, "streamgate-probe", []byte("x")); err == nil {
		return errors.New("the store took an object, though it is read-only")
	}
	return nil
}

// object is one that was damaged or removed, as it was.
type object struct {
	key     string
	content []byte
}

// largest takes the largest compound file of the shard for what is done to an object.
func (s *stand) largest(ctx context.Context) error {
	listed, err := s.listObjects(ctx)
	if err != nil {
		return err
	}
	var key string
	var sizeBytes int64
	for _, o := range listed {
		if strings.Contains(path.Base(o.Key), ".cfs__") && o.Size > sizeBytes {
			key, sizeBytes = o.Key, o.Size
		}
	}
	if key == "" {
		return fmt.Errorf("the store holds no compound file of %s", index)
	}
	content, err := s.stack.Store.Object(ctx, key)
	s.damaged = &object{key, content}
	return err
}

// damage turns all bits of the byte in the middle of one object. The object is written anew,
// so the store holds the damage for good: it is what an upload of bad memory would leave, and
// not rot on the store's disks, which MinIO finds out by itself.
func damage(ctx context.Context, s *stand) error {
	return s.turn(ctx, func(content []byte) int { return len(content) / 2 })
}

// damageFooter turns all bits of the last byte of one object, which is the lowest of the
// checksum in the file's footer.
func damageFooter(ctx context.Context, s *stand) error {
	return s.turn(ctx, func(content []byte) int { return len(content) - 1 })
}

func (s *stand) turn(ctx context.Context, where func(content []byte) int) error {
	if err := s.largest(ctx); err != nil {
		return err
	}
	content := slices.Clone(s.damaged.content)
	content[where(content)] ^= 0xff
	return s.stack.Store.Put(ctx, s.damaged.key, content)
}

// damageChecked damages as damage does, with the index set to verify all checksums of a copy
// before it starts. An open index does not take that setting.
//
// The link is not shaped meanwhile: a primary that is opened downloads its translog first, twice
// and over one connection.
func damageChecked(ctx context.Context, s *stand) (err error) {
	if err := s.stack.Link.Clear(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.shape(s.streams)) }()
	if err := s.bench.API.Do(ctx, http.MethodPost, "/"+index+"/_close", nil, nil, nil); err != nil {
		return err
	}
	if err := s.bench.API.SetIndexSettings(ctx, index, map[string]any{"index.shard.check_on_startup": "checksum"}); err != nil {
		return err
	}
	if err := s.bench.API.Do(ctx, http.MethodPost, "/"+index+"/_open", nil, nil, nil); err != nil {
		return err
	}
	if err := s.awaitPrimary(ctx); err != nil {
		return err
	}
	return damage(ctx, s)
}

// truncate takes the last byte of one object away.
func truncate(ctx context.Context, s *stand) error {
	if err := s.largest(ctx); err != nil {
		return err
	}
	return s.stack.Store.Put(ctx, s.damaged.key, s.damaged.content[:len(s.damaged.content)-1])
}

// remove takes one object away.
func remove(ctx context.Context, s *stand) error {
	if err := s.largest(ctx); err != nil {
		return err
	}
	return s.stack.Store.Remove(ctx, s.damaged.key)
}

// putBack undoes damage, truncate and remove, as far as they came.
func putBack(ctx context.Context, s *stand) error {
	if s.damaged == nil {
		return nil
	}
	return s.stack.Store.Put(ctx, s.damaged.key, s.damaged.content)
}

// What can be done to the nodes.

func killPrimary(ctx context.Context, s *stand) error   { return s.stack.Nodes[0].Kill(ctx) }
func startPrimary(ctx context.Context, s *stand) error  { return s.stack.Nodes[0].Start(ctx) }
func killTarget(ctx context.Context, s *stand) error    { return s.stack.Nodes[1].Kill(ctx) }
func startTarget(ctx context.Context, s *stand) error   { return s.stack.Nodes[1].Start(ctx) }
func pauseTarget(ctx context.Context, s *stand) error   { return s.stack.Nodes[1].Pause(ctx) }
func unpauseTarget(ctx context.Context, s *stand) error { return s.stack.Nodes[1].Unpause(ctx) }

// What can be done to the index.

func deleteIndex(ctx context.Context, s *stand) error {
	return s.bench.API.DeleteIndex(ctx, index)
}

// secondReplica asks for one on node-3 as well.
func secondReplica(ctx context.Context, s *stand) error {
	return s.bench.API.SetIndexSettings(ctx, index, map[string]any{
		"index.routing.allocation.include._name": "node-1,node-2,node-3",
		"index.number_of_replicas":               2,
	})
}

// settleSecond waits for the second replica and holds it against the primary.
func settleSecond(ctx context.Context, s *stand) error {
	nodes, err := s.bench.API.Nodes(ctx)
	if err != nil {
		return err
	}
	for id, node := range nodes {
		if node.Name != s.stack.Nodes[2].Name {
			continue
		}
		err := await.Until(ctx, "the second replica is STARTED", limit, 200*time.Millisecond, func(ctx context.Context) (bool, string, error) {
			state, err := s.stateOn(ctx, id)
			return state == "STARTED", state, err
		})
		if err != nil {
			return err
		}
		unequal, err := s.compare(ctx, recovery.Node{ID: id, Name: node.Name})
		if err == nil && len(unequal) > 0 {
			err = fmt.Errorf("the second replica is not the primary's equal: %s", strings.Join(unequal, "; "))
		}
		return err
	}
	return fmt.Errorf("find the nodes: %s is not in the cluster", s.stack.Nodes[2].Name)
}
