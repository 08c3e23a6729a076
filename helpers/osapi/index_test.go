package osapi_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"streamgate/helpers/osapi"
)

// Does a refresh or a commit that a shard refused pass for done? OpenSearch answers 200 then.
func TestShardFailuresAreErrors(t *testing.T) {
	const answer = `{"_shards":{"total":2,"successful":1,"failed":1,"failures":[{"shard":0,"index":"so","status":"INTERNAL_SERVER_ERROR",
	  "reason":{"type":"i_o_exception","reason":"No space left on device"}}]}}`
	client, _ := saying(t, answer)
	const reason = ": HTTP 200: on some shards: i_o_exception: No space left on device"
	assert.EqualError(t, client.Refresh(t.Context(), "so"), "POST /so/_refresh"+reason)
	assert.EqualError(t, client.Flush(t.Context(), "so"), "POST /so/_flush"+reason)

	client, node := saying(t, `{"_shards":{"total":2,"successful":2,"failed":0}}`)
	require.NoError(t, client.Flush(t.Context(), "so"))
	assert.Equal(t, url.Values{"wait_if_ongoing": {"true"}, "force": {"true"}}, node.only(t).query)
}

// Is an index that is gone already deleted, and is any other refusal an error?
func TestDeleteIndex(t *testing.T) {
	for status, fails := range map[int]bool{200: false, 404: false, 400: true, 503: true} {
		client, err := osapi.New(answering(t, answer{status, "{}"}).URL)
		require.NoError(t, err)
		assert.Equal(t, fails, client.DeleteIndex(t.Context(), "so") != nil, status)
	}
}

// Which calls do the ones without an answer make?
func TestIndexRequests(t *testing.T) {
	client, node := saying(t, `{"acknowledged":true}`)
	require.NoError(t, client.CreateIndex(t.Context(), "so", map[string]any{"settings": map[string]any{"index.number_of_shards": 1}}))
	require.NoError(t, client.SetIndexSettings(t.Context(), "so", map[string]any{"index.number_of_replicas": 0}))
	require.NoError(t, client.DeleteIndex(t.Context(), "so"))
	assert.Equal(t, []request{
		{"PUT", "/so", url.Values{}, "application/json", `{"settings":{"index.number_of_shards":1}}`},
		{"PUT", "/so/_settings", url.Values{}, "application/json", `{"index.number_of_replicas":0}`},
		{http.MethodDelete, "/so", url.Values{}, "", ""},
	}, node.asked())
}

// Are an index's settings read by flat name, and its documents on the asked node only?
func TestIndexSettingsAndCount(t *testing.T) {
	client, _ := saying(t, `{"so":{"settings":{"index.uuid":"Vn3","index.number_of_replicas":"1","index.replication.type":"SEGMENT"}}}`)
	settings, err := client.IndexSettings(t.Context(), "so")
	require.NoError(t, err)
	assert.Equal(t, map[string]string{"index.uuid": "Vn3", "index.number_of_replicas": "1", "index.replication.type": "SEGMENT"}, settings)

	client, node := saying(t, `{"count":212345,"_shards":{"total":1,"successful":1,"skipped":0,"failed":0}}`)
	count, err := client.Count(t.Context(), "so", "Xa1")
	require.NoError(t, err)
	assert.Equal(t, int64(212345), count)
	assert.Equal(t, url.Values{"preference": {"_only_nodes:Xa1"}}, node.only(t).query)
}

// Which segments has which copy? The answer has a primary with two and a replica with one.
func TestSegments(t *testing.T) {
	client, _ := saying(t, `{"_shards":{"total":2},"indices":{"so":{"shards":{"0":[
	  {"routing":{"state":"STARTED","primary":true,"node":"Xa1"},"num_committed_segments":2,"num_search_segments":2,"segments":{
	    "_0":{"generation":0,"num_docs":4210,"deleted_docs":0,"size_in_bytes":4012345,"memory_in_bytes":0,"committed":true,"search":true,"version":"10.3.2","compound":false},
	    "_a":{"generation":10,"num_docs":7,"deleted_docs":0,"size_in_bytes":5678,"memory_in_bytes":0,"committed":true,"search":true,"version":"10.3.2","compound":true}}},
	  {"routing":{"state":"STARTED","primary":false,"node":"Xb2"},"segments":{
	    "_0":{"generation":0,"num_docs":4210,"deleted_docs":0,"size_in_bytes":4012345,"compound":false}}}]}}}}`)
	copies, err := client.Segments(t.Context(), "so")
	require.NoError(t, err)
	first := osapi.Segment{Name: "_0", Generation: 0, Documents: 4210, SizeBytes: 4012345}
	assert.Equal(t, []osapi.CopySegments{
		{NodeID: "Xa1", Primary: true, Segments: map[string]osapi.Segment{
			"_0": first, "_a": {Name: "_a", Generation: 10, Documents: 7, SizeBytes: 5678, Compound: true},
		}},
		{NodeID: "Xb2", Segments: map[string]osapi.Segment{"_0": first}},
	}, copies)
}

// Are the sequence numbers the primary's? The replica stands first, and behind it.
func TestSequenceNumbers(t *testing.T) {
	client, node := saying(t, `{"indices":{"so":{"shards":{"0":[
	  {"routing":{"primary":false},"seq_no":{"max_seq_no":90,"local_checkpoint":80,"global_checkpoint":70}},
	  {"routing":{"primary":true},"seq_no":{"max_seq_no":99,"local_checkpoint":98,"global_checkpoint":97}}]}}}}`)
	numbers, err := client.SequenceNumbers(t.Context(), "so")
	require.NoError(t, err)
	assert.Equal(t, osapi.SequenceNumbers{Max: 99, LocalCheckpoint: 98, GlobalCheckpoint: 97}, numbers)
	assert.Equal(t, url.Values{"level": {"shards"}}, node.only(t).query)

	client, _ = saying(t, `{"indices":{"so":{"shards":{"0":[{"routing":{"primary":false},"seq_no":{"max_seq_no":90}}]}}}}`)
	_, err = client.SequenceNumbers(t.Context(), "so")
	require.EqualError(t, err, "GET /so/_stats: no primary of shard 0")
}

// Are the merges of the index itself read, on its primaries? Those of all indices and of replicas stand
// in the same answer.
func TestMerges(t *testing.T) {
	client, node := saying(t, `{"_all":{"primaries":{"merges":{"current":9}},"total":{"merges":{"current":8}}},
	  "indices":{"so":{"uuid":"u","primaries":{"merges":{"current":3,"total":7}},"total":{"merges":{"current":5}}}}}`)
	merges, err := client.Merges(t.Context(), "so")
	require.NoError(t, err)
	assert.Equal(t, int64(3), merges)
	assert.Equal(t, "/so/_stats/merge", node.only(t).path)

	client, _ = saying(t, `{"_all":{"primaries":{},"total":{}},"indices":{}}`)
	_, err = client.Merges(t.Context(), "so")
	assert.EqualError(t, err, "GET /so/_stats/merge: no statistics of so")
}
