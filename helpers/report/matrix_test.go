package report

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"streamgate/helpers/bundle"
)

// cells are a release that was measured and one that was not.
func cells() []Cell {
	run := passing()
	return []Cell{{Name: "maven:3.8.0", Run: &run}, {Name: "maven:3.6.0", Missing: "node-1 ended with <exit> code 1"}}
}

// Has each version its row with all that is asked of it, as text, Markdown and page, and has one that
// was not measured a row too, with the reason? The run's numbers are those of its own report.
func TestMatrix(t *testing.T) {
	dir := t.TempDir()
	text, err := Matrix(dir, "Versions", cells())
	require.NoError(t, err)
	lines := strings.Split(text, "\n")
	assert.Regexp(t, `^ *OpenSearch +time single +time multi +ratio +interval +efficiency +verdict`, lines[0])
	assert.Regexp(t, `^ *maven:3\.8\.0 +\d+\.\d{3} s +\d+\.\d{3} s +[\d.]+ +[\d.]+ to [\d.]+ +\d+ % +pass`, lines[1])
	assert.Regexp(t, `^ *maven:3\.6\.0( +–){5} +not measured`, lines[2])
	assert.Contains(t, text, "maven:3.6.0 was not measured: node-1 ended with")

	run := passing()
	single, multi := summarise(run, run.Environment.Arms[0]), summarise(run, run.Environment.Arms[1])
	assert.Contains(t, lines[1], seconds(single.Time))
	assert.Contains(t, lines[1], seconds(multi.Time))
	assert.Contains(t, lines[1], percent(*run.Verdict.Claims[1].Estimate))

	markdown, err := os.ReadFile(filepath.Join(dir, MatrixMarkdown))
	require.NoError(t, err)
	assert.Contains(t, string(markdown), "| maven:3.8.0 | "+seconds(single.Time)+" | ")
	assert.Contains(t, string(markdown), "&lt;exit&gt;")
	assert.NotContains(t, string(markdown), "<exit>")

	page, err := os.ReadFile(filepath.Join(dir, MatrixHTML))
	require.NoError(t, err)
	library, err := echarts()
	require.NoError(t, err)
	own := strings.Replace(string(page), library, "", 1)
	require.Less(t, len(own), 100_000, "the library was found and taken out")
	assert.NotRegexp(t, `(?i)\b(src|href)\s*=|@import|url\(|https?://`, own)
	assert.Contains(t, own, `data-chart="matrix"`)
}

// Does the chart show what the table says: two times, the ratio on its own axis, the efficiency at
// its point, and a gap where nothing was measured?
func TestMatrixChart(t *testing.T) {
	content, err := json.Marshal(matrixChart(cells()).Option)
	require.NoError(t, err)
	assert.Equal(t, 1, strings.Count(string(content), `"right":"56"`), "room for the second axis")
	assert.NotContains(t, string(content), `"right":"28"`)
	var option struct {
		YAxis  []struct{ Name string }
		Series []struct {
			Name       string
			Type       string
			YAxisIndex int
			Data       []struct {
				Name  string
				Value any
			}
		}
	}
	require.NoError(t, json.Unmarshal(content, &option))
	require.Len(t, option.YAxis, 2)
	assert.Equal(t, "recovery time (s)", option.YAxis[0].Name)
	assert.Equal(t, "ratio (times)", option.YAxis[1].Name)
	require.Len(t, option.Series, 3)
	run := passing()
	assert.InDelta(t, summarise(run, run.Environment.Arms[0]).Time.Seconds(), option.Series[0].Data[0].Value, 0.001)
	assert.InDelta(t, summarise(run, run.Environment.Arms[1]).Time.Seconds(), option.Series[1].Data[0].Value, 0.001)
	ratio := option.Series[2]
	assert.Equal(t, "line", ratio.Type)
	assert.Equal(t, 1, ratio.YAxisIndex)
	assert.InDelta(t, *run.Verdict.Claims[0].Estimate, ratio.Data[0].Value, 0.01)
	assert.Equal(t, percent(*run.Verdict.Claims[1].Estimate), ratio.Data[0].Name)
	for _, series := range option.Series {
		assert.Equal(t, "-", series.Data[1].Value, series.Name)
	}
}

// Does a report say what ran where when a run had two stacks? Both versions are in its headline, and
// the second stack's source, files and link among its facts.
func TestTwoStacksAreNamed(t *testing.T) {
	run := passing()
	run.Environment.Source = "maven:3.8.0"
	run.Environment.Stacks = []bundle.Stack{{
		Name: "candidate", Arms: []string{"multi"}, Source: "maven:3.9.0", OpenSearch: "3.9.0",
		Files: run.Environment.Files, Measured: run.Environment.Link.Measured, Image: bundle.Image{Reference: "streamgate/opensearch:77"},
	}}
	assert.Contains(t, headline(run), "OpenSearch 3.8.0, candidate 3.9.0")
	found := map[string]string{}
	for _, f := range facts(run) {
		found[f.Name] = f.Value
	}
	assert.Equal(t, "3.8.0 from maven:3.8.0", found["OpenSearch"])
	assert.Contains(t, found["stack candidate"], "OpenSearch 3.9.0 from maven:3.9.0, 52 files, ")
	assert.Contains(t, found["stack candidate"], "arms multi")
	assert.Equal(t, found["link measured"], found["link measured on candidate"])
	assert.Contains(t, found["image opensearch on candidate"], "streamgate/opensearch:77")
}
