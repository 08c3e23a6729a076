package faults

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"

	"streamgate/helpers/osapi"
)

// pageSize is how many documents one page of a scroll carries: some 5 MB.
const pageSize = 5000

// content is what one copy of the shard holds: the hash of each document's _source, by _id.
type content map[string][sha256.Size]byte

// checksum is that of all documents, sorted by _id.
func (c content) checksum() string {
	all := sha256.New()
	for _, id := range slices.Sorted(maps.Keys(c)) {
		source := c[id]
		_, _ = fmt.Fprintf(all, "%d:%s", len(id), id) // a hash never returns an error
		all.Write(source[:])
	}
	return hex.EncodeToString(all.Sum(nil))
}

// page is one answer of a scroll.
type page struct {
	ScrollID string                                  `json:"_scroll_id"`
	TimedOut bool                                    `json:"timed_out"`
	Shards   struct{ Total, Successful, Failed int } `json:"_shards"`
	Hits     struct {
		Total struct{ Value int64 }
		Hits  []struct {
			ID     string          `json:"_id"`
			Source json.RawMessage `json:"_source"`
		}
	}
}

// readCopy reads every document from the copy on one node and no other.
func readCopy(ctx context.Context, api *osapi.Client, index, nodeID string) (content, error) {
	var p page
	query := url.Values{"scroll": {"1m"}, "preference": {"_only_nodes:" + nodeID}}
	body := map[string]any{"size": pageSize, "sort": []string{"_doc"}, "track_total_hits": true}
	if err := api.Do(ctx, http.MethodPost, "/"+index+"/_search", query, body, &p); err != nil {
		return nil, fmt.Errorf("read the copy: %w", err)
	}
	defer func() {
		_ = api.Do(context.WithoutCancel(ctx), http.MethodDelete, "/_search/scroll", nil, map[string]any{"scroll_id": p.ScrollID}, nil)
	}()
	want, documents := p.Hits.Total.Value, content{}
	for len(p.Hits.Hits) > 0 {
		if p.TimedOut || p.Shards.Failed > 0 || p.Shards.Successful != 1 {
			return nil, fmt.Errorf("read the copy: %d of %d shards answered, timed out: %t", p.Shards.Successful, p.Shards.Total, p.TimedOut)
		}
		for _, hit := range p.Hits.Hits {
			documents[hit.ID] = sha256.Sum256(hit.Source)
		}
		next := map[string]any{"scroll": "1m", "scroll_id": p.ScrollID}
		p.Hits.Hits = nil // else Unmarshal would fill the old page's hits
		if err := api.Do(ctx, http.MethodPost, "/_search/scroll", nil, next, &p); err != nil {
			return nil, fmt.Errorf("read the copy on: %w", err)
		}
	}
	if int64(len(documents)) != want {
		return nil, fmt.Errorf("read the copy: %d documents came, it counts %d", len(documents), want)
	}
	return documents, nil
}
