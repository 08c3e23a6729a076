package recovery

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"streamgate/helpers/osapi"
)

// TestMain makes the waits short, since a script answers at once.
func TestMain(m *testing.M) {
	sampleEvery, diskEvery, storesEvery = 5*time.Millisecond, 5*time.Millisecond, 30*time.Millisecond
	os.Exit(m.Run())
}

// exchange is one request and its answer, as a real OpenSearch 3.8.0 gave it: see TestRecord.
type exchange struct {
	Method string          `json:"method"`
	Path   string          `json:"path"`
	Query  string          `json:"query,omitempty"`
	Body   string          `json:"body,omitempty"`
	Status int             `json:"status"`
	Answer json.RawMessage `json:"answer"`
}

// key is the kind of a request. Counts are told apart by the copy that they ask.
func (e exchange) key() string {
	if strings.HasSuffix(e.Path, "/_count") {
		return e.Method + " " + e.Path + "?" + e.Query
	}
	return e.Method + " " + e.Path
}

// script answers like the recorded cluster: each kind of request in the order of the recording, and
// with the last answer of its kind from then on.
type script struct {
	t       *testing.T
	mutex   sync.Mutex
	answers map[string][]exchange
	asked   []exchange // what was really asked, in order
}

func recorded(t *testing.T) *script {
	t.Helper()
	file, err := os.Open("testdata/recovery.ndjson")
	require.NoError(t, err)
	defer func() { require.NoError(t, file.Close()) }()
	s := &script{t: t, answers: map[string][]exchange{}}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var e exchange
		require.NoError(t, json.Unmarshal(lines.Bytes(), &e))
		s.answers[e.key()] = append(s.answers[e.key()], e)
	}
	require.NoError(t, lines.Err())
	require.NotEmpty(t, s.answers)
	return s
}

// ServeHTTP answers one request.
func (s *script) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		s.t.Error(err)
	}
	asked := exchange{Method: r.Method, Path: r.URL.Path, Query: r.URL.RawQuery, Body: string(body)}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.asked = append(s.asked, asked)
	key := asked.key()
	left := s.answers[key]
	if len(left) == 0 {
		http.Error(w, `{"error":{"type":"unscripted","reason":"nobody recorded this"},"status":404}`, http.StatusNotFound)
		return
	}
	if len(left) > 1 {
		s.answers[key] = left[1:]
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(left[0].Status)
	_, _ = w.Write(left[0].Answer)
}

// edit changes all answers of a kind: set finds its way by keys, joined by dots; * stands for every key
// and every element.
func (s *script) edit(key, path string, value any) {
	s.t.Helper()
	require.NotEmpty(s.t, s.answers[key], "nothing recorded for %s", key)
	for i, e := range s.answers[key] {
		var answer any
		decoder := json.NewDecoder(bytes.NewReader(e.Answer))
		decoder.UseNumber()
		require.NoError(s.t, decoder.Decode(&answer))
		if !set(answer, strings.Split(path, "."), value) {
			continue // an answer from before there was such a part
		}
		content, err := json.Marshal(answer)
		require.NoError(s.t, err)
		s.answers[key][i].Answer = content
	}
}

func set(node any, path []string, value any) (found bool) {
	switch n := node.(type) {
	case map[string]any:
		if len(path) == 1 {
			_, found = n[path[0]]
			n[path[0]] = value
			return found
		}
		for key, below := range n {
			if path[0] == "*" || path[0] == key {
				found = set(below, path[1:], value) || found
			}
		}
	case []any:
		for i, below := range n {
			if path[0] == "*" || path[0] == string(rune('0'+i)) {
				found = set(below, path[1:], value) || found
			}
		}
	}
	return found
}

// fail lets a kind of request fail with that status from now on.
func (s *script) fail(key string, status int) {
	require.NotEmpty(s.t, s.answers[key], "nothing recorded for %s", key)
	s.answers[key] = []exchange{{Status: status, Answer: json.RawMessage(`{"error":{"type":"scripted","reason":"told to fail"}}`)}}
}

// bodies are the bodies of the requests of a kind, in order.
func (s *script) bodies(key string) []string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	var bodies []string
	for _, e := range s.asked {
		if e.key() == key {
			bodies = append(bodies, e.Body)
		}
	}
	return bodies
}

// serve starts the scripted cluster.
func (s *script) serve() *osapi.Client {
	s.t.Helper()
	server := httptest.NewServer(s)
	s.t.Cleanup(server.Close)
	api, err := osapi.New(server.URL)
	require.NoError(s.t, err)
	return api
}
