package main

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
	"streamgate/helpers/report"
)

// written is a whole bundle on disk, or that of a killed run.
func written(t *testing.T, run bundle.Run, whole bool) string {
	t.Helper()
	w, err := bundle.Create(t.TempDir(), run.Environment.Suite, run.Environment.RunID, run.Environment)
	require.NoError(t, err)
	for _, r := range run.Recoveries {
		require.NoError(t, w.Append(r))
	}
	if whole {
		_, err = report.Write(w.Dir(), w.Environment(), run.Recoveries, run.Verdict)
		require.NoError(t, err)
		require.NoError(t, w.Finish(run.Verdict))
	}
	return w.Dir()
}

func streamgate(t *testing.T, arguments ...string) (code int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	code = run(t.Context(), arguments, &o, &e)
	return code, o.String(), e.String()
}

// slower is a run whose multi arm takes three times as long: it fails.
func slower() bundle.Run {
	run := bundletest.Run()
	for i := range run.Recoveries {
		if r := &run.Recoveries[i]; r.Arm.Name == "multi" {
			bundletest.Slow(r, 3)
		}
	}
	run.Verdict = bundletest.Judge(run)
	return run
}

// Does judging give the verdict of the run, to the byte, and its exit code?
func TestJudge(t *testing.T) {
	dir := written(t, bundletest.Run(), true)
	code, out, errs := streamgate(t, "judge", dir)
	assert.Equal(t, 0, code)
	assert.Contains(t, out, "PASS\n")
	assert.Empty(t, errs)

	code, out, _ = streamgate(t, "judge", "--json", dir)
	assert.Equal(t, 0, code)
	recorded, err := os.ReadFile(filepath.Join(dir, bundle.VerdictFile))
	require.NoError(t, err)
	assert.Equal(t, string(recorded), out)

	code, out, _ = streamgate(t, "judge", written(t, slower(), true))
	assert.Equal(t, 1, code)
	assert.Contains(t, out, "FAIL\n")
}

// Is the bundle of a killed run judged, called incomplete, left as it is, and reported on
// elsewhere when asked to?
func TestJudgeKilledRun(t *testing.T) {
	run := bundletest.Run()
	run.Recoveries = run.Recoveries[:9]
	dir := written(t, run, false)
	into := filepath.Join(t.TempDir(), "new")
	code, out, _ := streamgate(t, "judge", "--reports", into, dir)
	assert.Equal(t, 3, code)
	assert.Contains(t, out, "note: incomplete: the run left no verdict, 3 rounds judged")
	assert.NoFileExists(t, filepath.Join(dir, bundle.VerdictFile))
	for _, name := range append(bundle.ReportFiles, bundle.VerdictFile) {
		assert.FileExists(t, filepath.Join(into, name))
	}

	code, _, errs := streamgate(t, "judge", "--reports", dir, dir)
	assert.Equal(t, 2, code)
	assert.Contains(t, errs, "is a bundle, and would become another: want another folder for the reports")
	assert.NoFileExists(t, filepath.Join(dir, bundle.VerdictFile))
}

// Is the newest bundle of a folder the one that is judged?
func TestJudgeNewest(t *testing.T) {
	out := t.TempDir()
	for name, run := range map[string]bundle.Run{"20261130T190000Z-multistream-1": bundletest.Run(), "20261130T200000Z-multistream-2": slower()} {
		require.NoError(t, os.CopyFS(filepath.Join(out, name), os.DirFS(written(t, run, true))))
	}
	code, text, _ := streamgate(t, "judge", out)
	assert.Equal(t, 1, code)
	assert.Contains(t, text, "bundle: "+filepath.Join(out, "20261130T200000Z-multistream-2"))
}

// Can a script read a comparison, and that there is none?
func TestCompareJSON(t *testing.T) {
	a := written(t, bundletest.Run(), true)
	code, out, errs := streamgate(t, "compare", "--json", a, written(t, slower(), true))
	assert.Equal(t, 0, code, errs)
	var read comparisonRecord
	require.NoError(t, json.Unmarshal([]byte(out), &read))
	assert.True(t, read.Compared)
	require.Len(t, read.Times, 2)
	assert.Equal(t, "multi", read.Times[1].Name)
	assert.InDelta(t, 3, read.Times[1].Factor, 0.01)
	require.NotNil(t, read.Times[1].Upper)
	assert.Greater(t, *read.Times[1].Upper, *read.Times[1].Lower)

	other := bundletest.Run()
	other.Environment.Machine.Cores = 16
	code, out, _ = streamgate(t, "compare", "--json", a, written(t, other, true))
	assert.Equal(t, 2, code)
	read = comparisonRecord{}
	require.NoError(t, json.Unmarshal([]byte(out), &read))
	assert.False(t, read.Compared)
	require.Len(t, read.Unlike, 1)
	assert.Equal(t, "16", read.Unlike[0].B)
	assert.Empty(t, read.Times)
	assert.Contains(t, out, `"times": []`)
}

// Which images are worth a cache? Those of releases, of both sides; a distribution is not even
// looked at, and MinIO and Toxiproxy always are.
func TestCIImages(t *testing.T) {
	for name, c := range map[string]struct {
		environ    []string
		openSearch int
	}{
		"one release":       {nil, 1},
		"two releases":      {[]string{"STREAMGATE_BASE=maven:3.6.0"}, 2},
		"the same twice":    {[]string{"STREAMGATE_BASE=maven:3.8.0"}, 1},
		"a distribution":    {[]string{"STREAMGATE_OPENSEARCH=dist:/not/there"}, 0},
		"against a release": {[]string{"STREAMGATE_OPENSEARCH=dist:/not/there", "STREAMGATE_BASE=maven:3.6.0"}, 1},
		"someone's image":   {[]string{"STREAMGATE_OPENSEARCH=image:example.org/opensearch:pr"}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			code, out, errs := process(t, c.environ, "ci", "images")
			require.Equal(t, 0, code, errs)
			assert.Equal(t, c.openSearch, strings.Count(out, "streamgate/opensearch:"))
			assert.Regexp(t, `(?:^|\n)streamgate/minio:\w+\nstreamgate/toxiproxy:\w+\n$`, out)
			assert.Equal(t, c.openSearch+2, strings.Count(out, "\n"))
		})
	}
}

// Are like runs compared and unlike ones refused?
func TestCompare(t *testing.T) {
	a, b := written(t, bundletest.Run(), true), written(t, slower(), true)
	code, out, errs := streamgate(t, "compare", a, b)
	assert.Equal(t, 0, code, errs)
	assert.Contains(t, out, "+200.0 %")

	other := bundletest.Run()
	other.Environment.Machine.Cores = 16
	code, out, _ = streamgate(t, "compare", a, written(t, other, true))
	assert.Equal(t, 2, code)
	assert.Contains(t, out, "not compared, the runs differ in 1 condition")
	assert.NotContains(t, out, "change")
}

// Does every wrong call and every refused bundle end with 2 and one line?
func TestRefusals(t *testing.T) {
	broken := written(t, bundletest.Run(), true)
	require.NoError(t, os.Remove(filepath.Join(broken, bundle.EnvironmentFile)))
	whole := written(t, bundletest.Run(), true)
	for name, c := range map[string]struct {
		arguments []string
		words     string
	}{
		"no folder":           {[]string{"judge"}, "judge wants DIR, a bundle or a folder of bundles such as out; see streamgate judge --help"},
		"two folders":         {[]string{"judge", whole, "b"}, `judge has all it wants, and got "b" too; see streamgate judge --help`},
		"missing folder":      {[]string{"judge", filepath.Join(t.TempDir(), "missing")}, "missing: no such folder: want a folder that a gate or a comparison has left in out/, or out itself"},
		"broken":              {[]string{"judge", broken}, "environment.json is missing: want a folder that a gate or a comparison has left"},
		"unknown flag":        {[]string{"judge", "--fast", whole}, "unknown flag: --fast; see streamgate judge --help"},
		"unknown command":     {[]string{"jugde"}, `unknown command "jugde", did you mean streamgate judge?; see streamgate --help`},
		"nothing near":        {[]string{"frobnicate"}, `unknown command "frobnicate"; see streamgate --help`},
		"unknown subcommand":  {[]string{"ci", "verdct"}, `unknown command "verdct", did you mean streamgate ci verdict?; see streamgate ci --help`},
		"argument of doctor":  {[]string{"doctor", "x"}, `doctor takes no argument, and got "x"; see streamgate doctor --help`},
		"argument of up":      {[]string{"up", "x"}, `up takes no argument, and got "x"; see streamgate up --help`},
		"argument of clean":   {[]string{"clean", "out"}, `clean takes no argument, and got "out"; see streamgate clean --help`},
		"no bundle":           {[]string{"compare"}, "compare wants two bundles, A and B, such as folders in out/; see streamgate compare --help"},
		"one bundle only":     {[]string{"compare", whole}, "compare wants a second bundle, B; see streamgate compare --help"},
		"compare to broken":   {[]string{"compare", whole, broken}, "environment.json is missing"},
		"history of nothing":  {[]string{"ci", "history", "history.ndjson"}, "history wants DIR..., bundles or folders of bundles"},
		"run-code of letters": {[]string{"ci", "verdict", "--run-code", "x", "out"}, `see streamgate ci verdict --help`},
	} {
		t.Run(name, func(t *testing.T) {
			code, out, errs := streamgate(t, c.arguments...)
			assert.Equal(t, 2, code)
			assert.Empty(t, out)
			assert.Contains(t, errs, c.words)
			assert.True(t, strings.HasPrefix(errs, "streamgate: "))
			assert.NotRegexp(t, `\n.`, errs)
		})
	}
}

// Does the command without arguments help?
func TestHelp(t *testing.T) {
	code, out, _ := streamgate(t)
	assert.Equal(t, 0, code)
	for _, words := range []string{"judge", "compare"} {
		assert.Contains(t, out, words)
	}
}

// Does a run that left no verdict ever end with 0? Its rounds would pass.
func TestJudgeOfAnUnfinishedRun(t *testing.T) {
	dir := written(t, bundletest.Run(), false)
	code, out, errs := streamgate(t, "judge", dir)
	assert.Equal(t, 3, code, errs)
	assert.Contains(t, out, "incomplete: the run left no verdict")
	code, _, _ = streamgate(t, "judge", written(t, slower(), false))
	assert.Equal(t, 1, code, "what fails already fails")
}
