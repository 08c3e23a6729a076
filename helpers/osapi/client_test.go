package osapi_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"streamgate/helpers/osapi"
)

// What OpenSearch 3.8.0 answers when its indexing pressure or a thread pool is exhausted.
const tooBusy = `{"error":{"root_cause":[{"type":"rejected_execution_exception","reason":"rejected execution of coordinating operation"}],` +
	`"type":"rejected_execution_exception","reason":"rejected execution of coordinating operation"},"status":429}`

// What does an error tell of an answer that OpenSearch gave with an error status? The answers
// are those of 3.8.0, and one that is not OpenSearch's at all.
func TestErrorSaysWhatTheNodeSaid(t *testing.T) {
	for _, c := range []struct {
		name   string
		answer answer
		want   string
	}{
		{"type and reason", answer{404, `{"error":{"root_cause":[{"type":"index_not_found_exception","reason":"no such index [so]","index":"so"}],` +
			`"type":"index_not_found_exception","reason":"no such index [so]","index":"so","index_uuid":"_na_"},"status":404}`},
			"POST /so/_count: HTTP 404: index_not_found_exception: no such index [so]"},
		{"of a cause of several lines, one", answer{400, `{"error":{"type":"parse_exception","reason":"Cannot parse 'a(':\n  at line 1"},"status":400}`},
			"POST /so/_count: HTTP 400: parse_exception: Cannot parse 'a(': at line 1"},
		{"an error in one string", answer{405, `{"error":"Incorrect HTTP method for uri [/so/_count] and method [PATCH]","status":405}`},
			`POST /so/_count: HTTP 405: {"error":"Incorrect HTTP method for uri [/so/_count] and method [PATCH]","status":405}`},
		{"a page of a proxy", answer{502, "<html>\r\n<h1>502 Bad Gateway</h1>\r\n</html>\r\n"},
			"POST /so/_count: HTTP 502: <html> <h1>502 Bad Gateway</h1> </html>"},
		{"of a long page, its start, no character cut in half", answer{500, strings.Repeat("ä", 151) + "x"},
			"POST /so/_count: HTTP 500: " + strings.Repeat("ä", 150)},
		{"of a longer one, an odd number of bytes in", answer{500, "x" + strings.Repeat("ä", 200)},
			"POST /so/_count: HTTP 500: x" + strings.Repeat("ä", 149)},
		{"an empty answer", answer{503, ""}, "POST /so/_count: HTTP 503: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			client, err := osapi.New(answering(t, c.answer).URL)
			require.NoError(t, err)
			err = client.Do(t.Context(), http.MethodPost, "/so/_count", nil, nil, nil)
			var status *osapi.StatusError
			require.ErrorAs(t, err, &status)
			assert.Equal(t, c.want, err.Error())
			assert.Equal(t, c.answer.status, status.Status)
		})
	}
}

// What of a call goes over the wire, and what comes back? The node tells what it was asked.
func TestDoSendsAndDecodes(t *testing.T) {
	client, node := saying(t, `{"acknowledged":true,"shards":[1,2]}`)
	var out struct {
		Acknowledged bool
		Shards       []int
	}
	query := url.Values{"wait_for": {"a b"}}
	require.NoError(t, client.Do(t.Context(), http.MethodPut, "/so", query, map[string]any{"n": 1}, &out))
	assert.Equal(t, request{"PUT", "/so", query, "application/json", `{"n":1}`}, node.only(t))
	assert.True(t, out.Acknowledged)
	assert.Equal(t, []int{1, 2}, out.Shards)
}

// Does a GET without a body claim to have one? A node refuses a content type it cannot use.
func TestTextAsksWithoutBody(t *testing.T) {
	client, node := saying(t, "::: {node-1}\n   12.5% cpu usage\n")
	text, err := client.Text(t.Context(), "/_nodes/hot_threads", url.Values{"threads": {"3"}})
	require.NoError(t, err)
	assert.Equal(t, "::: {node-1}\n   12.5% cpu usage\n", text)
	assert.Equal(t, request{"GET", "/_nodes/hot_threads", url.Values{"threads": {"3"}}, "", ""}, node.only(t))
}

// Which call was it, when the answer is no JSON, a body cannot be written, or the time is up?
func TestErrorNamesTheCall(t *testing.T) {
	client, node := saying(t, "not JSON")
	require.ErrorContains(t, client.Do(t.Context(), http.MethodGet, "/a", nil, nil, &struct{}{}), "GET /a: read the answer: ")
	require.Len(t, node.asked(), 1)
	require.ErrorContains(t, client.Do(t.Context(), http.MethodPut, "/b", nil, make(chan int), nil), "PUT /b: write the body: ")
	assert.Len(t, node.asked(), 1, "sent a body that could not be written")

	ended, cancel := context.WithCancel(t.Context())
	cancel()
	err := client.Do(ended, http.MethodGet, "/c", nil, nil, nil)
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorContains(t, err, "GET /c: ")
}

// Does New send anything twice? A repeat would hide in a measured time. The node counts.
func TestNewNeverRepeats(t *testing.T) {
	for name, refusal := range map[string]answer{
		"busy":               {http.StatusTooManyRequests, tooBusy},
		"bad gateway":        {http.StatusBadGateway, ""},
		"unavailable":        {http.StatusServiceUnavailable, ""},
		"gateway timeout":    {http.StatusGatewayTimeout, ""},
		"dropped connection": {},
	} {
		t.Run(name, func(t *testing.T) {
			node := answering(t, refusal, answer{http.StatusOK, "{}"})
			client, err := osapi.New(node.URL)
			require.NoError(t, err)
			require.Error(t, client.Refresh(t.Context(), "so"))
			assert.Len(t, node.asked(), 1)
		})
	}
}

// Does NewLoader send again what a busy node refused, whole, and nothing else? The node refuses
// twice, which costs two pauses, then takes it.
func TestNewLoaderRepeatsWhatABusyNodeRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		refusal answer
		times   int
	}{
		"busy":        {answer{http.StatusTooManyRequests, tooBusy}, 3},
		"bad gateway": {answer{http.StatusBadGateway, ""}, 3},
		"unavailable": {answer{http.StatusServiceUnavailable, ""}, 3},
		"wrong":       {answer{http.StatusBadRequest, "{}"}, 1},
		"broken":      {answer{http.StatusInternalServerError, "{}"}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			node := answering(t, c.refusal, c.refusal, answer{http.StatusOK, `{"errors":false}`})
			loader, err := osapi.NewLoader(node.URL)
			require.NoError(t, err)
			start := time.Now()
			err = loader.Do(t.Context(), http.MethodPost, "/_bulk", nil, map[string]any{"id": "1"}, nil)
			took := time.Since(start)
			require.Len(t, node.asked(), c.times)
			for _, asked := range node.asked() {
				assert.Equal(t, request{"POST", "/_bulk", url.Values{}, "application/json", `{"id":"1"}`}, asked)
			}
			if c.times == 1 {
				require.Error(t, err)
				return
			}
			require.NoError(t, err)
			assert.GreaterOrEqual(t, took, 300*time.Millisecond, "a busy node was given no pause, of 0.1 and 0.2 s")
		})
	}
}
