package osapi_test

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"streamgate/helpers/osapi"
)

// What is read of _recovery? A primary that came from an empty store, which has no source node,
// and a replica half way through its download; every number is another.
func TestRecoveries(t *testing.T) {
	client, node := saying(t, `{"so":{"shards":[
	  {"id":0,"type":"EMPTY_STORE","stage":"DONE","primary":true,"start_time_in_millis":1,"stop_time_in_millis":2,"total_time_in_millis":3,
	    "source":{},"target":{"id":"Xa1","host":"127.0.0.1","transport_address":"127.0.0.1:9301","ip":"127.0.0.1","name":"node-1"}},
	  {"id":0,"type":"PEER","stage":"INDEX","primary":false,"start_time_in_millis":11,"total_time_in_millis":13,
	    "source":{"id":"Xa1","name":"node-1"},"target":{"id":"Xb2","name":"node-2"},
	    "index":{"size":{"total_in_bytes":201369206,"reused_in_bytes":99,"recovered_in_bytes":100000001,"percent":"49.7%"},
	      "files":{"total":79,"reused":14,"recovered":40,"percent":"50.6%"},
	      "total_time_in_millis":98,"source_throttle_time_in_millis":-1,"target_throttle_time_in_millis":-1},
	    "translog":{"recovered":15,"total":-1,"percent":"-1.0%","total_on_start":-1,"total_time_in_millis":16},
	    "verify_index":{"check_index_time_in_millis":97,"total_time_in_millis":96}}]}}`)
	got, err := client.Recoveries(t.Context(), "so")
	require.NoError(t, err)
	require.Len(t, got, 2)

	primary := osapi.ShardRecovery{Type: "EMPTY_STORE", Stage: "DONE", Primary: true, StartMillis: 1, StopMillis: 2, TotalMillis: 3}
	primary.Target.ID, primary.Target.Name = "Xa1", "node-1"
	assert.Equal(t, primary, got[0])

	replica := osapi.ShardRecovery{Type: "PEER", Stage: "INDEX", StartMillis: 11, TotalMillis: 13}
	replica.Source.ID, replica.Source.Name = "Xa1", "node-1"
	replica.Target.ID, replica.Target.Name = "Xb2", "node-2"
	replica.Index.Size.TotalBytes, replica.Index.Size.RecoveredBytes = 201369206, 100000001
	replica.Index.Files.Total, replica.Index.Files.Reused, replica.Index.Files.Recovered = 79, 14, 40
	replica.Translog.Recovered, replica.Translog.TotalMillis = 15, 16
	assert.Equal(t, replica, got[1])
	assert.Equal(t, request{"GET", "/so/_recovery", url.Values{}, "", ""}, node.only(t))
}

// Has an index without recoveries none, and not an error? OpenSearch answers with no index then.
func TestRecoveriesOfNone(t *testing.T) {
	client, _ := saying(t, `{}`)
	got, err := client.Recoveries(t.Context(), "so")
	require.NoError(t, err)
	assert.Empty(t, got)
}

// What has which copy sent and fetched? A primary has no download, a replica no upload: each is
// an empty object there.
func TestRemoteStats(t *testing.T) {
	client, node := saying(t, `{"_shards":{"total":2,"successful":2,"failed":0},"indices":{"so":{"shards":{"0":[
	  {"routing":{"state":"STARTED","primary":true,"node":"Xa1"},"segment":{"download":{},"upload":{
	    "local_refresh_timestamp_in_millis":99,"remote_refresh_timestamp_in_millis":98,"refresh_time_lag_in_millis":97,"refresh_lag":1,"bytes_lag":2,
	    "backpressure_rejection_count":96,"consecutive_failure_count":95,"total_uploads":{"started":94,"succeeded":93,"failed":92},
	    "total_upload_size":{"started_bytes":3,"succeeded_bytes":4,"failed_bytes":5},
	    "remote_refresh_size_in_bytes":{"last_successful":91,"moving_avg":90.5}}},
	    "translog":{"upload":{"total_upload_size":{"started_bytes":89,"succeeded_bytes":88,"failed_bytes":87}},"download":{}}},
	  {"routing":{"state":"STARTED","primary":false,"node":"Xb2"},"segment":{"download":{
	    "last_sync_timestamp":6,"total_download_size":{"started_bytes":7,"succeeded_bytes":8,"failed_bytes":9},
	    "download_size_in_bytes":{"last_successful":86,"moving_avg":85.5},"download_speed_in_bytes_per_sec":{"moving_avg":84.5}},"upload":{}},
	    "translog":{"upload":{},"download":{}}}]}}}}`)
	got, err := client.RemoteStats(t.Context(), "so")
	require.NoError(t, err)
	require.Len(t, got, 2)

	primary := osapi.RemoteStats{Shard: "0"}
	primary.Routing.Primary, primary.Routing.Node, primary.Routing.State = true, "Xa1", "STARTED"
	up := &primary.Segment.Upload
	up.RefreshLag, up.BytesLag, up.Size.StartedBytes, up.Size.SucceededBytes, up.Size.FailedBytes = 1, 2, 3, 4, 5
	assert.Equal(t, primary, got[0])

	replica := osapi.RemoteStats{Shard: "0"}
	replica.Routing.Node, replica.Routing.State = "Xb2", "STARTED"
	down := &replica.Segment.Download
	down.LastSyncMillis, down.Size.StartedBytes, down.Size.SucceededBytes, down.Size.FailedBytes = 6, 7, 8, 9
	assert.Equal(t, replica, got[1])
	assert.Equal(t, "/_remotestore/stats/so", node.only(t).path)
}

// On which nodes does a copy lie? The answer names a store by its node's id, beside fields whose
// names are known, one of which is an object like a node: why a copy cannot be read.
func TestShardStores(t *testing.T) {
	const store = `"Xa1":{"name":"node-1","ephemeral_id":"e","transport_address":"127.0.0.1:9301","attributes":{"shard_indexing_pressure_enabled":"true"}},
	  "allocation_id":"Kq","allocation":"primary"`
	for name, c := range map[string]struct {
		answer string
		want   []string
	}{
		"primary only": {`{"indices":{"so":{"shards":{"0":{"stores":[{` + store + `}]}}}}}`, []string{"Xa1"}},
		"a copy that nobody uses, and that cannot be read": {`{"indices":{"so":{"shards":{"0":{"stores":[{` + store + `},
		  {"Xb2":{"name":"node-2"},"allocation":"unused","store_exception":{"type":"corrupt_index_exception","reason":"checksum failed"}}]}}}}}`,
			[]string{"Xa1", "Xb2"}},
		"none": {`{"indices":{"so":{"shards":{"0":{"stores":[]}}}}}`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			client, node := saying(t, c.answer)
			nodes, err := client.ShardStores(t.Context(), "so")
			require.NoError(t, err)
			assert.Equal(t, c.want, nodes)
			assert.Equal(t, request{"GET", "/so/_shard_stores", url.Values{"status": {"all"}}, "", ""}, node.only(t))
		})
	}
}

// Is a node that could not look an error, and not a node without a copy? The shard's lock is often
// taken while a copy is deleted.
func TestShardStoresOfANodeThatDidNotLook(t *testing.T) {
	client, _ := saying(t, `{"indices":{"so":{"shards":{"0":{"stores":[{"Xa1":{"name":"node-1"},"allocation":"primary"}]}}}},
	  "failures":[{"index":"so","shard":0,"node":"Xb2","reason":{"type":"shard_lock_obtain_failed_exception","reason":"lock already held for [closing shard]"}}]}`)
	_, err := client.ShardStores(t.Context(), "so")
	assert.EqualError(t, err, "list the shard's stores: node Xb2 did not look: shard_lock_obtain_failed_exception: lock already held for [closing shard]")
}

// Where are a shard's copies? One started, one that no node has yet, whose node is null.
func TestShardCopies(t *testing.T) {
	client, _ := saying(t, `{"cluster_name":"streamgate","routing_table":{"indices":{"so":{"shards":{"0":[
	  {"state":"STARTED","primary":true,"node":"Xa1","relocating_node":null,"shard":0,"index":"so","allocation_id":{"id":"Kq"}},
	  {"state":"UNASSIGNED","primary":false,"node":null,"relocating_node":null,"shard":0,"index":"so",
	    "unassigned_info":{"reason":"REPLICA_ADDED","delayed":false,"allocation_status":"no_attempt"}}]}}}}}`)
	copies, err := client.ShardCopies(t.Context(), "so")
	require.NoError(t, err)
	assert.Equal(t, []osapi.ShardCopy{
		{State: "STARTED", Primary: true, Node: "Xa1", Index: "so"},
		{State: "UNASSIGNED", Index: "so"},
	}, copies)
}

// Does the explanation hold what a reader needs: where the copy is, why, and what forbids it?
func TestAllocationExplain(t *testing.T) {
	client, node := saying(t, `{"index":"so","shard":0,"primary":false,"current_state":"unassigned",
	  "unassigned_info":{"reason":"ALLOCATION_FAILED","details":"failed shard on node [Xb2]"},
	  "can_allocate":"no","allocate_explanation":"cannot allocate because allocation is not permitted to any of the nodes"}`)
	text, err := client.AllocationExplain(t.Context(), "so", false)
	require.NoError(t, err)
	assert.Equal(t, "unassigned ALLOCATION_FAILED failed shard on node [Xb2] cannot allocate because allocation is not permitted to any of the nodes", text)
	assert.JSONEq(t, `{"index":"so","shard":0,"primary":false}`, node.only(t).body)
}
