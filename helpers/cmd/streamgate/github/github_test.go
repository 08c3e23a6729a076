package github_test

import (
	"bytes"
	"encoding/csv"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"streamgate/helpers/bundle"
	"streamgate/helpers/bundle/bundletest"
	"streamgate/helpers/cmd/streamgate/github"
	"streamgate/helpers/config"
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
			r.Wall, r.Total = r.Wall+2*r.Total, 3*r.Total
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
	require.Len(t, lines, 5)
	assert.Equal(t, "verdict=fail", lines[0])
	assert.Equal(t, "ratio="+strconv.FormatFloat(*ratio, 'f', -1, 64), lines[1])
	assert.Regexp(t, `^lower=\d\.\d+$`, lines[2])
	assert.Regexp(t, `^upper=\d\.\d+$`, lines[3])
	assert.Equal(t, "bundle="+name, lines[4])
	assert.Empty(t, out.String())
}

// Does a run without a bundle, or with one that contradicts itself, still get a summary and
// outputs that say so?
func TestSummaryWithoutBundle(t *testing.T) {
	job, _ := fake(t)
	require.NoError(t, github.Summary(job, filepath.Join(t.TempDir(), "never made")))
	assert.Contains(t, content(t, job.SummaryFile), "streamgate: none")
	assert.Contains(t, content(t, job.OutputFile), "verdict=none\nratio=\n")

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

// Does each claim that fails get one error, at the line that declares its bound? The line is
// looked up in the source and must hold the bound.
func TestAnnotate(t *testing.T) {
	root, err := config.Root()
	require.NoError(t, err)
	dir := t.TempDir()
	name := written(t, dir, slow())
	var out bytes.Buffer
	require.NoError(t, github.Annotate(&out, dir, root))

	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	require.Len(t, lines, 2)
	source := strings.Split(content(t, filepath.Join(root, "helpers", "config", "profile.go")), "\n")
	for i, bound := range []string{"minSpeedup = 3.0", "minEfficiency = 0.6"} {
		parts := regexp.MustCompile(`^::error file=helpers/config/profile\.go,line=(\d+),title=streamgate%3A fail::(.*)$`).FindStringSubmatch(lines[i])
		require.NotNil(t, parts, lines[i])
		line, err := strconv.Atoi(parts[1])
		require.NoError(t, err)
		assert.Contains(t, source[line-1], bound)
		assert.Contains(t, parts[2], "demanded at least")
		assert.Contains(t, parts[2], "%0Abundle: "+name)
	}
}

// Is a pass left without annotations?
func TestAnnotatePass(t *testing.T) {
	dir := t.TempDir()
	written(t, dir, bundletest.Run())
	var out bytes.Buffer
	require.NoError(t, github.Annotate(&out, dir, "."))
	assert.Empty(t, out.String())
}

// Can a text from a log become a command, or more annotations than there are claims?
func TestAnnotateEscapes(t *testing.T) {
	dir := t.TempDir()
	written(t, dir, hostile())
	var out bytes.Buffer
	require.NoError(t, github.Annotate(&out, dir, "."))
	assert.Equal(t, 2, strings.Count(out.String(), "\n"), "one line for each claim")
	assert.Len(t, regexp.MustCompile(`(?m)^::`).FindAllString(out.String(), -1), 2)
	assert.NotContains(t, out.String(), "\r")
	assert.Contains(t, out.String(), "100%25")
}

// Does a run that no claim can be blamed for get one error? An empty folder has no bundle;
// a link that is not the nominal one makes the run invalid before its claims.
func TestAnnotateWithoutClaim(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, github.Annotate(&out, t.TempDir(), "."))
	assert.Equal(t, "::error title=streamgate::no bundle: the run ended before it measured anything, its log says why\n", out.String())

	out.Reset()
	dir := t.TempDir()
	run := bundletest.Run()
	run.Environment.Link.Measured.RateEach = 6_000_000
	run.Recoveries = run.Recoveries[:0]
	written(t, dir, run)
	require.NoError(t, github.Annotate(&out, dir, "."))
	assert.Contains(t, out.String(), "link: with 8 at once")
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
	var out bytes.Buffer
	code, err := github.Verdict(&out, t.TempDir(), 0)
	require.NoError(t, err)
	assert.Equal(t, 1, code)
	assert.Contains(t, out.String(), "no bundle")
}

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

	table, err := csv.NewReader(strings.NewReader(content(t, strings.TrimSuffix(file, ".ndjson")+"-multistream.csv"))).ReadAll()
	require.NoError(t, err)
	assert.Equal(t, []string{"time", "commit", "opensearch", "profile", "ratio", "lower", "upper"}, table[0])
	require.Len(t, table, 3)
	assert.Equal(t, "2026-11-30T19:00:00Z", table[1][0])
}

// Is a history that cannot be read left as it is?
func TestHistoryBroken(t *testing.T) {
	job, _ := fake(t)
	file := filepath.Join(t.TempDir(), "history.ndjson")
	require.NoError(t, os.WriteFile(file, []byte("{}\nnot JSON\n"), 0o600))
	require.ErrorContains(t, github.History(job, file, []string{t.TempDir()}), "history.ndjson line 2")
	assert.Equal(t, "{}\nnot JSON\n", content(t, file))
}
