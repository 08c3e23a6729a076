package faults

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"

	"streamgate/fixtures/corpus"
	"streamgate/fixtures/link"
	"streamgate/fixtures/stack"
	"streamgate/fixtures/suite"
	"streamgate/helpers/await"
	"streamgate/helpers/config"
	"streamgate/helpers/recovery"
)

const (
	index       = "so-faults"
	corpusBytes = 10_000_000
	segments    = 12

	// rateBytes is the link's, for all connections together: at 8 streams each gets an
	// eighth, so that a fault finds both arms at work for some 2.5 s.
	rateBytes = 5_000_000

	// limit bounds one recovery. The longest waits for a node's start, or for five attempts
	// that each wait out the S3 client's read timeouts.
	limit = 150 * time.Second

	// readTimeout is the S3 client's, short enough to be waited for. The number of its
	// retries is the default, 3.
	readTimeout = "1s"
)

// own is the suite's corpus; link and streams are the scenarios'.
func own(c *config.Config) {
	c.NoGate()
	c.CorpusBytes, c.Segments = corpusBytes, segments
}

// nodeSettings are the nodes'.
var nodeSettings = map[string]string{
	"s3.client.default.read_timeout": readTimeout, // 50s by default
	// Says why a node keeps the files of a replica that was taken away.
	"logger.org.opensearch.indices.store": "DEBUG",
}

// indexSettings let a scenario have its replica on node-2 alone, and not wait for a minute, the
// default, when that node has left.
func indexSettings() map[string]any {
	return map[string]any{
		"index.routing.allocation.include._name":     "node-1,node-2",
		"index.unassigned.node_left.delayed_timeout": "0s",
	}
}

// stand is what all scenarios share: node-1 holds the primary, node-2 gets the replica, and
// node-3 answers the questions, also while one of the others is away.
type stand struct {
	run    *suite.Run
	stack  *stack.Stack
	corpus *corpus.Corpus
	bench  recovery.Bench
	// objects are the shard's segment files in the store as they were placed: ETag by key.
	objects map[string]string
	streams int
	writer  *writer
	damaged *object
	// spoiled is set when the index has to be made anew before the next scenario.
	spoiled bool
	// began is how long the stack and the first index took.
	began time.Duration
}

// place makes the index anew and notes what lies in the store.
func (s *stand) place(ctx context.Context, place func() corpus.Placed) error {
	if err := s.stack.API.DeleteIndex(ctx, index); err != nil {
		return err
	}
	placed := place()
	s.bench = placed.Bench
	s.bench.API = s.stack.Nodes[2].API
	s.bench.Traffic = nil // MinIO's counters begin anew when it is killed
	s.bench.Limit = limit
	var err error
	s.objects, err = s.segmentObjects(ctx)
	return err
}

// uuid is the index's, which is its name on a node's disk and in the store.
func (s *stand) uuid(ctx context.Context) (string, error) {
	settings, err := s.bench.API.IndexSettings(ctx, index)
	return settings["index.uuid"], err
}

// listObjects lists the shard's segment files in the store.
func (s *stand) listObjects(ctx context.Context) ([]minio.ObjectInfo, error) {
	uuid, err := s.uuid(ctx)
	if err != nil {
		return nil, err
	}
	return s.stack.Store.Objects(ctx, uuid+"/0/segments/data/")
}

// segmentObjects are the shard's segment files in the store: ETag by key.
func (s *stand) segmentObjects(ctx context.Context) (map[string]string, error) {
	listed, err := s.listObjects(ctx)
	if err != nil {
		return nil, err
	}
	objects := map[string]string{}
	for _, object := range listed {
		objects[object.Key] = object.ETag
	}
	return objects, nil
}

// shape gives the link the rate that fits the scenario's streams.
func (s *stand) shape(streams int) error {
	s.streams = streams
	return s.stack.Link.Shape(link.Shape{RateBytes: rateBytes / int64(streams)})
}

// ready makes the index anew if the last scenario has spoiled it.
func (s *stand) ready(ctx context.Context, place func() corpus.Placed) error {
	if !s.spoiled {
		return nil
	}
	if err := s.place(ctx, place); err != nil {
		return err
	}
	s.spoiled = false
	return s.asBefore(ctx)
}

// restore brings everything back and checks that it is as it was before. An index that was
// spoiled is left to ready.
func (s *stand) restore(ctx context.Context, spoiled bool) error {
	if err := s.stack.Link.Clear(); err != nil {
		return err
	}
	if err := s.stack.PowerUp(ctx); err != nil {
		return err
	}
	if spoiled {
		s.spoiled = true
		return nil
	}
	return s.asBefore(ctx)
}

// asBefore checks that nothing of the last scenario is left: no replica, no toxic, the
// primary on its node, each segment file in the store as it was placed.
func (s *stand) asBefore(ctx context.Context) error {
	if err := s.bench.API.SetIndexSettings(ctx, index, indexSettings()); err != nil {
		return err
	}
	if err := s.awaitPrimary(ctx); err != nil {
		return err
	}
	if err := recovery.Clear(ctx, s.bench); err != nil {
		return err
	}
	on, err := s.stack.Link.State()
	if err != nil {
		return err
	}
	if on != "" {
		return fmt.Errorf("%s is left on the link", on)
	}
	objects, err := s.segmentObjects(ctx)
	if err != nil {
		return err
	}
	for _, key := range slices.Sorted(maps.Keys(s.objects)) {
		if objects[key] != s.objects[key] {
			return fmt.Errorf("object %s is not as it was placed", key[strings.LastIndex(key, "/")+1:])
		}
	}
	return nil
}

func (s *stand) awaitPrimary(ctx context.Context) error {
	return await.Until(ctx, "the primary is on its node", limit, 200*time.Millisecond, func(ctx context.Context) (bool, string, error) {
		copies, err := s.bench.API.ShardCopies(ctx, index)
		for _, c := range copies {
			if c.Primary {
				return c.State == "STARTED" && c.Node == s.bench.Primary.ID, c.State, err
			}
		}
		return false, "no primary", err
	})
}
