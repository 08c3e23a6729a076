package report

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"streamgate/helpers/bundle"
	"streamgate/helpers/recovery"
)

// straightRun is a run whose recoveries lie on a line: a second, and then what the link of 10 MB/s a
// connection carries. Its size of 4 GB was measured with 8 streams only.
func straightRun() ScaleRun {
	run := ScaleRun{
		RunID: "0123abcd", OpenSearch: "3.8.0", Segments: 50, HeapBytes: 1 << 30, LinkRateBytes: 10_000_000,
		Machine: bundle.Host{Cores: 2},
	}
	for _, corpusBytes := range []int64{50_000_000, 200_000_000, 1_000_000_000, 4_000_000_000} {
		for _, streams := range []int{1, 8} {
			p := ScalePoint{CorpusBytes: corpusBytes, Streams: streams, IndexBytes: corpusBytes + corpusBytes/20, Files: 150}
			p.Best = duration(float64(p.IndexBytes) / 1e7 / float64(streams))
			if corpusBytes > 1_000_000_000 && streams == 1 {
				p.Missing = "best possible is 7 min <and> more"
				run.Points = append(run.Points, p)
				continue
			}
			for round := range 3 {
				r := ScaleRecovery{CorpusBytes: corpusBytes, Memory: Memory{Samples: 9, HeapBytes: int64(300_000_000 + round), DirectBytes: int64(streams) * 1_000_000}}
				r.Round, r.WarmUp, r.Total = round, round == 0, p.Best+time.Second
				r.Evidence = recovery.Evidence{DownloadedBytes: p.IndexBytes, CPU: 0.5}
				if r.WarmUp {
					r.Total, r.Evidence.CPU = 2*r.Total, 1
				}
				p.Recoveries = append(p.Recoveries, r)
			}
			run.Points = append(run.Points, p)
		}
	}
	return run
}

// pointOf finds a point of a run.
func pointOf(run ScaleRun, corpusBytes int64, streams int) *ScalePoint {
	for i, p := range run.Points {
		if p.CorpusBytes == corpusBytes && p.Streams == streams {
			return &run.Points[i]
		}
	}
	return nil
}

// tableNamed finds a table by how its heading begins.
func tableNamed(t *testing.T, run ScaleRun, heading string) [][]string {
	t.Helper()
	for _, table := range scaleTables(run) {
		if strings.HasPrefix(table.Heading, heading) {
			for _, row := range table.Rows {
				require.Len(t, row, len(table.Heads), heading)
			}
			return table.Rows
		}
	}
	require.Fail(t, "no such table", heading)
	return nil
}

// Does every size have its row, with the median, the spread and the best possible time, and does
// one that was not measured keep its row with what was computed? Warm-ups and invalid recoveries
// must move nothing.
func TestScaleTimes(t *testing.T) {
	run := straightRun()
	slow := pointOf(run, 200_000_000, 8)
	slow.Recoveries[2].Total += 200 * time.Millisecond
	slow.Recoveries[2].Evidence.CPU = 0.7
	wrong := slow.Recoveries[1]
	wrong.Total, wrong.Evidence.CPU, wrong.Invalid = time.Hour, 1, []string{"the download was given up <for> a peer copy"}
	slow.Recoveries = append(slow.Recoveries, wrong)

	rows := tableNamed(t, run, "Time of a recovery")
	require.Len(t, rows, 8)
	assert.Equal(t, []string{"50 MB", "1", "52.5 MB", "6.250 s", "6.25 to 6.25", "5.250 s", "84 %", "8.4 MB/s", "50 %"}, rows[0])
	assert.Equal(t, []string{"200 MB", "8", "210 MB", "3.725 s", "3.62 to 3.83", "2.625 s", "70 %", "56.38 MB/s", "60 %"}, rows[3])
	assert.Equal(t, []string{"4 GB", "1", "4.2 GB", "–", "not measured", "420.000 s", "–", "–", "–"}, rows[6])
	assert.Contains(t, strings.Join(scaleNotes(run), "\n"), "200 MB with 8 streams: left out, since invalid: 1 recovery; the first because the download was given up")
	assert.Contains(t, strings.Join(scaleNotes(run), "\n"), "4 GB with 1 stream: not measured: best possible is 7 min")
}

// Is the memory of each size and number of streams the highest of its recoveries, and a dash where
// nothing was measured?
func TestScaleMemory(t *testing.T) {
	run := straightRun()
	pointOf(run, 50_000_000, 8).Recoveries[1].Memory = Memory{HeapBytes: 412_000_000, CollectedBytes: 101_000_000, ContainerBytes: 900_000_000}
	pointOf(run, 50_000_000, 8).Recoveries[0].Memory.HeapBytes = 999_000_000 // of the warm-up
	rows := tableNamed(t, run, "Memory")
	require.Len(t, rows, 16)
	assert.Equal(t, []string{"50 MB, heap", "300 MB", "412 MB"}, rows[0])
	assert.Equal(t, []string{"50 MB, heap after a collection", "–", "101 MB"}, rows[1])
	assert.Equal(t, []string{"50 MB, direct buffers", "1 MB", "8 MB"}, rows[2])
	assert.Equal(t, []string{"50 MB, container", "–", "900 MB"}, rows[3])
	assert.Equal(t, []string{"4 GB, heap", "–", "300 MB"}, rows[12])

	pointOf(run, 4_000_000_000, 8).Recoveries = nil
	assert.Len(t, tableNamed(t, run, "Memory"), 12, "a size that was not measured has no rows")
}

// Does the prediction follow the line, and is it called an extrapolation, beside what the seed
// measured? 36,662,256,654 bytes at 10 MB/s are 3666.2 s, and a second before them.
func TestScalePrediction(t *testing.T) {
	run := straightRun()
	rows := tableNamed(t, run, "Prediction for the seed's 36.7 GB")
	require.Len(t, rows, 2)
	assert.Equal(t, []string{"1", "6", "1.00 s", "10 MB/s", "100 %", "0.0 %", "61.1 min", "35×", "61.1 to 61.1 min"}, rows[0])
	assert.Equal(t, []string{"8", "8", "1.00 s", "80 MB/s", "100 %", "0.0 %", "7.7 min", "8.7×", "7.7 to 7.7 min"}, rows[1])
	notes := scaleNotes(run)
	assert.Contains(t, notes[0], "36.7 GB is a prediction, not a measurement: it is an extrapolation, 8.7 to 35 times as far")
	assert.Contains(t, notes[0], "the same link, 10 MB/s a connection; about as many files (50 segments)")
	assert.Contains(t, notes[1], "14.867 min without multistream, 4.599 min with it")
	assert.NotContains(t, strings.Join(notes, "\n"), "set the pace on this machine")

	within := predict(run.Points, 8, 2_000_000_000)
	assert.LessOrEqual(t, within.Beyond, 1.0)
	assert.InDelta(t, 26, within.Time.Seconds(), 0.001)
	assert.InDelta(t, 5.25, predict(run.Points, 8, 10_000_000).Beyond, 0.001, "below the smallest size is no less an extrapolation")
}

// Is a number of streams that the link does not hold back told from the others? Here 8 streams get
// half of what the link gives.
func TestScaleSlowMachine(t *testing.T) {
	run := straightRun()
	for i, p := range run.Points {
		for j := range p.Recoveries {
			if p.Streams == 8 {
				run.Points[i].Recoveries[j].Total += p.Best
			}
		}
	}
	notes := strings.Join(scaleNotes(run), "\n")
	assert.Contains(t, notes, "With 8 streams the line rises at 40 MB/s, 50 % of what the link gives")
	assert.NotContains(t, notes, "With 1 stream the line")

	run.LinkRateBytes /= 2
	notes = strings.Join(scaleNotes(run), "\n")
	assert.Contains(t, notes, "With 1 stream the line rises at 10 MB/s, more than the link gives")
	assert.NotContains(t, notes, "With 8 streams the line")
}

// What is said without enough to lay a line through: of one size, and of none?
func TestScaleWithoutPrediction(t *testing.T) {
	run := straightRun()
	run.Points = run.Points[:2]
	text := scaleText(run)
	assert.Contains(t, text, "No prediction with 1 stream: recoveries of one size make no line")
	assert.NotContains(t, text, "is a prediction")
	run.Points[0].Recoveries, run.Points[1].Recoveries = nil, nil
	assert.Contains(t, scaleText(run), "not measured")
	_, err := json.Marshal(scaleChart(run).Option)
	require.NoError(t, err)
}

// Do the files hold what the text holds, is what was read from outside neither markup nor a link,
// and does the page load nothing? The data must be there to be read again.
func TestScaleFiles(t *testing.T) {
	dir := t.TempDir()
	run := straightRun()
	text, err := Scale(dir, run)
	require.NoError(t, err)
	for _, words := range []string{"Replica recovery by size and streams: OpenSearch 3.8.0, 10 MB/s a connection, 2 cores", "not measured", "61.1 min", "<and>"} {
		assert.Contains(t, text, words)
	}
	keepsWithin(t, wideColumns, text)

	markdown, err := os.ReadFile(filepath.Join(dir, ScaleMarkdown))
	require.NoError(t, err)
	assert.Contains(t, string(markdown), "| 50 MB | 1 | 52.5 MB | 6.250 s |")
	assert.Contains(t, string(markdown), "&lt;and&gt;")
	assert.NotContains(t, string(markdown), "<and>")

	page, err := os.ReadFile(filepath.Join(dir, ScaleHTML))
	require.NoError(t, err)
	library, err := echarts()
	require.NoError(t, err)
	own := strings.Replace(string(page), library, "", 1)
	require.Less(t, len(own), 100_000, "the library was found and taken out")
	assert.NotRegexp(t, `(?i)\b(src|href)\s*=|@import|url\(|https?://`, own)
	assert.Contains(t, own, `data-chart="scale"`)
	assert.Contains(t, own, "&lt;and&gt;")
	assert.NotContains(t, own, "<and>")

	content, err := os.ReadFile(filepath.Join(dir, ScaleJSON))
	require.NoError(t, err)
	var again ScaleRun
	require.NoError(t, json.Unmarshal(content, &again))
	require.Len(t, again.Points, 8)
	assert.Equal(t, run.Points[7].Best, again.Points[7].Best)
	one, err := json.Marshal(run.Points[7].Recoveries[1])
	require.NoError(t, err)
	var back ScaleRecovery
	require.NoError(t, json.Unmarshal(one, &back))
	assert.Equal(t, run.Points[7].Recoveries[1].Memory, back.Memory)
	assert.Equal(t, run.Points[7].Recoveries[1].Total, back.Total)
}

// drawnSeries is a series of the chart as the page reads it.
type drawnSeries struct {
	Name      string
	LineStyle struct{ Type string }
	Data      []struct {
		Value  []float64
		Symbol string
	}
}

// Does the chart show what the tables say, on two logarithmic axes: medians, the way to the
// prediction, the seed?
func TestScaleChart(t *testing.T) {
	content, err := json.Marshal(scaleChart(straightRun()).Option)
	require.NoError(t, err)
	var option struct {
		XAxis, YAxis []struct{ Name, Type string }
		Series       []drawnSeries
	}
	require.NoError(t, json.Unmarshal(content, &option))
	require.Len(t, option.XAxis, 1)
	require.Len(t, option.YAxis, 1)
	assert.Equal(t, "log", option.XAxis[0].Type)
	assert.Equal(t, "log", option.YAxis[0].Type)
	assert.Contains(t, option.XAxis[0].Name, "MB")
	assert.Contains(t, option.YAxis[0].Name, "(s")

	require.Len(t, option.Series, 5)
	series := map[string]drawnSeries{}
	for _, each := range option.Series {
		series[each.Name] = each
	}
	one := series["1 stream"]
	require.Len(t, one.Data, 3, "4 GB was not measured with one stream")
	assert.Equal(t, []float64{52.5, 6.25}, one.Data[0].Value)
	assert.Equal(t, []float64{1050, 106}, one.Data[2].Value)
	assert.Len(t, series["8 streams"].Data, 4)
	ahead := series["1 stream, predicted"]
	assert.Equal(t, "dashed", ahead.LineStyle.Type)
	assert.Equal(t, []float64{1050, 106}, ahead.Data[0].Value, "it goes on where the measured line ends")
	end := ahead.Data[len(ahead.Data)-1]
	assert.Equal(t, "diamond", end.Symbol)
	assert.InDelta(t, 36662, end.Value[0], 0.5)
	assert.InDelta(t, 3667.2, end.Value[1], 0.1)
	for i, point := range ahead.Data[:len(ahead.Data)-1] {
		assert.Equal(t, "none", point.Symbol)
		assert.Less(t, point.Value[0], ahead.Data[i+1].Value[0], "points rise")
	}
	seed := series["seed report"].Data
	assert.InDelta(t, 892.045, seed[0].Value[1], 0.001)
	assert.InDelta(t, 275.944, seed[1].Value[1], 0.001)
}
