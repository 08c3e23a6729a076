//go:build scale

package scale

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/moby/moby/api/types/container"
	"github.com/moby/moby/client"

	"streamgate/fixtures/engine"
	"streamgate/fixtures/stack"
	"streamgate/helpers/report"
)

// sampleEvery is how often the memory is looked at.
const sampleEvery = 200 * time.Millisecond

// gauge reads the memory of one node.
type gauge struct {
	node      *stack.Node
	engine    client.APIClient
	container string
}

// gaugeOf makes the gauge of a node of the run's only stack.
func gaugeOf(node *stack.Node) (gauge, error) {
	api, err := engine.Connect()
	if err != nil {
		return gauge{}, err
	}
	owner, err := engine.Own()
	if err != nil {
		return gauge{}, err
	}
	return gauge{node: node, engine: api, container: owner.Name(node.Name)}, nil
}

// read takes one sample. The heap is what the node's parent circuit breaker sees, which looks every
// time it is asked; the JVM's statistics of OpenSearch are up to a second old.
func (g gauge) read(ctx context.Context) (sample, error) {
	var answer struct {
		Nodes map[string]struct {
			Breakers struct {
				Parent struct {
					Bytes int64 `json:"estimated_size_in_bytes"`
				}
			}
			JVM struct {
				Pools struct {
					Direct struct {
						Bytes int64 `json:"used_in_bytes"`
					}
				} `json:"buffer_pools"`
			}
		}
	}
	s := sample{at: time.Now()}
	if err := g.node.API.Do(ctx, http.MethodGet, "/_nodes/_local/stats/breaker,jvm", nil, nil, &answer); err != nil {
		return s, fmt.Errorf("read the node's memory: %w", err)
	}
	for _, node := range answer.Nodes {
		s.heap, s.direct = node.Breakers.Parent.Bytes, node.JVM.Pools.Direct.Bytes
	}
	return s, nil
}

// anonymous is the container's memory that is no file: anon of cgroup v2, total_rss of v1. The
// engine looks once a second and lets whoever asks wait for that, so it is no sample.
func (g gauge) anonymous(ctx context.Context) (int64, error) {
	found, err := g.engine.ContainerStats(ctx, g.container, client.ContainerStatsOptions{})
	if err != nil {
		return 0, fmt.Errorf("ask the engine for the container's memory: %w", err)
	}
	defer found.Body.Close()
	var stats container.StatsResponse
	if err := json.NewDecoder(found.Body).Decode(&stats); err != nil {
		return 0, fmt.Errorf("read the container's memory: %w", err)
	}
	anon, ok := stats.MemoryStats.Stats["anon"]
	if !ok {
		anon = stats.MemoryStats.Stats["total_rss"]
	}
	return int64(anon), nil
}

// watch samples until stop is called, which returns the samples; an error ends it early.
func (g gauge) watch(ctx context.Context) (stop func() ([]sample, error)) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan error, 1)
	var samples []sample
	go func() {
		tick := time.NewTicker(sampleEvery)
		defer tick.Stop()
		for {
			s, err := g.read(ctx)
			switch {
			case ctx.Err() != nil:
				ended <- nil
				return
			case err != nil:
				ended <- err
				return
			}
			samples = append(samples, s)
			select {
			case <-ctx.Done():
			case <-tick.C:
			}
		}
	}()
	return func() ([]sample, error) {
		cancel()
		err := <-ended
		return samples, err
	}
}

// during is the memory of one recovery.
func (g gauge) during(ctx context.Context, measure func() (from time.Time, took time.Duration, err error)) (report.Memory, error) {
	stop := g.watch(ctx)
	from, took, err := measure()
	samples, watchErr := stop()
	if err = errors.Join(err, watchErr); err != nil {
		return report.Memory{}, err
	}
	memory := peaks(samples, from, from.Add(took))
	memory.ContainerBytes, err = g.anonymous(ctx)
	return memory, err
}
