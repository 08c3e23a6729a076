package github_test

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
	"golang.org/x/sys/unix"

	"streamgate/helpers/bundle"
	"streamgate/helpers/bundle/bundletest"
	"streamgate/helpers/cmd/streamgate/github"
)

// Does a history grow by each bundle once, in order of time, and show how the ratio moved?
func TestHistory(t *testing.T) {
	job, _ := fake(t)
	dir, file := t.TempDir(), filepath.Join(t.TempDir(), "history", "history.ndjson")
	written(t, dir, bundletest.Run())
	require.NoError(t, github.History(job, file, []string{dir}))
	assert.Equal(t, 1, strings.Count(content(t, file), "\n"))

	written(t, dir, later(slow(), 24*time.Hour))
	job, _ = fake(t)
	require.NoError(t, github.History(job, file, []string{dir, dir}))
	lines := strings.Split(strings.TrimSuffix(content(t, file), "\n"), "\n")
	require.Len(t, lines, 2)
	assert.Contains(t, lines[0], `"verdict":"pass"`)
	assert.Contains(t, lines[1], `"verdict":"fail"`)

	summary := content(t, job.SummaryFile)
	assert.Regexp(t, `\| 2026-12-01 19:00 \| fail \| [\d.]+ \| [\d.]+ to [\d.]+ \| -66\.7 % \|\n\| 2026-11-30 19:00 \| pass `, summary)

	table, err := csv.NewReader(strings.NewReader(content(t, strings.TrimSuffix(file, ".ndjson")+"-multistream-quick-3.8.0.csv"))).ReadAll()
	require.NoError(t, err)
	assert.Equal(t, []string{"time", "bundle", "commit", "cpu", "ratio", "lower", "upper"}, table[0])
	require.Len(t, table, 3)
	assert.Equal(t, "2026-11-30T19:00:00Z", table[1][0])
}

// Does Otava get what it wants? Its configuration lists each series once, with a file that is
// there and has the columns that it names; a row without a number, at which it would stop, is left
// out, and so is the file of a series that the history has forgotten. (Apache Otava 0.8.0 found the
// change point in files written this way.)
func TestHistoryForOtava(t *testing.T) {
	job, _ := fake(t)
	dir, history := t.TempDir(), t.TempDir()
	other := later(bundletest.Run(), time.Hour)
	other.Environment.OpenSearch = "3.6.0 and 3.8.0"
	nothing := later(bundletest.Run(), 2*time.Hour)
	nothing.Recoveries = nothing.Recoveries[:0]
	nothing.Environment.Link.Measured.RateEach = 6_000_000 // else an unfinished run is refused
	for _, run := range []bundle.Run{bundletest.Run(), other, nothing} {
		written(t, dir, run)
	}
	old := filepath.Join(history, "history-multistream-quick-2.0.0.csv")
	require.NoError(t, os.WriteFile(old, nil, 0o600))
	require.NoError(t, github.History(job, filepath.Join(history, "history.ndjson"), []string{dir}))
	assert.Equal(t, 3, strings.Count(content(t, filepath.Join(history, "history.ndjson")), "\n"))
	assert.NoFileExists(t, old)

	var config struct {
		Tests map[string]struct {
			Type, File string
			TimeColumn string `yaml:"time_column"`
			Attributes []string
			Metrics    map[string]struct {
				Column    string
				Direction int
			}
		}
	}
	require.NoError(t, yaml.Unmarshal([]byte(content(t, filepath.Join(history, "otava.yaml"))), &config))
	require.Len(t, config.Tests, 2)
	for _, name := range []string{"multistream-quick-3.8.0", "multistream-quick-3.6.0-and-3.8.0"} {
		test, found := config.Tests[name]
		require.True(t, found, name)
		assert.Equal(t, "csv", test.Type)
		assert.Equal(t, 1, test.Metrics["ratio"].Direction, "more is better")
		table, err := csv.NewReader(strings.NewReader(content(t, filepath.Join(history, test.File)))).ReadAll()
		require.NoError(t, err)
		require.Len(t, table, 2, name)
		assert.Subset(t, table[0], append(test.Attributes, test.TimeColumn, test.Metrics["ratio"].Column))
		_, err = strconv.ParseFloat(table[1][slices.Index(table[0], test.Metrics["ratio"].Column)], 64)
		require.NoError(t, err)
	}
}

// Is a bundle that is refused named, and the rest of the night kept?
func TestHistoryWithRefusedBundle(t *testing.T) {
	job, _ := fake(t)
	dir, file := t.TempDir(), filepath.Join(t.TempDir(), "history.ndjson")
	broken := written(t, dir, bundletest.Run())
	require.NoError(t, os.WriteFile(filepath.Join(dir, broken, bundle.VerdictFile), []byte("{}\n"), 0o600))
	written(t, dir, later(bundletest.Run(), time.Hour))
	require.NoError(t, github.History(job, file, []string{dir}))
	assert.Equal(t, 1, strings.Count(content(t, file), "\n"))
	assert.Contains(t, content(t, job.SummaryFile), "not in the history: `open bundle "+broken)
}

// Is a history that cannot be read left as it is?
func TestHistoryBroken(t *testing.T) {
	job, _ := fake(t)
	file := filepath.Join(t.TempDir(), "history.ndjson")
	require.NoError(t, os.WriteFile(file, []byte("{}\nnot JSON\n"), 0o600))
	require.ErrorContains(t, github.History(job, file, []string{t.TempDir()}), "history.ndjson line 2")
	assert.Equal(t, "{}\nnot JSON\n", content(t, file))

	pipe := filepath.Join(t.TempDir(), "history.ndjson")
	require.NoError(t, unix.Mkfifo(pipe, 0o600))
	require.ErrorContains(t, github.History(job, pipe, []string{t.TempDir()}), "history.ndjson is no file")
}
