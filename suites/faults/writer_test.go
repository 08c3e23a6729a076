package faults

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"streamgate/helpers/await"
	"streamgate/helpers/osapi"
)

const (
	// writeEvery is the pause between two documents: a fixed rate of 50 a second.
	writeEvery = 20 * time.Millisecond
	// writesAtOnce bounds those under way. OpenSearch acknowledges a document with the next
	// upload of its translog, every 650 ms by default: one after the other would be two a second.
	writesAtOnce = 100
	// writeLimit bounds one write.
	writeLimit = 30 * time.Second
	// leastWritten is how many documents have to be acknowledged for the scenario to count.
	leastWritten = 40
	// catchUpLimit bounds the time a replica needs for the last refresh.
	catchUpLimit = 30 * time.Second
)

// writer indexes documents at a fixed rate and remembers those that were acknowledged.
type writer struct {
	stop   context.CancelFunc
	ticker sync.WaitGroup
	writes errgroup.Group

	mutex        sync.Mutex
	acknowledged []string
}

// write starts to write, until stopWriting.
func write(ctx context.Context, s *stand) error {
	// The writing outlives the act that starts it.
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	w := &writer{stop: cancel}
	w.writes.SetLimit(writesAtOnce)
	s.writer = w
	w.ticker.Go(func() {
		ticks := time.NewTicker(writeEvery)
		defer ticks.Stop()
		for n := 0; ; n++ {
			select {
			case <-ctx.Done():
				return
			case <-ticks.C:
			}
			id := fmt.Sprintf("written-%d", n)
			w.writes.Go(func() error { return w.put(context.WithoutCancel(ctx), s.stack.Nodes[0].API, id) })
		}
	})
	return nil
}

// put indexes one document and notes that it was acknowledged.
func (w *writer) put(ctx context.Context, api *osapi.Client, id string) error {
	ctx, cancel := context.WithTimeout(ctx, writeLimit)
	defer cancel()
	document := map[string]any{"type": "answer", "body": strings.Repeat(id+" ", 100)}
	if err := api.Do(ctx, http.MethodPut, "/"+index+"/_doc/"+id, nil, document, nil); err != nil {
		return err
	}
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.acknowledged = append(w.acknowledged, id)
	return nil
}

// stopWriting ends the writing and waits for what is under way; only then may the writer be
// read. A write that was refused is an error.
func stopWriting(_ context.Context, s *stand) error {
	s.writer.stop()
	s.writer.ticker.Wait()
	return s.writer.writes.Wait()
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
