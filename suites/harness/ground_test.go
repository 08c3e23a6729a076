package harness

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"streamgate/fixtures/corpus"
	"streamgate/fixtures/stack"
	"streamgate/fixtures/suite"
	"streamgate/helpers/await"
	"streamgate/helpers/osapi"
)

// Does a start end early when a node never becomes ready? It has a setting that OpenSearch
// does not know; the error must come long before the bound of a start, and carry the end of
// that node's log.
func nodeNeverReady(t *testing.T, ctx context.Context, run *suite.Run) {
	t.Helper()
	spec := smallest(run)
	spec.Settings = map[string]string{"streamgate.no_such_setting": "1"}
	begin := time.Now()
	s, err := stack.Up(ctx, spec)
	took := time.Since(begin)
	require.NoError(t, s.Stop(context.WithoutCancel(ctx)))
	require.ErrorContains(t, err, "node-1 ended with exit code ")
	require.ErrorContains(t, err, "unknown setting [streamgate.no_such_setting]")
	require.NotErrorIs(t, err, await.ErrLimit)
	require.Less(t, took, time.Minute)
	require.Empty(t, containers(ctx, t, run.ID))
}

// Is a folder for bundles that cannot be written to found out before anything starts? It
// lies below a file, which no permission and no user makes a folder.
func outNotWritable(t *testing.T, ctx context.Context, _ *suite.Run) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	c := startChild(ctx, t, 0, "STREAMGATE_OUT="+filepath.Join(file, "out"))
	require.NotZero(t, c.wait(t, 20*time.Second))
	said := c.output.String()
	assert.Regexp(t, `(?m)STREAMGATE_OUT: mkdir .*file: not a directory, allowed: a folder that can be written to$`, said)
	assert.NotContains(t, said, "the stack is up")
	assert.NotContains(t, said, "\nPASS")
}

// diskBytes is a node's whole disk: enough to start on, too small for the documents.
const diskBytes = 8 << 20

// Does loading say so when the disk under a node is full? Its data folder is a small tmpfs.
// The load must fail within its bound with OpenSearch's answer, and the node's log, which goes
// into the bundle, must name the cause: the answer buries it under five others.
func diskFull(t *testing.T, ctx context.Context, run *suite.Run) {
	t.Helper()
	spec := smallest(run)
	spec.DiskBytes = diskBytes
	begin := time.Now()
	s := stack.Start(ctx, t, spec)
	require.NoError(t, s.API.CreateIndex(ctx, "so-full", corpus.IndexBody(nil)))
	var status *osapi.StatusError
	require.ErrorAs(t, fill(ctx, s.API, 4*diskBytes), &status)
	require.GreaterOrEqual(t, status.Status, http.StatusInternalServerError)
	lines, err := s.Nodes[0].LogLines(ctx, begin, "No space left on device")
	require.NoError(t, err)
	require.NotEmpty(t, lines)
}

// fill indexes documents of 1 MB, a refresh after each, until it has sent so many bytes.
func fill(ctx context.Context, api *osapi.Client, bytesToSend int) error {
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	// Text that does not compress: the disk takes as much as is sent.
	document := map[string]any{"type": "answer", "body": incompressible(1 << 20)}
	for sent := 0; sent < bytesToSend; sent += 1 << 20 {
		if err := api.Do(ctx, http.MethodPost, "/so-full/_doc", nil, document, nil); err != nil {
			return err
		}
		if err := api.Refresh(ctx, "so-full"); err != nil {
			return err
		}
	}
	return errors.New("all was taken")
}
