package issues

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"streamgate/helpers/bundle"
	"streamgate/helpers/verdict"
)

// A report leaves out/<utc>-issues-<run>/<number>/ with these files; logs and what else a
// scenario keeps lie beside them.
const (
	recordFile     = "issue.json"
	recoveriesFile = "recoveries.ndjson"
)

// claim is what must hold, and what was measured.
type claim struct {
	Claim    string `json:"claim"`
	Measured string `json:"measured"`
	Demanded string `json:"demanded,omitempty"`
	Holds    bool   `json:"holds"`
}

func (c claim) String() string {
	text := c.Claim + ": " + c.Measured
	if c.Demanded != "" {
		text += ", demanded " + c.Demanded
	}
	return text
}

// record is what a run leaves of a report.
type record struct {
	Report     string          `json:"report"`
	Shows      string          `json:"shows"`
	OpenSearch string          `json:"opensearch"`
	Start      time.Time       `json:"start"`
	Took       time.Duration   `json:"took_ns"`
	Profile    string          `json:"profile"`
	Claims     []claim         `json:"claims"`
	Outcome    verdict.Outcome `json:"outcome"`
}

func (r report) name() string {
	var words []string
	for _, number := range r.numbers {
		words = append(words, strconv.Itoa(number))
	}
	return strings.Join(words, "_")
}

func (r report) link() string {
	var links []string
	for _, number := range r.numbers {
		links = append(links, fmt.Sprintf("opensearch-project/OpenSearch#%d", number))
	}
	return strings.Join(links, ", ")
}

// claim notes and prints a claim, and lets the test go on: all of them are worth seeing.
func (s *scenario) claim(what, measured, demanded string, holds bool) {
	s.t.Helper()
	c := claim{what, measured, demanded, holds}
	s.claims = append(s.claims, c)
	if holds {
		s.run.Say("holds: " + c.String())
		return
	}
	s.t.Errorf("does not hold: %s", c)
}

// outcome is pass when all claims were made and hold, invalid when the scenario ended before.
func (s *scenario) outcome() verdict.Outcome {
	failed := slices.ContainsFunc(s.claims, func(c claim) bool { return !c.Holds })
	switch {
	case failed:
		return verdict.Fail
	case s.t.Failed() || len(s.claims) == 0:
		return verdict.Invalid
	}
	return verdict.Pass
}

// finish writes the record, prints the verdict, and makes a scenario without claims a failure.
func (s *scenario) finish(start time.Time) {
	s.t.Helper()
	r := record{
		Report: s.report.link(), Shows: s.report.shows, OpenSearch: s.opensearch, Start: start.UTC(), Took: time.Since(start),
		Profile: s.run.Config.Profile.Name, Claims: s.claims, Outcome: s.outcome(),
	}
	if len(s.claims) == 0 && !s.t.Failed() {
		s.t.Error("the scenario claims nothing")
	}
	var lines bytes.Buffer
	encoder := json.NewEncoder(&lines)
	for _, recovery := range s.recoveries {
		assert.NoError(s.t, encoder.Encode(recovery))
	}
	content, err := json.MarshalIndent(r, "", "  ")
	assert.NoError(s.t, err)
	s.keepFile(recordFile, append(content, '\n'))
	s.keepFile(recoveriesFile, lines.Bytes())
	s.run.Say(fmt.Sprintf("verdict: %s after %s, %d claims; kept in %s",
		r.Outcome, r.Took.Round(time.Second), len(s.claims), filepath.Join(filepath.Base(s.catalogue.dir), s.report.name())))
}

// keepFile writes a file into the report's bundle.
func (s *scenario) keepFile(name string, content []byte) {
	s.t.Helper()
	assert.NoError(s.t, os.MkdirAll(s.dir, 0o755))
	assert.NoError(s.t, bundle.WriteFile(filepath.Join(s.dir, name), content))
}

const (
	readmeFile = "README.md"
	tableBegin = "<!-- table: go test ./suites/issues -update -->\n"
	tableEnd   = "<!-- end of table -->"
	tableHead  = "| report | what it shows | versions | command | measured here |\n|---|---|---|---|---|\n"
)

// row is a report's line of the table but for what was measured.
func (r report) row() string {
	var links []string
	for _, number := range r.numbers {
		links = append(links, fmt.Sprintf("[#%d](https://github.com/opensearch-project/OpenSearch/issues/%[1]d)", number))
	}
	return fmt.Sprintf("| %s | %s | %s | %s | ", strings.Join(links, " "), r.shows, r.versions, r.command())
}

func (r report) command() string { return fmt.Sprintf("`make issue N=%d`", r.numbers[0]) }

// updateTables writes the README's table anew, and that of the replay, from the newest bundle of
// each report below out. What no bundle tells stays as it is: a newcomer has run one report, and
// one that ended before it claimed anything has measured nothing.
func updateTables(out string) error {
	err := replaceTable(readmeFile, func(before string) (string, error) {
		table := tableHead
		for _, r := range reports {
			content, err := newest(out, r, recordFile)
			if err != nil {
				return "", err
			}
			measured := measuredIn(before, r)
			if content != nil {
				var found record
				if err := json.Unmarshal(content, &found); err != nil {
					return "", fmt.Errorf("read the newest bundle of %s: %w", r.link(), err)
				}
				if found.Outcome != verdict.Invalid {
					measured = found.measured()
				}
			}
			table += r.row() + measured + " |\n"
		}
		return table, nil
	})
	if err != nil {
		return err
	}
	return replaceTable(replayPage, func(before string) (string, error) {
		content, err := newest(out, issue10282, replayFile)
		if content == nil {
			return before, err
		}
		return string(content), err
	})
}

// measuredIn is the last column of a report's line in a table.
func measuredIn(table string, r report) string {
	_, rest, _ := strings.Cut(table, r.command()+" | ")
	measured, _, _ := strings.Cut(rest, " |\n")
	return measured
}

// replaceTable puts another table between the marks of a page.
func replaceTable(page string, other func(before string) (string, error)) error {
	content, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	before, rest, haveBegin := strings.Cut(string(content), tableBegin)
	table, after, haveEnd := strings.Cut(rest, tableEnd)
	if !haveBegin || !haveEnd {
		return fmt.Errorf("%s: the marks of the table are gone", page)
	}
	if table, err = other(table); err != nil {
		return err
	}
	return os.WriteFile(page, []byte(before+tableBegin+table+tableEnd+after), 0o644)
}

// newest reads a file of the last bundle of a report that has it, nil when none has; bundles'
// folders begin with the time.
func newest(out string, r report, name string) ([]byte, error) {
	found, err := filepath.Glob(filepath.Join(out, "*-issues-*", r.name(), name))
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return os.ReadFile(slices.Max(found))
}

// measured is the last column: the verdict and each claim's number.
func (r record) measured() string {
	words := []string{"**" + string(r.Outcome) + "**"}
	for _, c := range r.Claims {
		words = append(words, strings.ReplaceAll(c.Claim+": "+c.Measured, "|", `\|`))
	}
	return strings.Join(words, "<br>")
}

// Does the README list every report as the code has it? Someone who adds a scenario and
// forgets -update finds out here. What was measured is not compared: it is never the same.
func TestTableListsEveryReport(t *testing.T) {
	content, err := os.ReadFile(readmeFile)
	require.NoError(t, err)
	_, table, found := strings.Cut(string(content), tableBegin+tableHead)
	require.True(t, found, "the table is gone")
	table, _, _ = strings.Cut(table, tableEnd)
	lines := strings.Split(strings.TrimSuffix(table, "\n"), "\n")
	require.Len(t, lines, len(reports))
	for i, r := range reports {
		assert.True(t, strings.HasPrefix(lines[i], r.row()), "row %d is not %s: run go test ./suites/issues -update", i+1, r.link())
	}
}
