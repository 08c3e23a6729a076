package osapi

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
)

// Health is what _cluster/health says.
type Health struct {
	Status    string `json:"status"`
	Nodes     int    `json:"number_of_nodes"`
	DataNodes int    `json:"number_of_data_nodes"`
}

// Health asks for the cluster's health without waiting for any.
func (c *Client) Health(ctx context.Context) (Health, error) {
	var health Health
	return health, c.Do(ctx, http.MethodGet, "/_cluster/health", nil, nil, &health)
}

// Info is what a node says of itself and its cluster.
type Info struct {
	Cluster     string `json:"cluster_name"`
	ClusterUUID string `json:"cluster_uuid"`
	Version     struct {
		Number       string `json:"number"` // "3.8.0"
		Distribution string `json:"distribution"`
	} `json:"version"`
}

// Info asks for it.
func (c *Client) Info(ctx context.Context) (Info, error) {
	var info Info
	return info, c.Do(ctx, http.MethodGet, "/", nil, nil, &info)
}

// Version asks the node for its version number, such as "3.8.0".
func (c *Client) Version(ctx context.Context) (string, error) {
	info, err := c.Info(ctx)
	return info.Version.Number, err
}

// SetClusterSettings changes dynamic settings of the cluster, by flat name. A nil value
// sets one back to what the configuration file or the default says.
func (c *Client) SetClusterSettings(ctx context.Context, settings map[string]any) error {
	return c.Do(ctx, http.MethodPut, "/_cluster/settings", nil, map[string]any{"persistent": settings}, nil)
}

// ClusterSettings reads back the settings in force, by flat name: what was set, else
// what the configuration file or the default says. A name that the version does not know
// is not in the answer.
func (c *Client) ClusterSettings(ctx context.Context, names ...string) (map[string]string, error) {
	var layers struct {
		Transient, Persistent, Defaults map[string]any
	}
	query := url.Values{"include_defaults": {"true"}, "flat_settings": {"true"}}
	if err := c.Do(ctx, http.MethodGet, "/_cluster/settings", query, nil, &layers); err != nil {
		return nil, err
	}
	found := map[string]string{}
	for _, name := range names {
		for _, layer := range []map[string]any{layers.Transient, layers.Persistent, layers.Defaults} {
			if value, ok := layer[name]; ok {
				found[name] = fmt.Sprint(value)
				break
			}
		}
	}
	return found, nil
}

// Node is one node as _nodes sees it.
type Node struct {
	ID         string            `json:"-"`
	Name       string            `json:"name"`
	Version    string            `json:"version"`
	Roles      []string          `json:"roles"`
	Attributes map[string]string `json:"attributes"`
	ThreadPool struct {
		RemoteRecovery struct {
			Max int `json:"max"`
		} `json:"remote_recovery"`
	} `json:"thread_pool"`
}

// Data says whether the node holds indices of its own.
func (n Node) Data() bool { return slices.Contains(n.Roles, "data") }

// Nodes lists the cluster's nodes by id.
func (c *Client) Nodes(ctx context.Context) (map[string]Node, error) {
	var answer struct{ Nodes map[string]Node }
	if err := c.Do(ctx, http.MethodGet, "/_nodes", nil, nil, &answer); err != nil {
		return nil, err
	}
	for id, node := range answer.Nodes {
		node.ID = id
		answer.Nodes[id] = node
	}
	return answer.Nodes, nil
}

// RemoteRecoveryPool is the thread pool that downloads segments from the remote store.
// Completed grows by one per file; Largest is the most threads it ever had since the
// node started.
type RemoteRecoveryPool struct {
	Threads   int   `json:"threads"`
	Active    int   `json:"active"`
	Largest   int   `json:"largest"`
	Completed int64 `json:"completed"`
}

// NodeStats is the part of one node's statistics that tells of downloads.
type NodeStats struct {
	Pool           RemoteRecoveryPool
	DownloadMillis int64 // sum over files: divided by wall time it is the concurrency reached
}

// NodeStats asks one node, by name or id.
func (c *Client) NodeStats(ctx context.Context, node string) (NodeStats, error) {
	var answer struct {
		Nodes map[string]struct {
			Indices struct {
				Segments struct {
					RemoteStore struct {
						Download struct {
							TotalTimeMillis int64 `json:"total_time_spent_in_millis"`
						}
					} `json:"remote_store"`
				}
			}
			ThreadPool struct {
				RemoteRecovery RemoteRecoveryPool `json:"remote_recovery"`
			} `json:"thread_pool"`
		}
	}
	path := "/_nodes/" + url.PathEscape(node) + "/stats/indices,thread_pool"
	if err := c.Do(ctx, http.MethodGet, path, nil, nil, &answer); err != nil {
		return NodeStats{}, err
	}
	for _, n := range answer.Nodes {
		return NodeStats{
			Pool:           n.ThreadPool.RemoteRecovery,
			DownloadMillis: n.Indices.Segments.RemoteStore.Download.TotalTimeMillis,
		}, nil
	}
	return NodeStats{}, fmt.Errorf("GET %s: no node of that name", path)
}
