package report

import (
	"bytes"
	"encoding/xml"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/perf/benchfmt"

	"streamgate/helpers/bundle"
	"streamgate/helpers/bundle/bundletest"
	"streamgate/helpers/recovery"
	"streamgate/helpers/verdict"
)

var update = flag.Bool("update", false, "write the golden files anew")

// The runs that reports are tried on: one for each outcome, and a killed one.
func passing() bundle.Run { return bundletest.Run() }

func failing() bundle.Run {
	run := bundletest.Run()
	for i := range run.Recoveries {
		if r := &run.Recoveries[i]; r.Arm.Name == "multi" {
			bundletest.Slow(r, 3)
			r.Evidence.CPU = 0.97
		}
	}
	run.Verdict = bundletest.Judge(run)
	return run
}

func invalid() bundle.Run {
	run := bundletest.Run()
	r := &run.Recoveries[9]
	r.Evidence.DownloadedBytes, r.Evidence.FailedBytes = 8_000_000, 8_000_000
	r.Evidence.Fallback = []string{"[node-2] Exception while downloading segment files from remote store, will continue with peer to peer segment copy"}
	r.Evidence.PeerFiles = 52
	r.Invalid = recovery.Prove(r.Arm, r.Evidence)
	run.Verdict = bundletest.Judge(run)
	return run
}

func killed() bundle.Run {
	run := bundletest.Run()
	run.Recoveries = run.Recoveries[:9]
	run.Incomplete = "incomplete: the run left no verdict, 3 rounds judged"
	run.Verdict = bundletest.Judge(run)
	return run
}

// narrow is a run that ended before its first recovery, because of its link.
func narrow() bundle.Run {
	run := bundletest.Run()
	run.Recoveries = nil
	run.Environment.Link.Measured.RateEach /= 3
	run.Verdict = bundletest.Judge(run)
	return run
}

// hostile has markup wherever a run holds a text that comes from outside.
func hostile() bundle.Run {
	const text = `</script><script>alert(1)</script>|*_[x](https://example.com)` + "`\n@somebody\x00\x1b[31m"
	run := bundletest.Run()
	run.Environment.Profile, run.Environment.OpenSearch, run.Environment.Machine.CPUModel = text, text, text
	run.Environment.Settings[0].Value = text
	run.Environment.Claims[0].Origin = text
	run.Environment.Claims[0].Quantity = text
	run.Recoveries[3].Invalid = []string{text}
	run.Verdict = bundletest.Judge(run)
	return run
}

var runs = map[string]func() bundle.Run{
	"pass": passing, "fail": failing, "invalid": invalid, "killed": killed, "narrow": narrow, "hostile": hostile, "target": bundletest.OnTarget,
}

// Do the reports look as they were when somebody last looked at them? Each is compared
// with its golden file; `go test -update` writes those anew, to be read before committing.
func TestGolden(t *testing.T) {
	for name, run := range runs {
		for kind, render := range map[string]func(io.Writer, bundle.Run) error{
			"txt": Text, "md": Markdown, "xml": JUnit, "bench": Benchmark,
		} {
			t.Run(name+"."+kind, func(t *testing.T) {
				var got bytes.Buffer
				require.NoError(t, render(&got, run()))
				path := filepath.Join("testdata", name+"."+kind)
				if *update {
					require.NoError(t, os.WriteFile(path, got.Bytes(), 0o600))
				}
				want, err := os.ReadFile(path)
				require.NoError(t, err)
				assert.Equal(t, string(want), got.String())
			})
		}
	}
}

// Does the text fit a terminal of 80 columns, whatever the run holds?
func TestTextKeepsWithinColumns(t *testing.T) {
	for name, run := range runs {
		t.Run(name, func(t *testing.T) {
			run := run()
			run.Environment.Arms[0].Name = strings.Repeat("long", 10)
			var got bytes.Buffer
			require.NoError(t, Text(&got, run))
			keepsWithin(t, columns, got.String())
		})
	}
}

// Is the Markdown below 1 MiB even for a run with the most rounds and arms, and lines of
// log as long as they come? Does its verdict survive?
func TestMarkdownFitsAStepSummary(t *testing.T) {
	run := bundletest.Run()
	long := strings.Repeat("all & sundry | ", 500)
	for i := range 3000 {
		r := run.Recoveries[i%14]
		r.Round, r.WarmUp, r.Invalid = i/2+1, false, []string{long, long}
		run.Recoveries = append(run.Recoveries, r)
	}
	run.Verdict.Reasons = append(run.Verdict.Reasons, long)
	var got bytes.Buffer
	require.NoError(t, Markdown(&got, run))
	assert.Less(t, got.Len(), maxMarkdownBytes)
	assert.Contains(t, got.String(), ": pass")
	assert.Contains(t, got.String(), "A table is left out")

	for range 3000 {
		run.Verdict.Reasons = append(run.Verdict.Reasons, long)
	}
	got.Reset()
	require.NoError(t, Markdown(&got, run))
	assert.Less(t, got.Len(), maxMarkdownBytes)
	assert.Contains(t, got.String(), "Cut off here")
	assert.True(t, utf8.Valid(got.Bytes()))
}

// Can a text from outside become markup, a link or a mention in a pull request?
func TestMarkdownEscapes(t *testing.T) {
	var got bytes.Buffer
	require.NoError(t, Markdown(&got, hostile()))
	for _, markup := range []string{"<script", "[x](http", "@somebody", "://", "\x00\x1b[31m"} {
		assert.NotContains(t, got.String(), markup)
	}
	heads, cells := 0, 0
	for line := range strings.Lines(got.String()) {
		if strings.HasPrefix(line, "| ") {
			bars := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|")
			if strings.HasPrefix(line, "| round |") {
				heads = bars
			}
			if strings.Contains(line, " holds ") {
				cells = bars
				assert.Equal(t, heads, bars, line)
			}
		}
	}
	assert.Positive(t, cells)
}

// Does JUnit have one case per claim, red unless the run passes, with a text that explains
// itself? An invalid run has no green case, even for claims its bad recovery leaves alone.
func TestJUnitOutcomes(t *testing.T) {
	for name, c := range map[string]struct {
		run              bundle.Run
		failures, errors int
		words            string
	}{
		"pass":    {passing(), 0, 0, ""},
		"fail":    {failing(), 2, 0, "hint: "},
		"killed":  {killed(), 2, 0, "inconclusive"},
		"invalid": {invalid(), 0, 2, "given up for a peer copy"},
		"narrow":  {narrow(), 0, 2, "not OpenSearch, is being measured"},
		"hostile": {hostile(), 0, 2, "<script>alert(1)</script>"},
	} {
		t.Run(name, func(t *testing.T) {
			var content bytes.Buffer
			require.NoError(t, JUnit(&content, c.run))
			var got junitSuite
			require.NoError(t, xml.Unmarshal(content.Bytes(), &got))
			require.Len(t, got.Cases, 2)
			assert.Equal(t, 2, got.Tests)
			assert.Equal(t, c.failures, got.Failures)
			assert.Equal(t, c.errors, got.Errors)
			for _, each := range got.Cases {
				switch {
				case c.failures > 0:
					require.NotNil(t, each.Failure)
					assert.Contains(t, each.Failure.Text, c.words)
					assert.Contains(t, each.Failure.Text, "multi")
				case c.errors > 0:
					require.NotNil(t, each.Error)
					assert.Contains(t, each.Error.Text, c.words)
				default:
					assert.Nil(t, each.Failure)
					assert.Nil(t, each.Error)
				}
			}
		})
	}
}

// Can benchfmt read what was written, with better directions and only valid recoveries?
func TestBenchmarkIsReadable(t *testing.T) {
	var content bytes.Buffer
	require.NoError(t, Benchmark(&content, invalid()))
	reader := benchfmt.NewReader(&content, "results.bench")
	arms := map[string]int{}
	var first string
	for reader.Scan() {
		switch record := reader.Result().(type) {
		case *benchfmt.Result:
			_, parts := record.Name.Parts()
			require.Len(t, parts, 1)
			if first == "" {
				first = string(parts[0])
			}
			arms[string(parts[0])]++
			time, ok := record.Value(unitTime)
			require.True(t, ok)
			speed, ok := record.Value(unitRate)
			require.True(t, ok)
			assert.InDelta(t, 195.1e6, time*speed, 1e5)
		case *benchfmt.SyntaxError:
			require.NoError(t, record)
		}
	}
	require.NoError(t, reader.Err())
	assert.Equal(t, map[string]int{"/arm=single": 6, "/arm=multi": 5}, arms)
	assert.Equal(t, "/arm=single", first, "benchstat compares with the first one")
	units := reader.Units()
	assert.Equal(t, "lower", units.Get(unitTime, "better").Value)
	assert.Equal(t, "higher", units.Get(unitRate, "better").Value)
}

// Does a number that is not its limit ever look like it? That would be a red verdict whose
// numbers say green.
func TestFigureNeverLooksLikeTheLimit(t *testing.T) {
	for _, c := range []struct {
		number, limit float64
		want          string
	}{
		{5.8831, 3, "5.88"}, {2.9996, 3, "2.9996"}, {2.99999, 3, "2.99999"}, {3, 3, "3"}, {3.000461, 3, "3.0005"}, {0.70004, 0.7, "0.70004"},
	} {
		assert.Equal(t, c.want, figure(&c.number, c.limit))
	}
	assert.Equal(t, unknown, figure(nil, 3))
}

// Do the parts of an arm's time add up to it, and does none go below zero? The download is
// sampled, so it can come out below the best possible time or above the total.
func TestPartsAddUp(t *testing.T) {
	for _, download := range []time.Duration{time.Second, 2 * time.Second, 3 * time.Second, 9 * time.Second} {
		a := arm{Time: 4 * time.Second, Download: download, Best: 2 * time.Second}
		best, beyond, rest := a.parts()
		assert.Equal(t, a.Time, best+beyond+rest)
		assert.GreaterOrEqual(t, min(best, beyond, rest), time.Duration(0))
	}
}

// Does Write leave every report file of a bundle, so that it can be opened, and return the
// text? A run is written from beginning to end.
func TestWriteMakesAWholeBundle(t *testing.T) {
	run := passing()
	w, err := bundle.Create(t.TempDir(), run.Environment.Suite, run.Environment.RunID, run.Environment)
	require.NoError(t, err)
	for _, r := range run.Recoveries {
		require.NoError(t, w.Append(r))
	}
	text, err := Write(w.Dir(), w.Environment(), run.Recoveries, run.Verdict)
	require.NoError(t, err)
	require.NoError(t, w.Finish(run.Verdict))
	assert.Contains(t, text, "bundle: "+w.Dir())
	opened, err := bundle.Open(w.Dir())
	require.NoError(t, err)
	assert.Equal(t, verdict.Pass, opened.Verdict.Outcome)

	again, err := WriteRun(t.TempDir(), opened)
	require.NoError(t, err)
	assert.Equal(t, text, again, "the same run gives the same report")
	_, err = WriteRun(filepath.Join(t.TempDir(), "missing"), opened)
	require.ErrorContains(t, err, "write summary.md: ")
}

// keepsWithin asks that no line is wider, but for the one with the folder: it is there to be copied.
func keepsWithin(t *testing.T, most int, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if !strings.HasPrefix(line, "bundle: ") {
			assert.LessOrEqual(t, utf8.RuneCountInString(line), most, line)
		}
	}
}
