package github_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"streamgate/helpers/bundle"
	"streamgate/helpers/bundle/bundletest"
	"streamgate/helpers/cmd/streamgate/github"
	"streamgate/helpers/report"
)

// written puts a whole bundle below out.
func written(t *testing.T, out string, run bundle.Run) (name string) {
	t.Helper()
	run.Verdict = bundletest.Judge(run)
	w, err := bundle.Create(out, run.Environment.Suite, run.Environment.RunID, run.Environment)
	require.NoError(t, err)
	for _, r := range run.Recoveries {
		require.NoError(t, w.Append(r))
	}
	_, err = report.Write(w.Dir(), w.Environment(), run.Recoveries, run.Verdict)
	require.NoError(t, err)
	require.NoError(t, w.Finish(run.Verdict))
	return filepath.Base(w.Dir())
}

// slow fails its speed-up and its efficiency: the arm multi takes three times as long. Its
// bounds come from variables of a profile.
func slow() bundle.Run {
	run := bundletest.Run()
	for i := range run.Environment.Claims {
		variable := []string{"STREAMGATE_MIN_SPEEDUP", "STREAMGATE_MIN_EFFICIENCY"}[i]
		run.Environment.Claims[i] = run.Environment.Claims[i].From("profile quick, " + variable)
	}
	for i := range run.Recoveries {
		if r := &run.Recoveries[i]; r.Arm.Name == "multi" {
			bundletest.Slow(r, 3)
		}
	}
	return run
}

// later is the same run that much later.
func later(run bundle.Run, by time.Duration) bundle.Run {
	run.Environment.Start = run.Environment.Start.Add(by)
	for i := range run.Recoveries {
		run.Recoveries[i].Start = run.Recoveries[i].Start.Add(by)
	}
	return run
}

// hostile has a fault whose text tries to end its line and to be a command of its own.
func hostile() bundle.Run {
	run := bundletest.Run()
	last := &run.Recoveries[len(run.Recoveries)-1]
	last.Evidence.Fallback = []string{"100%\r\n::stop-commands::x\n::error file=a,line=1::b"}
	last.Invalid = []string{"the download was given up for a peer copy: " + last.Evidence.Fallback[0]}
	return run
}

// fake is a job with files instead of GitHub.
func fake(t *testing.T) (github.Job, *bytes.Buffer) {
	t.Helper()
	dir := t.TempDir()
	var out bytes.Buffer
	return github.Job{SummaryFile: filepath.Join(dir, "summary.md"), OutputFile: filepath.Join(dir, "output"), Out: &out}, &out
}

func content(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	return string(text)
}

// Are summary and outputs those of the newest bundle? Two are there; the later one fails.
func TestSummary(t *testing.T) {
	job, out := fake(t)
	dir := t.TempDir()
	written(t, dir, bundletest.Run())
	name := written(t, dir, later(slow(), time.Hour))

	require.NoError(t, github.Summary(job, dir))
	run, err := bundle.Open(filepath.Join(dir, name))
	require.NoError(t, err)
	ratio := run.Verdict.Claims[0].Estimate
	assert.Regexp(t, "^## multistream, profile quick, 6 rounds, OpenSearch 3.8.0: fail\n", content(t, job.SummaryFile))
	lines := strings.Split(strings.TrimSuffix(content(t, job.OutputFile), "\n"), "\n")
	require.Len(t, lines, 6)
	assert.Equal(t, "verdict=fail", lines[0])
	assert.Equal(t, "claim="+run.Verdict.Claims[0].Claim.Name, lines[1])
	assert.Equal(t, "ratio="+strconv.FormatFloat(*ratio, 'f', -1, 64), lines[2])
	assert.Regexp(t, `^lower=\d\.\d+$`, lines[3])
	assert.Regexp(t, `^upper=\d\.\d+$`, lines[4])
	assert.Equal(t, "bundle="+name, lines[5])
	assert.Empty(t, out.String())
}

// Does a run without a bundle, or with one that contradicts itself, still get a summary and
// outputs that say so?
func TestSummaryWithoutBundle(t *testing.T) {
	job, _ := fake(t)
	require.NoError(t, github.Summary(job, filepath.Join(t.TempDir(), "never made")))
	assert.Contains(t, content(t, job.SummaryFile), "streamgate: none")
	assert.Contains(t, content(t, job.OutputFile), "verdict=none\nclaim=\nratio=\n")

	job, _ = fake(t)
	dir := t.TempDir()
	name := written(t, dir, bundletest.Run())
	require.NoError(t, os.Remove(filepath.Join(dir, name, bundle.SummaryFile)))
	require.NoError(t, github.Summary(job, dir))
	assert.Contains(t, content(t, job.SummaryFile), "summary.md is missing")
	assert.Contains(t, content(t, job.OutputFile), "verdict=refused\n")
}

// Does the summary stay within what GitHub takes, also when the step has written a lot
// already? Below the limit all of it is written, near it a line, above it an error tells.
func TestSummaryLimit(t *testing.T) {
	dir := t.TempDir()
	written(t, dir, bundletest.Run())
	for name, c := range map[string]struct {
		used  int
		words string
	}{
		"room":      {0, "Recoveries and their evidence"},
		"little":    {github.MaxSummaryBytes - 1000, "too long for what is left"},
		"not a bit": {github.MaxSummaryBytes, ""},
	} {
		t.Run(name, func(t *testing.T) {
			job, _ := fake(t)
			require.NoError(t, os.WriteFile(job.SummaryFile, bytes.Repeat([]byte("x"), c.used), 0o600))
			err := github.Summary(job, dir)
			text := content(t, job.SummaryFile)
			assert.LessOrEqual(t, len(text), github.MaxSummaryBytes)
			assert.Contains(t, text[c.used:], c.words)
			assert.Equal(t, c.words == "", err != nil)
			assert.Contains(t, content(t, job.OutputFile), "verdict=pass\n", "outputs do not depend on the summary")
		})
	}
}

// Is everything printed where no GitHub is?
func TestSummaryOutsideOfGitHub(t *testing.T) {
	dir := t.TempDir()
	written(t, dir, bundletest.Run())
	var out bytes.Buffer
	require.NoError(t, github.Summary(github.JobIn(func(string) string { return "" }, &out), dir))
	assert.Contains(t, out.String(), "## multistream")
	assert.Contains(t, out.String(), "verdict=pass\n")
}

// Does the last step end as the verdict says, and is no error of the run turned green?
func TestVerdict(t *testing.T) {
	for name, c := range map[string]struct {
		run     func() bundle.Run
		runCode int
		code    int
		words   string
	}{
		"pass":             {bundletest.Run, 0, 0, "PASS\n"},
		"fail":             {slow, 2, 1, "FAIL\n"},
		"invalid":          {hostile, 2, 4, "INVALID\n"},
		"pass, run failed": {bundletest.Run, 2, 1, "but the run ended with exit code 2"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			written(t, dir, c.run())
			var out bytes.Buffer
			code, err := github.Verdict(&out, dir, c.runCode)
			require.NoError(t, err)
			assert.Equal(t, c.code, code)
			assert.Contains(t, out.String(), c.words)
		})
	}
	// A runner takes any line that begins with two colons, and "##[" anywhere, for a command.
	injected := bundletest.Run()
	injected.Recoveries[5].Invalid = []string{"boom\n::error title=pwn::hi\r::add-mask::quick ##[error]\x1b[31m"}
	injected.Verdict = bundletest.Judge(injected)
	dir := t.TempDir()
	written(t, dir, injected)
	var said bytes.Buffer
	_, err := github.Verdict(&said, dir, 0)
	require.NoError(t, err)
	assert.Contains(t, said.String(), "::add-mask::quick")
	assert.NotRegexp(t, `(?m)^\s*::|##\[|[\r\x1b]`, said.String())

	var out bytes.Buffer
	code, err := github.Verdict(&out, t.TempDir(), 0)
	require.NoError(t, err)
	assert.Equal(t, 1, code)
	assert.Contains(t, out.String(), "no bundle")
}
