//go:build record

package recovery

import (
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"streamgate/helpers/osapi"
)

var (
	recordFrom  = flag.String("from", "", "address of a stack that streamgate up has left")
	recordIndex = flag.String("index", "so", "its index")
)

// TestRecord writes testdata/recovery.ndjson: every request of one real recovery with its answer.
//
//	STREAMGATE_CORPUS_SIZE=2MB STREAMGATE_SEGMENTS=2 STREAMGATE_LINK_RATE=2MB/s go run ./helpers/cmd/streamgate up
//	go test -tags record -run TestRecord ./helpers/recovery -from http://127.0.0.1:PORT
//
// It asks _shard_stores, as on a cluster whose disks are out of reach: the scripted tests hand in the
// disks, the log and the store as functions.
func TestRecord(t *testing.T) {
	real, err := url.Parse(*recordFrom)
	require.NoError(t, err)
	var exchanges []exchange
	var mutex sync.Mutex
	proxy := httputil.NewSingleHostReverseProxy(real)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		r.Header.Set("Accept-Encoding", "identity")
		answer := httptest.NewRecorder()
		proxy.ServeHTTP(answer, r)
		mutex.Lock()
		exchanges = append(exchanges, exchange{r.Method, r.URL.Path, r.URL.RawQuery, string(body), answer.Code, json.RawMessage(bytes.Clone(answer.Body.Bytes()))})
		mutex.Unlock()
		w.Header().Set("Content-Type", answer.Header().Get("Content-Type"))
		w.WriteHeader(answer.Code)
		_, _ = w.Write(answer.Body.Bytes())
	}))
	defer server.Close()

	api, err := osapi.New(server.URL)
	require.NoError(t, err)
	nodes, err := api.Nodes(t.Context())
	require.NoError(t, err)
	bench := Bench{API: api, Index: *recordIndex}
	bench.Primary, _ = NodeNamed(nodes, "node-1")
	bench.Target, _ = NodeNamed(nodes, "node-2")
	_, err = Measure(t.Context(), bench, Unlimited("warm-up", 2))
	require.NoError(t, err)
	mutex.Lock()
	exchanges = nil
	mutex.Unlock()
	_, err = Measure(t.Context(), bench, Unlimited("multi", 2))
	require.NoError(t, err)

	var lines bytes.Buffer
	encoder := json.NewEncoder(&lines)
	encoder.SetEscapeHTML(false)
	for _, e := range exchanges {
		require.NoError(t, encoder.Encode(e))
	}
	require.NoError(t, os.WriteFile("testdata/recovery.ndjson", lines.Bytes(), 0o644))
}
