package github

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"streamgate/helpers/bundle"
	"streamgate/helpers/verdict"
)

// maxEntries bounds a history: three years of two runs a night.
const maxEntries = 2000

// shownEntries is how many of a series the summary shows.
const shownEntries = 30

// Entry is one run in the history, one line of JSON.
type Entry struct {
	Bundle     string          `json:"bundle"`
	Start      time.Time       `json:"start"`
	Suite      string          `json:"suite"`
	Profile    string          `json:"profile"`
	OpenSearch string          `json:"opensearch"`
	Commit     string          `json:"commit"`
	CPU        string          `json:"cpu"`
	Cores      int             `json:"cores"`
	Verdict    verdict.Outcome `json:"verdict"`
	Claim      string          `json:"claim"`
	Ratio      *float64        `json:"ratio,omitempty"`
	Lower      *float64        `json:"lower,omitempty"`
	Upper      *float64        `json:"upper,omitempty"`
}

// series is what makes two entries comparable at a glance. Runner machines differ, so the
// processor is part of it.
func (e Entry) series() string {
	return fmt.Sprintf("%s, profile %s, OpenSearch %s, %d cores of %s", e.Suite, e.Profile, e.OpenSearch, e.Cores, e.CPU)
}

func entryOf(run bundle.Run) Entry {
	e := run.Environment
	entry := Entry{
		Bundle: filepath.Base(run.Dir), Start: e.Start, Suite: e.Suite, Profile: e.Profile, OpenSearch: e.OpenSearch,
		Commit: e.Machine.Commit, CPU: e.Machine.CPUModel, Cores: e.Machine.Cores, Verdict: run.Verdict.Outcome,
	}
	if len(run.Verdict.Claims) > 0 {
		first := run.Verdict.Claims[0]
		entry.Claim, entry.Ratio, entry.Lower, entry.Upper = first.Claim.Name, first.Estimate, first.Lower, first.Upper
	}
	return entry
}

// History adds the bundles below outs to the history in file, which may be missing, writes what
// Apache Otava reads beside it, and shows the change over time in the summary. A bundle that the
// history knows is not added again; one that is refused is named in the summary, and is no reason
// to lose the rest of the night.
func History(job Job, file string, outs []string) error {
	entries, err := readHistory(file)
	if err != nil {
		return err
	}
	var refusals []string
	for _, out := range outs {
		dirs, err := bundlesIn(out)
		if err != nil {
			return err
		}
		for _, dir := range dirs {
			run, err := bundle.Open(dir)
			if err != nil {
				refusals = append(refusals, err.Error())
				continue
			}
			entry := entryOf(run)
			if !slices.ContainsFunc(entries, func(e Entry) bool { return e.Bundle == entry.Bundle }) {
				entries = append(entries, entry)
			}
		}
	}
	slices.SortStableFunc(entries, func(a, b Entry) int { return a.Start.Compare(b.Start) })
	entries = entries[max(0, len(entries)-maxEntries):]
	if err := writeHistory(file, entries); err != nil {
		return err
	}
	return job.summarize(overTime(entries, refusals), "The history is too long for what is left of this summary.\n")
}

func readHistory(file string) ([]Entry, error) {
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() { // a pipe would be waited for, for ever
		return nil, fmt.Errorf("read the history: %s is no file", filepath.Base(file))
	}
	content, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the history: %w", err)
	}
	var entries []Entry
	lines := bufio.NewScanner(bytes.NewReader(content))
	for lines.Scan() {
		var e Entry
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			return nil, fmt.Errorf("read the history: %s line %d: %w", filepath.Base(file), len(entries)+1, err)
		}
		entries = append(entries, e)
	}
	return entries, lines.Err()
}

// writeHistory writes the lines, and beside them what Otava reads; each file whole or not at all.
func writeHistory(file string, entries []Entry) error {
	var lines bytes.Buffer
	for _, e := range entries {
		line, err := json.Marshal(e)
		if err != nil {
			return fmt.Errorf("write the history: %w", err)
		}
		lines.Write(append(line, '\n'))
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return fmt.Errorf("write the history: %w", err)
	}
	if err := bundle.WriteFile(file, lines.Bytes()); err != nil {
		return fmt.Errorf("write the history: %w", err)
	}
	return writeOtava(strings.TrimSuffix(file, filepath.Ext(file)), entries)
}

// overTime is a table for each series, newest run first, each held against the one before it; and
// the bundles that could not be read.
func overTime(entries []Entry, refusals []string) string {
	series := map[string][]Entry{}
	var names []string
	for _, e := range entries {
		if series[e.series()] == nil {
			names = append(names, e.series())
		}
		series[e.series()] = append(series[e.series()], e)
	}
	var b strings.Builder
	b.WriteString("## Change over time\n")
	for _, refusal := range refusals {
		b.WriteString("\nnot in the history: " + inline(refusal) + "\n")
	}
	for _, name := range names {
		fmt.Fprintf(&b, "\n%s\n\n| run | verdict | ratio | interval | change |\n|---|---|---:|---:|---:|\n", inline(name))
		list := series[name]
		for i := len(list) - 1; i >= max(0, len(list)-shownEntries); i-- {
			e := list[i]
			change := "–"
			if i > 0 {
				change = changed(list[i-1].Ratio, e.Ratio)
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", e.Start.UTC().Format("2006-01-02 15:04"), e.Verdict,
				short(e.Ratio), short(e.Lower)+" to "+short(e.Upper), change)
		}
	}
	return b.String()
}

func changed(from, to *float64) string {
	if from == nil || to == nil || *from == 0 {
		return "–"
	}
	return fmt.Sprintf("%+.1f %%", 100*(*to / *from - 1))
}

func short(x *float64) string {
	if x == nil || math.IsNaN(*x) {
		return "–"
	}
	return fmt.Sprintf("%.3g", *x)
}
