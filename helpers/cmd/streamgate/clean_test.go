package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"streamgate/fixtures/engine"
	"streamgate/fixtures/shelf"
)

var leftovers = []engine.Leftover{
	{Name: "streamgate-0000000a-node-1", Run: "0000000a"},
	{Name: "streamgate-0000000b-node-1", Run: "0000000b", Kept: true},
	{Name: "streamgate-0000000c-node-1", Run: "0000000c", Orphan: true},
}

// Is each container sorted to where it belongs, a live run's to what is left alone?
func TestSorted(t *testing.T) {
	found := sorted(leftovers)
	assert.Equal(t, []string{"streamgate-0000000a-node-1"}, found.Live)
	assert.Equal(t, []string{"streamgate-0000000b-node-1"}, found.Kept)
	assert.Equal(t, []string{"streamgate-0000000c-node-1"}, found.Orphans)
}

// Is a kept corpus left alone while a live container runs on it, and only then? One such image is
// named by a live run's container, by one that is kept, and by an orphan: the last two will be gone.
func TestSortCorpora(t *testing.T) {
	corpora := []shelf.Kept{{Key: "a", Images: []string{"streamgate-kept:a-minio"}}, {Key: "b", Images: []string{"streamgate-kept:b-minio"}}}
	for name, c := range map[string]struct {
		by   engine.Leftover
		used int
	}{
		"live":   {engine.Leftover{Image: "streamgate-kept:a-minio"}, 1},
		"other":  {engine.Leftover{Image: "streamgate/minio:a"}, 0},
		"kept":   {engine.Leftover{Image: "streamgate-kept:a-minio", Kept: true}, 0},
		"orphan": {engine.Leftover{Image: "streamgate-kept:a-minio", Orphan: true}, 0},
	} {
		found := sorted(nil)
		found.sortCorpora(corpora, []engine.Leftover{c.by})
		assert.Equal(t, c.used, found.Used, name)
		assert.Len(t, found.Corpora, 2-c.used, name)
		assert.Len(t, found.corpora, 2-c.used, name)
		assert.Contains(t, found.Corpora[len(found.Corpora)-1], "b: ", name)
	}
}

// Are only bundles of runs that have ended taken for bundles to remove? Beside them lie one
// of a live run, one that was made just now, one with a file that was appended to just now, a folder
// of someone else, and a file.
func TestEndedBundles(t *testing.T) {
	dir := t.TempDir()
	for name, old := range map[string]bool{
		"20261130T190000Z-multistream-0000000a":    true, // lives
		"20261130T190001Z-multistream-0000000b":    true, // its stack is kept, it has ended
		"20261130T190002Z-selfcheck-slow-0000000d": true,
		"20261130T190003Z-multistream-0000000e":    false,
		"20261130T190005Z-multistream-00000010":    true, // a line is appended below
		"my results":                               true,
	} {
		require.NoError(t, os.Mkdir(filepath.Join(dir, name), 0o755))
		file := filepath.Join(dir, name, "recoveries.ndjson")
		require.NoError(t, os.WriteFile(file, []byte("{}\n"), 0o600))
		if old {
			hourAgo := time.Now().Add(-time.Hour)
			require.NoError(t, os.Chtimes(file, hourAgo, hourAgo))
			require.NoError(t, os.Chtimes(filepath.Join(dir, name), hourAgo, hourAgo))
		}
	}
	appended, err := os.OpenFile(filepath.Join(dir, "20261130T190005Z-multistream-00000010", "recoveries.ndjson"), os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = appended.WriteString("{}\n")
	require.NoError(t, err)
	require.NoError(t, appended.Close())
	require.NoError(t, os.WriteFile(filepath.Join(dir, "20261130T190004Z-multistream-0000000f"), nil, 0o600))
	found, err := endedBundles(dir, leftovers)
	require.NoError(t, err)
	for i := range found {
		found[i] = filepath.Base(found[i])
	}
	assert.Equal(t, []string{"20261130T190001Z-multistream-0000000b", "20261130T190002Z-selfcheck-slow-0000000d"}, found)

	found, err = endedBundles(filepath.Join(dir, "never made"), nil)
	require.NoError(t, err)
	assert.Empty(t, found)
}

// Is what will be removed shown, and what stays named? The words of a dry run say that nothing went.
func TestPrintRemains(t *testing.T) {
	show := func(r remains, asked cleaning) string {
		var out strings.Builder
		require.NoError(t, r.print(&out, asked))
		return out.String()
	}
	found := sorted(leftovers)
	assert.Equal(t, `kept on purpose:
  streamgate-0000000b-node-1
left by runs that died:
  streamgate-0000000c-node-1
nothing was removed: this is a dry run
left alone, of a run that is going on: 1 containers, and the images with them
`, show(found, cleaning{dryRun: true, images: true}))
	assert.Contains(t, show(found, cleaning{}), "removing it\n")
	assert.Equal(t, "nothing to remove\n", show(sorted(nil), cleaning{}))
	elsewhere := sorted([]engine.Leftover{{Name: "a", Unknown: true}, {Name: "b", Unknown: true, Kept: true}})
	assert.Equal(t, "nothing to remove\nleft alone, of another host or PID namespace, where a run may be going on: 2 containers\n", show(elsewhere, cleaning{}))
	assert.Contains(t, show(sorted(nil), cleaning{asJSON: true}), `"kept_containers": []`)
	assert.Contains(t, show(sorted(nil), cleaning{asJSON: true}), `"kept_corpora": []`)
	found.Corpora, found.Used = []string{"0123456789abcdef: posts"}, 2
	assert.Contains(t, show(found, cleaning{}), "kept corpora:\n  0123456789abcdef: posts\nremoving it\n")
	assert.Contains(t, show(found, cleaning{}), "of a run that is going on: 1 containers, 2 kept corpora\n")
}

// Are bundles removed, and is a failure no reason to leave the rest?
func TestRemoveBundles(t *testing.T) {
	dir := t.TempDir()
	one, two := filepath.Join(dir, "one"), filepath.Join(dir, "two")
	require.NoError(t, os.Mkdir(one, 0o755))
	require.NoError(t, os.Mkdir(two, 0o755))
	err := remains{Bundles: []string{"bad\x00path", one, two}}.remove(t.Context())
	require.Error(t, err)
	assert.NoDirExists(t, one)
	assert.NoDirExists(t, two)
}
