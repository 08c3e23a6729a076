package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Does restore list what runs have left without changing anything, and does it refuse a run that
// has left nothing, and a call without a cluster? The answer is as OpenSearch 3.8.0 gave it. How a
// run is put right is fixtures/target's question.
func TestRestoreLists(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	answer := `{"streamgate-so":{"mappings":{"dynamic":"strict","_meta":{"streamgate":{"run":"2a41281a","begun":"2026-11-30T23:18:19Z",` +
		`"settings_before":{"transient":{},"persistent":{"indices.recovery.max_bytes_per_sec":"30mb"}}}}}},"streamgate-theirs":{"mappings":{}}}`
	cluster := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		assert.Equal(t, "GET /streamgate-*/_mapping", r.Method+" "+r.URL.Path)
		_, _ = io.WriteString(w, answer)
	}))
	defer cluster.Close()
	target := []string{"STREAMGATE_TARGET=" + cluster.URL}

	var out bytes.Buffer
	require.NoError(t, restore(t.Context(), &out, target, nil))
	assert.Equal(t, "run 2a41281a, begun 2026-11-30T23:18:19Z: index streamgate-so, settings from before are noted\n", out.String())
	require.EqualError(t, restore(t.Context(), &out, target, []string{"ffffffff"}), "no index of prefix streamgate- is marked as run ffffffff's")

	answer = `{}`
	out.Reset()
	require.NoError(t, restore(t.Context(), &out, target, nil))
	assert.Equal(t, "nothing is left on this cluster\n", out.String())
	require.EqualError(t, restore(t.Context(), &out, nil, nil), "STREAMGATE_TARGET: want the address of the cluster to put right")
}
