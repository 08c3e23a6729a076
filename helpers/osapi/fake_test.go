package osapi_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"streamgate/helpers/osapi"
)

// request is what a node was asked.
type request struct {
	method, path string
	query        url.Values
	contentType  string
	body         string
}

// node stands in for an OpenSearch node: it keeps what it is asked and gives its answers in
// turn, then the last one for ever.
type node struct {
	*httptest.Server
	mu       sync.Mutex
	requests []request
}

// answer is one of them; a status of 0 drops the connection instead.
type answer struct {
	status int
	body   string
}

func answering(t *testing.T, answers ...answer) *node {
	t.Helper()
	n := &node{}
	n.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		assert.NoError(t, err)
		n.mu.Lock()
		a := answers[min(len(n.requests), len(answers)-1)]
		n.requests = append(n.requests, request{r.Method, r.URL.Path, r.URL.Query(), r.Header.Get("Content-Type"), string(body)})
		n.mu.Unlock()
		if a.status == 0 {
			panic(http.ErrAbortHandler)
		}
		w.Header().Set("Content-Type", "application/json; charset=UTF-8")
		w.WriteHeader(a.status)
		_, err = io.WriteString(w, a.body)
		assert.NoError(t, err)
	}))
	t.Cleanup(n.Close)
	return n
}

// asked is what the node was asked so far.
func (n *node) asked() []request {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.requests
}

// only is the one request that there must have been.
func (n *node) only(t *testing.T) request {
	t.Helper()
	require.Len(t, n.asked(), 1)
	return n.asked()[0]
}

// saying is a client of a node that gives one answer to everything.
func saying(t *testing.T, body string) (*osapi.Client, *node) {
	t.Helper()
	n := answering(t, answer{http.StatusOK, body})
	client, err := osapi.New(n.URL)
	require.NoError(t, err)
	return client, n
}
