package issues

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/opensearch-project/opensearch-go/v2/opensearchapi"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"streamgate/fixtures/corpus"
	"streamgate/helpers/await"
	"streamgate/helpers/recovery"
)

const (
	liveEvery     = 500 * time.Millisecond // between two bulks
	liveDocuments = 500                    // of each: with some 1 kB a document, 1 MB/s
	lagEvery      = 20 * time.Millisecond
	aloneFor      = 3 * time.Second
)

// live is an index that grows at a fixed rate, with a replica on node-2.
type live struct {
	index  string
	target string // id
	sent   int64
}

// goLive makes the index, its primary on node-1, and lets it grow a little: what comes first
// is slower.
func (s *scenario) goLive(name string) *live {
	s.t.Helper()
	api := s.stack.API
	nodes, err := api.Nodes(s.ctx)
	require.NoError(s.t, err)
	target, found := recovery.NodeNamed(nodes, s.stack.Nodes[1].Name)
	require.True(s.t, found)
	l := &live{index: s.index(name), target: target.ID}
	only := map[string]any{"index.routing.allocation.include._name": s.stack.Nodes[0].Name}
	require.NoError(s.t, api.CreateIndex(s.ctx, l.index, corpus.IndexBody(only)))
	require.NoError(s.t, api.SetIndexSettings(s.ctx, l.index, map[string]any{
		"index.routing.allocation.include._name": nil, "index.number_of_replicas": 1,
	}))
	require.NoError(s.t, await.Until(s.ctx, "the live replica", time.Minute, lagEvery, func(ctx context.Context) (bool, string, error) {
		copies, err := api.ShardCopies(ctx, l.index)
		started := 0
		for _, c := range copies {
			if c.State == "STARTED" {
				started++
			}
		}
		return started == 2, fmt.Sprintf("%d copies", started), err
	}))
	s.lagOf(l, func() { time.Sleep(2 * liveEvery) })
	return l
}

// pause lets the live index alone for a while.
func (s *scenario) pause() { time.Sleep(aloneFor) }

// refreshed is a bulk that the primary has made visible.
type refreshed struct {
	documents int64 // of the index, this bulk's included
	at        time.Time
}

// lagOf lets the index grow while during runs, and returns how far its replica was behind:
// the median over the bulks of the time from the primary's refresh to the replica's count.
func (s *scenario) lagOf(l *live, during func()) time.Duration {
	s.t.Helper()
	growing, stop := context.WithCancel(s.ctx)
	defer stop()
	var waiting refreshes
	var lags []time.Duration
	group, ctx := errgroup.WithContext(s.ctx)
	group.Go(func() error { defer waiting.end(); return s.grow(ctx, growing.Done(), l, &waiting) })
	group.Go(func() (err error) { lags, err = s.followReplica(ctx, l, &waiting); return err })
	during()
	stop()
	require.NoError(s.t, group.Wait())
	require.NotEmpty(s.t, lags, "nothing was refreshed meanwhile")
	slices.Sort(lags)
	median := lags[len(lags)/2]
	s.run.Say(fmt.Sprintf("the live replica saw %d refreshes %s late in the median, %s at most",
		len(lags), median.Round(time.Millisecond), lags[len(lags)-1].Round(time.Millisecond)))
	return median
}

// grow sends a bulk and a refresh at a fixed rate until done.
func (s *scenario) grow(ctx context.Context, done <-chan struct{}, l *live, waiting *refreshes) error {
	tick := time.NewTicker(liveEvery)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
		if err := s.bulk(ctx, l); err != nil {
			return err
		}
		at := time.Now()
		if err := s.stack.API.Refresh(ctx, l.index); err != nil {
			return err
		}
		waiting.add(refreshed{l.sent, at})
	}
}

// bulk sends the corpus's first documents, without ids, so that they are new each time.
func (s *scenario) bulk(ctx context.Context, l *live) error {
	var body bytes.Buffer
	count := 0
	for line, err := range s.run.Corpus.Lines() {
		if err != nil {
			return err
		}
		body.WriteString("{\"index\":{}}\n")
		body.Write(line)
		body.WriteByte('\n')
		if count++; count == liveDocuments {
			break
		}
	}
	response, err := opensearchapi.BulkRequest{Index: l.index, Body: &body}.Do(ctx, s.stack.API)
	if err != nil {
		return fmt.Errorf("send a bulk: %w", err)
	}
	defer response.Body.Close()
	if response.IsError() {
		return errors.New("send a bulk: " + response.Status())
	}
	l.sent += liveDocuments
	return nil
}

// followReplica notes for each refresh when the replica has it, until all are there.
func (s *scenario) followReplica(ctx context.Context, l *live, waiting *refreshes) ([]time.Duration, error) {
	var lags []time.Duration
	err := await.Until(ctx, "the live replica has everything", recoveryLimit, lagEvery, func(ctx context.Context) (bool, string, error) {
		seen, err := s.stack.API.Count(ctx, l.index, l.target)
		if err != nil {
			return false, "", err
		}
		arrived, left, ended := waiting.take(seen)
		for _, r := range arrived {
			lags = append(lags, time.Since(r.at))
		}
		return ended && left == 0, fmt.Sprintf("%d refreshes behind", left), nil
	})
	return lags, err
}

// refreshes are those that the replica has not been seen to have.
type refreshes struct {
	mutex sync.Mutex
	queue []refreshed
	ended bool
}

func (q *refreshes) add(r refreshed) {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	q.queue = append(q.queue, r)
}

func (q *refreshes) end() {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	q.ended = true
}

// take removes those that so many documents include.
func (q *refreshes) take(documents int64) (arrived []refreshed, left int, ended bool) {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	n := slices.IndexFunc(q.queue, func(r refreshed) bool { return r.documents > documents })
	if n < 0 {
		n = len(q.queue)
	}
	arrived, q.queue = slices.Clone(q.queue[:n]), q.queue[n:]
	return arrived, len(q.queue), q.ended
}
