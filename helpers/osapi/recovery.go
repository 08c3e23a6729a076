package osapi

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
)

// ShardCopy is one copy of a shard in the cluster state's routing table.
type ShardCopy struct {
	State   string // UNASSIGNED, INITIALIZING, STARTED or RELOCATING
	Primary bool
	Node    string // id, empty when unassigned
	Index   string
	Shard   int
}

// ShardCopies lists the copies of an index's shards as the cluster manager has them.
func (c *Client) ShardCopies(ctx context.Context, index string) ([]ShardCopy, error) {
	var answer struct {
		RoutingTable struct {
			Indices map[string]struct {
				Shards map[string][]ShardCopy
			}
		} `json:"routing_table"`
	}
	if err := c.Do(ctx, http.MethodGet, "/_cluster/state/routing_table/"+index, nil, nil, &answer); err != nil {
		return nil, err
	}
	var copies []ShardCopy
	for _, shards := range answer.RoutingTable.Indices[index].Shards {
		copies = append(copies, shards...)
	}
	return copies, nil
}

// ShardRecovery is one entry of the _recovery API. Its final bytes and files are those
// of the peer phase only: they are reset when the source sends its file list (OpenSearch
// #10651). Live values count the remote download while Stage is INDEX.
type ShardRecovery struct {
	Shard       int    `json:"id"`
	Type        string `json:"type"`
	Stage       string `json:"stage"`
	Primary     bool   `json:"primary"`
	StartMillis int64  `json:"start_time_in_millis"`
	StopMillis  int64  `json:"stop_time_in_millis"`
	TotalMillis int64  `json:"total_time_in_millis"`
	Source      struct{ ID, Name string }
	Target      struct{ ID, Name string }
	Index       struct {
		Size struct {
			TotalBytes     int64 `json:"total_in_bytes"`
			RecoveredBytes int64 `json:"recovered_in_bytes"`
		}
		Files struct{ Total, Recovered, Reused int64 }
	}
	Translog struct {
		TotalMillis int64 `json:"total_time_in_millis"`
		Recovered   int64
	}
}

// Recoveries lists the recoveries of an index's current copies.
func (c *Client) Recoveries(ctx context.Context, index string) ([]ShardRecovery, error) {
	var answer map[string]struct{ Shards []ShardRecovery }
	if err := c.Do(ctx, http.MethodGet, "/"+index+"/_recovery", nil, nil, &answer); err != nil {
		return nil, err
	}
	return answer[index].Shards, nil
}

// RemoteDownload is what a copy has downloaded from the remote store since it was created.
type RemoteDownload struct {
	LastSyncMillis int64 `json:"last_sync_timestamp"`
	Size           struct {
		StartedBytes   int64 `json:"started_bytes"`
		SucceededBytes int64 `json:"succeeded_bytes"`
		FailedBytes    int64 `json:"failed_bytes"`
	} `json:"total_download_size"`
}

// RemoteUpload is how far a primary's uploads are behind.
type RemoteUpload struct {
	RefreshLag int64 `json:"refresh_lag"`
	BytesLag   int64 `json:"bytes_lag"`
	Size       struct {
		StartedBytes   int64 `json:"started_bytes"`
		SucceededBytes int64 `json:"succeeded_bytes"`
		FailedBytes    int64 `json:"failed_bytes"`
	} `json:"total_upload_size"`
}

// RemoteStats is one shard copy in _remotestore/stats.
type RemoteStats struct {
	Routing struct {
		Primary bool
		Node    string // id
		State   string
	}
	Segment struct {
		Download RemoteDownload
		Upload   RemoteUpload
	}
	Shard string `json:"-"`
}

// RemoteStats asks _remotestore/stats for every copy of an index's shards; opensearch-go
// v2.3.0 has no call for it.
func (c *Client) RemoteStats(ctx context.Context, index string) ([]RemoteStats, error) {
	var answer struct {
		Indices map[string]struct {
			Shards map[string][]RemoteStats
		}
	}
	if err := c.Do(ctx, http.MethodGet, "/_remotestore/stats/"+index, nil, nil, &answer); err != nil {
		return nil, err
	}
	var stats []RemoteStats
	for shard, copies := range answer.Indices[index].Shards {
		for _, s := range copies {
			s.Shard = shard
			stats = append(stats, s)
		}
	}
	return stats, nil
}

// AllocationExplain says why a copy of shard 0 is where it is, as the API puts it.
func (c *Client) AllocationExplain(ctx context.Context, index string, primary bool) (string, error) {
	var answer struct {
		CurrentState       string                           `json:"current_state"`
		AllocateExplain    string                           `json:"allocate_explanation"`
		UnassignedInfo     struct{ Reason, Details string } `json:"unassigned_info"`
		CanAllocateToNodes string                           `json:"can_allocate"`
	}
	body := map[string]any{"index": index, "shard": 0, "primary": primary}
	if err := c.Do(ctx, http.MethodGet, "/_cluster/allocation/explain", url.Values{}, body, &answer); err != nil {
		return "", err
	}
	return answer.CurrentState + " " + answer.UnassignedInfo.Reason + " " + answer.UnassignedInfo.Details + " " + answer.AllocateExplain, nil
}

// ShardStores lists the ids of the nodes that hold a copy of shard 0 on disk, whether the
// cluster uses it or not.
func (c *Client) ShardStores(ctx context.Context, index string) ([]string, error) {
	var answer struct {
		Indices map[string]struct {
			Shards map[string]struct {
				Stores []map[string]any
			}
		}
		Failures []struct {
			Node   string
			Reason struct{ Type, Reason string }
		}
	}
	query := url.Values{"status": {"all"}}
	if err := c.Do(ctx, http.MethodGet, "/"+index+"/_shard_stores", query, nil, &answer); err != nil {
		return nil, err
	}
	if len(answer.Failures) > 0 { // a node that could not look may hold a copy all the same
		f := answer.Failures[0]
		return nil, fmt.Errorf("list the shard's stores: node %s did not look: %s: %s", f.Node, f.Reason.Type, f.Reason.Reason)
	}
	var nodes []string
	for _, store := range answer.Indices[index].Shards["0"].Stores {
		for key, value := range store {
			if _, isNode := value.(map[string]any); isNode && key != "store_exception" {
				nodes = append(nodes, key)
			}
		}
	}
	return nodes, nil
}
