package main

import (
	"bytes"
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
			r.Wall, r.Total = r.Wall+2*r.Total, 3*r.Total
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
		"no folder":         {[]string{"judge"}, "accepts 1 arg(s), received 0"},
		"missing folder":    {[]string{"judge", filepath.Join(t.TempDir(), "missing")}, "open bundle missing: environment.json is missing"},
		"broken":            {[]string{"judge", broken}, "environment.json is missing"},
		"unknown flag":      {[]string{"judge", "--fast", whole}, "unknown flag: --fast"},
		"unknown command":   {[]string{"jugde"}, `unknown command "jugde"`},
		"one bundle only":   {[]string{"compare", whole}, "accepts 2 arg(s), received 1"},
		"compare to broken": {[]string{"compare", whole, broken}, "environment.json is missing"},
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
