package osapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// CreateIndex creates an index; body holds its settings and mappings.
func (c *Client) CreateIndex(ctx context.Context, index string, body any) error {
	return c.Do(ctx, http.MethodPut, "/"+index, nil, body, nil)
}

// DeleteIndex deletes an index; one that does not exist is not an error.
func (c *Client) DeleteIndex(ctx context.Context, index string) error {
	err := c.Do(ctx, http.MethodDelete, "/"+index, nil, nil, nil)
	if status := (*StatusError)(nil); errors.As(err, &status) && status.Status == http.StatusNotFound {
		return nil
	}
	return err
}

// SetIndexSettings changes dynamic settings of an index, by flat name.
func (c *Client) SetIndexSettings(ctx context.Context, index string, settings map[string]any) error {
	return c.Do(ctx, http.MethodPut, "/"+index+"/_settings", nil, settings, nil)
}

// IndexSettings reads the settings of an index that were set, by flat name.
func (c *Client) IndexSettings(ctx context.Context, index string) (map[string]string, error) {
	var answer map[string]struct{ Settings map[string]string }
	query := url.Values{"flat_settings": {"true"}}
	if err := c.Do(ctx, http.MethodGet, "/"+index+"/_settings", query, nil, &answer); err != nil {
		return nil, err
	}
	return answer[index].Settings, nil
}

// Metas reads what the mappings of all indices of a pattern carry as _meta, by index; nil
// where a mapping carries none. No index is no error.
func (c *Client) Metas(ctx context.Context, pattern string) (map[string]json.RawMessage, error) {
	var answer map[string]struct {
		Mappings struct {
			Meta json.RawMessage `json:"_meta"`
		}
	}
	query := url.Values{"ignore_unavailable": {"true"}}
	if err := c.Do(ctx, http.MethodGet, "/"+pattern+"/_mapping", query, nil, &answer); err != nil {
		return nil, err
	}
	metas := map[string]json.RawMessage{}
	for index, of := range answer {
		metas[index] = of.Mappings.Meta
	}
	return metas, nil
}

// SetMeta replaces what the index's mapping carries as _meta.
func (c *Client) SetMeta(ctx context.Context, index string, meta any) error {
	return c.Do(ctx, http.MethodPut, "/"+index+"/_mapping", nil, map[string]any{"_meta": meta}, nil)
}

// Refresh makes a segment of what was indexed since the last one.
func (c *Client) Refresh(ctx context.Context, index string) error {
	return c.shards(ctx, "/"+index+"/_refresh", nil)
}

// Flush commits: all segments are in the remote store when it returns.
func (c *Client) Flush(ctx context.Context, index string) error {
	return c.shards(ctx, "/"+index+"/_flush", url.Values{"wait_if_ongoing": {"true"}, "force": {"true"}})
}

// shards posts an operation on every shard and fails when a shard did.
func (c *Client) shards(ctx context.Context, path string, query url.Values) error {
	var answer struct {
		Shards struct {
			Failed   int
			Failures []struct{ Reason struct{ Type, Reason string } }
		} `json:"_shards"`
	}
	if err := c.Do(ctx, http.MethodPost, path, query, nil, &answer); err != nil {
		return err
	}
	if answer.Shards.Failed == 0 {
		return nil
	}
	var reasons []string
	for _, failure := range answer.Shards.Failures {
		reasons = append(reasons, failure.Reason.Type+": "+failure.Reason.Reason)
	}
	return &StatusError{http.MethodPost, path, http.StatusOK, "on some shards: " + strings.Join(reasons, "; ")}
}

// Count counts the documents of an index on one node's copies alone.
func (c *Client) Count(ctx context.Context, index, nodeID string) (int64, error) {
	var answer struct{ Count int64 }
	query := url.Values{"preference": {"_only_nodes:" + nodeID}}
	return answer.Count, c.Do(ctx, http.MethodGet, "/"+index+"/_count", query, nil, &answer)
}

// Segment is one Lucene segment of one shard copy.
type Segment struct {
	Name       string `json:"name"`
	SizeBytes  int64  `json:"size_in_bytes"`
	Documents  int64  `json:"num_docs"`
	Generation int64  `json:"generation"`
	Compound   bool   `json:"compound"`
}

// CopySegments is the segments of one copy of shard 0.
type CopySegments struct {
	NodeID   string
	Primary  bool
	Segments map[string]Segment // by name
}

// Segments lists the segments of every copy of shard 0.
func (c *Client) Segments(ctx context.Context, index string) ([]CopySegments, error) {
	var answer struct {
		Indices map[string]struct {
			Shards map[string][]struct {
				Routing struct {
					Primary bool
					Node    string
				}
				Segments map[string]Segment
			}
		}
	}
	if err := c.Do(ctx, http.MethodGet, "/"+index+"/_segments", nil, nil, &answer); err != nil {
		return nil, err
	}
	var copies []CopySegments
	for _, shard := range answer.Indices[index].Shards["0"] {
		for name, segment := range shard.Segments {
			segment.Name = name
			shard.Segments[name] = segment
		}
		copies = append(copies, CopySegments{shard.Routing.Node, shard.Routing.Primary, shard.Segments})
	}
	return copies, nil
}

// Merges is how many merges run on the primaries of an index now. Those of other indices on the
// same nodes do not count.
func (c *Client) Merges(ctx context.Context, index string) (int64, error) {
	var answer struct {
		Indices map[string]struct {
			Primaries *struct{ Merges struct{ Current int64 } }
		}
	}
	path := "/" + index + "/_stats/merge"
	if err := c.Do(ctx, http.MethodGet, path, nil, nil, &answer); err != nil {
		return 0, err
	}
	primaries := answer.Indices[index].Primaries
	if primaries == nil {
		return 0, fmt.Errorf("GET %s: no statistics of %s", path, index)
	}
	return primaries.Merges.Current, nil
}

// SequenceNumbers is how far the primary of shard 0 has come. A commit is safe once the
// global checkpoint has reached the highest operation in it.
type SequenceNumbers struct {
	Max              int64 `json:"max_seq_no"`
	LocalCheckpoint  int64 `json:"local_checkpoint"`
	GlobalCheckpoint int64 `json:"global_checkpoint"`
}

// SequenceNumbers reads those of the primary of shard 0.
func (c *Client) SequenceNumbers(ctx context.Context, index string) (SequenceNumbers, error) {
	var answer struct {
		Indices map[string]struct {
			Shards map[string][]struct {
				Routing         struct{ Primary bool }
				SequenceNumbers SequenceNumbers `json:"seq_no"`
			}
		}
	}
	path := "/" + index + "/_stats"
	if err := c.Do(ctx, http.MethodGet, path, url.Values{"level": {"shards"}}, nil, &answer); err != nil {
		return SequenceNumbers{}, err
	}
	for _, copied := range answer.Indices[index].Shards["0"] {
		if copied.Routing.Primary {
			return copied.SequenceNumbers, nil
		}
	}
	return SequenceNumbers{}, fmt.Errorf("GET %s: no primary of shard 0", path)
}
