//go:build faults

package faults

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"streamgate/helpers/await"
)

const (
	// writeEvery is the pause between two documents: a fixed rate of 50 a second at most.
	writeEvery = 20 * time.Millisecond
	// leastWritten is how many documents have to be acknowledged for the scenario to count.
	leastWritten = 20
	// catchUpLimit bounds the time a replica needs for the last refresh.
	catchUpLimit = 30 * time.Second
)

// writer indexes documents one by one and remembers those that were acknowledged.
type writer struct {
	stop context.CancelFunc
	done sync.WaitGroup

	acknowledged []string
	refused      error
}

// write starts to write at a fixed rate, until stopWriting.
func write(ctx context.Context, s *stand) error {
	// The writing outlives the act that starts it.
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	w := &writer{stop: cancel}
	s.writer = w
	api := s.stack.Nodes[0].API
	w.done.Go(func() {
		ticks := time.NewTicker(writeEvery)
		defer ticks.Stop()
		for n := 0; ; n++ {
			select {
			case <-ctx.Done():
				return
			case <-ticks.C:
			}
			id := fmt.Sprintf("written-%d", n)
			document := map[string]any{"type": "answer", "body": strings.Repeat(id+" ", 100)}
			err := api.Do(context.WithoutCancel(ctx), http.MethodPut, "/"+index+"/_doc/"+id, nil, document, nil)
			if err != nil {
				w.refused = err
				return
			}
			w.acknowledged = append(w.acknowledged, id)
		}
	})
	return nil
}

// stopWriting ends the writing; only then may the writer be read.
func stopWriting(_ context.Context, s *stand) error {
	s.writer.stop()
	s.writer.done.Wait()
	return s.writer.refused
}

// settleWrites stops the writing, waits until the replica has caught up with a refresh, and
// looks for every acknowledged document on the replica.
func settleWrites(ctx context.Context, s *stand) error {
	if err := stopWriting(ctx, s); err != nil {
		return err
	}
	if n := len(s.writer.acknowledged); n < leastWritten {
		return fmt.Errorf("%d documents were acknowledged while the replica recovered, want %d or more", n, leastWritten)
	}
	if err := s.bench.API.Refresh(ctx, index); err != nil {
		return err
	}
	err := await.Until(ctx, "the replica has caught up", catchUpLimit, 200*time.Millisecond, func(ctx context.Context) (bool, string, error) {
		primary, err := s.bench.API.Count(ctx, index, s.bench.Primary.ID)
		if err != nil {
			return false, "", err
		}
		replica, err := s.bench.API.Count(ctx, index, s.bench.Target.ID)
		return primary == replica, fmt.Sprintf("%d of %d documents", replica, primary), err
	})
	if err != nil {
		return err
	}
	copied, err := readCopy(ctx, s.bench.API, index, s.bench.Target.ID)
	if err != nil {
		return err
	}
	for _, id := range s.writer.acknowledged {
		if _, have := copied[id]; !have {
			return fmt.Errorf("document %s was acknowledged and is not on the replica", id)
		}
	}
	s.run.Say(fmt.Sprintf("  %d documents were acknowledged meanwhile, all are on the replica", len(s.writer.acknowledged)))
	return nil
}
