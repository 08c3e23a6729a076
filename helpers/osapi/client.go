// Package osapi is the calls we make to OpenSearch, typed, on top of opensearch-go.
//
// A method is one request and what of its answer we read, in OpenSearch's own terms.
// Nothing here waits, retries, or judges an answer: a request that is sent twice in
// silence would spoil what is measured. Waiting is helpers/await's, meaning is the caller's.
package osapi

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/opensearch-project/opensearch-go/v2"
)

// requestLimit bounds one request whose context sets no nearer deadline. A force merge
// and a wait_for parameter are the longest.
const requestLimit = 5 * time.Minute

// answerLimitBytes bounds what is read of one answer: _nodes/hot_threads and a listing of
// some thousand segments stay far below.
const answerLimitBytes = 64 << 20

// Client speaks to a cluster through one address.
type Client struct {
	*opensearch.Client
}

// New returns a client for the node at base, such as "http://127.0.0.1:9201", that never
// repeats a request: see Access.
func New(base string) (*Client, error) { return Access{URL: base}.Client() }

// NewLoader returns a client for loading documents into the node at base: see Access.
func NewLoader(base string) (*Client, error) { return Access{URL: base}.Loader() }

// StatusError is an answer that OpenSearch gave with an HTTP status from 400 on.
type StatusError struct {
	Method, Path string
	Status       int
	Reason       string // error.type and error.reason, or the start of the body
}

// Error is one line.
func (e *StatusError) Error() string {
	return fmt.Sprintf("%s %s: HTTP %d: %s", e.Method, e.Path, e.Status, e.Reason)
}

// Do sends one request and decodes the JSON answer into out, which may be nil. query and
// body may be nil; a body is sent as JSON.
func (c *Client) Do(ctx context.Context, method, path string, query url.Values, body, out any) error {
	ctx, cancel := context.WithTimeout(ctx, requestLimit)
	defer cancel()
	answer, err := c.send(ctx, method, path, query, body)
	if err != nil {
		return err
	}
	if out == nil {
		return nil
	}
	if err := json.Unmarshal(answer, out); err != nil {
		return fmt.Errorf("%s %s: read the answer: %w", method, path, err)
	}
	return nil
}

// Text sends a GET and returns the answer as it is, for APIs that answer in plain text.
func (c *Client) Text(ctx context.Context, path string, query url.Values) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, requestLimit)
	defer cancel()
	answer, err := c.send(ctx, http.MethodGet, path, query, nil)
	return string(answer), err
}

func (c *Client) send(ctx context.Context, method, path string, query url.Values, body any) ([]byte, error) {
	var content io.Reader
	if body != nil {
		encoded, err := json.Marshal(body)
		if err != nil {
			return nil, fmt.Errorf("%s %s: write the body: %w", method, path, err)
		}
		content = bytes.NewReader(encoded)
	}
	request, err := http.NewRequestWithContext(ctx, method, path, content)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", method, path, err)
	}
	request.URL.RawQuery = query.Encode()
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := c.Perform(request)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", method, path, err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(response.Body, answerLimitBytes))
	if err != nil {
		return nil, fmt.Errorf("%s %s: read the answer: %w", method, path, err)
	}
	if response.StatusCode >= http.StatusBadRequest {
		return nil, &StatusError{method, path, response.StatusCode, reason(answer)}
	}
	return answer, nil
}

// reason is what an error answer says, on one line.
func reason(answer []byte) string {
	var structured struct {
		Error struct{ Type, Reason string }
	}
	if json.Unmarshal(answer, &structured) == nil && structured.Error.Type != "" {
		return oneLine(structured.Error.Type + ": " + structured.Error.Reason)
	}
	const enough = 300
	text := oneLine(string(answer))
	return strings.ToValidUTF8(text[:min(len(text), enough)], "")
}

// oneLine folds a text that OpenSearch breaks into lines, as in a parser's complaint.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
