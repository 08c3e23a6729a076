package bundle_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"streamgate/helpers/bundle"
	"streamgate/helpers/bundle/bundletest"
	"streamgate/helpers/recovery"
	"streamgate/helpers/verdict"
)

// written is a whole bundle on disk: as a run leaves it, with stand-ins for the reports.
func written(t *testing.T, run bundle.Run) string {
	t.Helper()
	w := begun(t, run)
	for _, name := range bundle.ReportFiles {
		require.NoError(t, os.WriteFile(filepath.Join(w.Dir(), name), []byte("report\n"), 0o600))
	}
	require.NoError(t, w.Finish(bundletest.Judge(run)))
	return w.Dir()
}

// begun is a bundle whose run has not come to its verdict.
func begun(t *testing.T, run bundle.Run) *bundle.Writer {
	t.Helper()
	w, err := bundle.Create(t.TempDir(), run.Environment.Suite, run.Environment.RunID, run.Environment)
	require.NoError(t, err)
	for _, r := range run.Recoveries {
		require.NoError(t, w.Append(r))
	}
	return w
}

// Does judging the bundle alone give the same verdict, to the byte? A run is written,
// opened, and its verdict encoded again.
func TestOpenGivesTheSameVerdict(t *testing.T) {
	dir := written(t, bundletest.Run())
	run, err := bundle.Open(dir)
	require.NoError(t, err)
	again, err := run.Verdict.JSON()
	require.NoError(t, err)
	recorded, err := os.ReadFile(filepath.Join(dir, bundle.VerdictFile))
	require.NoError(t, err)
	assert.Equal(t, string(recorded), string(again))
	assert.Equal(t, verdict.Pass, run.Verdict.Outcome)
	assert.Empty(t, run.Incomplete)
	want := bundletest.Run()
	assert.Equal(t, want.Environment, run.Environment)
	assert.Equal(t, want.Recoveries, run.Recoveries)
}

// Where does a bundle lie, and what is there from the first moment on? A run is begun and
// nothing more.
func TestCreateWritesTheEnvironmentAtOnce(t *testing.T) {
	out := t.TempDir()
	w, err := bundle.Create(filepath.Join(out, "deep", "out"), "multistream", "7f3a2c", bundletest.Environment())
	require.NoError(t, err)
	assert.Equal(t, "20261130T190000Z-multistream-7f3a2c", filepath.Base(w.Dir()))
	assert.DirExists(t, w.LogDir())
	assert.Equal(t, filepath.Join(w.Dir(), "nodes"), w.LogDir())
	run, err := bundle.Open(w.Dir())
	require.NoError(t, err)
	assert.Equal(t, "incomplete: the run left no verdict, 0 rounds judged", run.Incomplete)
	assert.Equal(t, verdict.Inconclusive, run.Verdict.Outcome)

	_, err = bundle.Create(filepath.Join(out, "deep", "out"), "multistream", "7f3a2c", bundletest.Environment())
	require.ErrorIs(t, err, os.ErrExist, "a second run must not write into the first one's bundle")
}

// Can the environment be completed after loading, and no longer once numbers depend on it?
func TestDescribe(t *testing.T) {
	early := bundletest.Environment()
	early.Files, early.Link.Measured = nil, nil
	w, err := bundle.Create(t.TempDir(), "multistream", "7f3a2c", early)
	require.NoError(t, err)
	require.NoError(t, w.Describe(bundletest.Environment()))
	require.NoError(t, w.Append(bundletest.Recoveries(1)[0]))
	require.ErrorContains(t, w.Describe(early), "1 recoveries were measured under what is written already")
	run, err := bundle.Open(w.Dir())
	require.NoError(t, err)
	assert.Len(t, run.Environment.Files, 52)
}

// Is a bundle free of paths? A corpus file of a user's home goes in.
func TestNoPathsAreWritten(t *testing.T) {
	e := bundletest.Environment()
	e.Settings[0].Value = "/home/somebody/posts/Posts.xml"
	e.Settings[1].Value = "../elsewhere/Posts.xml"
	e.Corpus.Name = "/home/somebody/posts/Posts.xml"
	w, err := bundle.Create(t.TempDir(), "multistream", "7f3a2c", e)
	require.NoError(t, err)
	content, err := os.ReadFile(filepath.Join(w.Dir(), bundle.EnvironmentFile))
	require.NoError(t, err)
	assert.NotContains(t, string(content), "somebody")
	assert.NotContains(t, string(content), "elsewhere")
	assert.Equal(t, 3, strings.Count(string(content), `"Posts.xml"`))
	assert.Equal(t, "/home/somebody/posts/Posts.xml", e.Settings[0].Value, "the caller's settings stay as they are")
}

// Is a killed run judged as far as it goes? It is killed in round 4, once between two
// lines and once within one.
func TestOpenKilledRun(t *testing.T) {
	for name, c := range map[string]struct{ tail, words string }{
		"between two lines": {"", "incomplete: the run left no verdict, 3 rounds judged"},
		"within a line":     {`{"round":4,"arm":{"na`, "incomplete: the run left no verdict, 3 rounds judged, the last line is cut off"},
	} {
		t.Run(name, func(t *testing.T) {
			run := bundletest.Run()
			run.Recoveries = bundletest.Recoveries(4)[:9] // two warm-ups, three rounds, one of the fourth
			w := begun(t, run)
			file, err := os.OpenFile(filepath.Join(w.Dir(), bundle.RecoveriesFile), os.O_APPEND|os.O_WRONLY, 0)
			require.NoError(t, err)
			_, err = file.WriteString(c.tail)
			require.NoError(t, err)
			require.NoError(t, file.Close())

			got, err := bundle.Open(w.Dir())
			require.NoError(t, err)
			assert.Equal(t, c.words, got.Incomplete)
			assert.Len(t, got.Recoveries, 9)
			assert.Equal(t, 3, got.Verdict.Rounds)
			assert.Equal(t, verdict.Inconclusive, got.Verdict.Outcome)
			assert.False(t, got.Verdict.Complete)
		})
	}
}

// Is every line of recoveries.ndjson one recovery, on disk when Append returns?
func TestAppendIsOnDisk(t *testing.T) {
	w, err := bundle.Create(t.TempDir(), "multistream", "7f3a2c", bundletest.Environment())
	require.NoError(t, err)
	for i, r := range bundletest.Recoveries(1) {
		require.NoError(t, w.Append(r))
		content, err := os.ReadFile(filepath.Join(w.Dir(), bundle.RecoveriesFile))
		require.NoError(t, err)
		lines := bytes.Split(bytes.TrimSuffix(content, []byte("\n")), []byte("\n"))
		require.Len(t, lines, i+1)
		var got recovery.Recovery
		require.NoError(t, json.Unmarshal(lines[i], &got))
		assert.Equal(t, r, got)
	}
	require.NoError(t, w.Close())
	require.Error(t, w.Append(recovery.Recovery{}))
}

// Does the machine's description hold what a comparison needs, and neither its name nor
// its user's?
func TestMachine(t *testing.T) {
	found, err := bundle.Machine(t.Context())
	require.NoError(t, err)
	assert.Positive(t, found.Cores)
	assert.Greater(t, found.MemoryBytes, int64(1<<28))
	assert.NotEmpty(t, found.Kernel)
	assert.Contains(t, found.Go, "go1.")
	assert.Contains(t, found.System, "/")
	name, err := os.Hostname()
	require.NoError(t, err)
	content, err := json.Marshal(found)
	require.NoError(t, err)
	assert.NotContains(t, string(content), name)
}

// Does a warm-up whose proof failed make the verdict invalid, whatever the rounds say? It names the
// arm and the proof before all else.
func TestInvalidWarmUpCounts(t *testing.T) {
	run := bundletest.Run()
	require.Equal(t, verdict.Pass, run.Verdict.Outcome)
	for i := range run.Recoveries {
		if r := &run.Recoveries[i]; r.WarmUp && r.Arm.Name == "multi" {
			r.Invalid = []string{"the download was given up for a peer copy"}
		}
	}
	judged, err := bundle.Judge(run.Environment, run.Recoveries)
	require.NoError(t, err)
	assert.Equal(t, verdict.Invalid, judged.Outcome)
	assert.Equal(t, verdict.Invalid.ExitCode(), judged.ExitCode)
	assert.Equal(t, "warm-up, arm multi is invalid: the download was given up for a peer copy", judged.Reasons[0])

	only := run.Recoveries[:2] // as a run ends whose warm-up is invalid
	judged, err = bundle.Judge(run.Environment, only)
	require.NoError(t, err)
	assert.Equal(t, verdict.Invalid, judged.Outcome)
	assert.True(t, judged.Complete)
}
