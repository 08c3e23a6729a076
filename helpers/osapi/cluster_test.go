package osapi_test

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"streamgate/helpers/osapi"
)

// Which value of a setting is in force? The answer has one name in each layer, and one in
// several, whose nearest layer must win; a name that the version does not know has none.
func TestClusterSettingsReadsTheNearestLayer(t *testing.T) {
	client, node := saying(t, `{
	  "persistent": {"indices.recovery.max_bytes_per_sec": "0b", "b": "persistent", "a": "persistent"},
	  "transient": {"a": "transient"},
	  "defaults": {"a": "default", "b": "default", "c": "default", "cluster.routing.allocation.awareness.attributes": ["zone", "rack"]}}`)
	got, err := client.ClusterSettings(t.Context(), "a", "b", "c", "indices.recovery.max_bytes_per_sec",
		"cluster.routing.allocation.awareness.attributes", "indices.recovery.max_concurrent_remote_store_streams")
	require.NoError(t, err)
	assert.Equal(t, map[string]string{
		"a": "transient", "b": "persistent", "c": "default", "indices.recovery.max_bytes_per_sec": "0b",
		"cluster.routing.allocation.awareness.attributes": "[zone rack]",
	}, got)
	assert.Equal(t, request{"GET", "/_cluster/settings", url.Values{"include_defaults": {"true"}, "flat_settings": {"true"}}, "", ""}, node.only(t))
}

// Where do settings go, and does nil arrive as null, which sets one back?
func TestSetClusterSettingsIsPersistent(t *testing.T) {
	client, node := saying(t, `{"acknowledged":true}`)
	require.NoError(t, client.SetClusterSettings(t.Context(), map[string]any{"a": "1", "b": nil}))
	asked := node.only(t)
	assert.Equal(t, "PUT /_cluster/settings", asked.method+" "+asked.path)
	assert.JSONEq(t, `{"persistent":{"a":"1","b":null}}`, asked.body)
}

// What is read of the answers on the cluster and its nodes? Each is cut from one of 3.8.0.
func TestClusterAnswers(t *testing.T) {
	client, _ := saying(t, `{"cluster_name":"streamgate","status":"yellow","timed_out":false,"number_of_nodes":3,"number_of_data_nodes":2}`)
	health, err := client.Health(t.Context())
	require.NoError(t, err)
	assert.Equal(t, osapi.Health{Status: "yellow", Nodes: 3, DataNodes: 2}, health)

	client, _ = saying(t, `{"name":"node-1","version":{"distribution":"opensearch","number":"3.8.0"},"tagline":"The OpenSearch Project"}`)
	version, err := client.Version(t.Context())
	require.NoError(t, err)
	assert.Equal(t, "3.8.0", version)

	client, _ = saying(t, `{"_nodes":{"total":1},"nodes":{"Xa1":{"name":"node-1","version":"3.8.0","roles":["cluster_manager","data"],
	  "attributes":{"remote_store.segment.repository":"store"}}}}`)
	nodes, err := client.Nodes(t.Context())
	require.NoError(t, err)
	assert.Equal(t, map[string]osapi.Node{"Xa1": {
		ID: "Xa1", Name: "node-1", Version: "3.8.0", Roles: []string{"cluster_manager", "data"},
		Attributes: map[string]string{"remote_store.segment.repository": "store"},
	}}, nodes)
}

// Is each counter of a node's statistics read from its own place? Every number is another.
func TestNodeStats(t *testing.T) {
	client, node := saying(t, `{"nodes":{"Xa1":{"name":"node-2",
	  "indices":{"merges":{"current":1,"total":99},"segments":{"count":51,"remote_store":{
	    "upload":{"total_upload_size":{"started_bytes":98,"succeeded_bytes":97,"failed_bytes":96},"total_time_spent_in_millis":95},
	    "download":{"total_download_size":{"started_bytes":94,"succeeded_bytes":2,"failed_bytes":93},"total_time_spent_in_millis":3}}}},
	  "process":{"cpu":{"percent":4,"total_in_millis":5}},
	  "thread_pool":{"remote_recovery":{"threads":6,"queue":92,"active":7,"rejected":91,"largest":8,"completed":9,"total_wait_time_in_nanos":90},
	    "write":{"threads":1,"largest":1,"completed":89}}}}}`)
	stats, err := client.NodeStats(t.Context(), "node-2")
	require.NoError(t, err)
	assert.Equal(t, osapi.NodeStats{
		DownloadMillis: 3,
		Pool:           osapi.RemoteRecoveryPool{Threads: 6, Active: 7, Largest: 8, Completed: 9},
	}, stats)
	assert.Equal(t, "/_nodes/node-2/stats/indices,thread_pool", node.only(t).path)
}

// Is a node that is not there an error, and not a node at rest? OpenSearch answers with none.
func TestNodeStatsOfNoNode(t *testing.T) {
	client, _ := saying(t, `{"_nodes":{"total":0,"successful":0,"failed":0},"cluster_name":"streamgate","nodes":{}}`)
	_, err := client.NodeStats(t.Context(), "node-9")
	require.EqualError(t, err, "GET /_nodes/node-9/stats/indices,thread_pool: no node of that name")
}
