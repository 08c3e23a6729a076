package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"streamgate/helpers/mutation"
)

// report is the fate of every mutant.
type report struct {
	packages []mutated
	fates    map[string][]fate // by the package's path
	// stale are equivalent mutants of the list that are not there any more.
	stale []string
}

// stale are the keys of the list that lie in the packages' files and were not found.
func stale(known map[string]string, present map[string]bool, packages []mutated) []string {
	var keys []string
	for key := range known {
		for _, p := range packages {
			folder := strings.TrimPrefix(p.Path, "./") + "/"
			if strings.HasPrefix(key, folder) && !present[key] {
				keys = append(keys, key)
			}
		}
	}
	sort.Strings(keys)
	return keys
}

// tally counts a package's mutants.
type tally struct{ mutants, killed, lived, equivalent, notViable int }

func count(fates []fate) tally {
	t := tally{mutants: len(fates)}
	for _, f := range fates {
		switch {
		case f.Fate == mutation.NotViable:
			t.notViable++
		case f.Fate == mutation.Killed:
			t.killed++
		case f.Equivalent != "":
			t.equivalent++
		default:
			t.lived++
		}
	}
	return t
}

// share is the killed of those that a test can kill, in percent.
func (t tally) share() float64 {
	if t.killed+t.lived == 0 {
		return 100
	}
	return 100 * float64(t.killed) / float64(t.killed+t.lived)
}

// table is a row for each package.
func (r report) table() string {
	var b strings.Builder
	b.WriteString("| package | mutants that compile | killed | equivalent | lived | killed of those that a test can kill | at least |\n|---|---:|---:|---:|---:|---:|---:|\n")
	for _, p := range r.packages {
		t := count(r.fates[p.Path])
		least := "-"
		if p.Least > 0 {
			least = fmt.Sprintf("%g %%", p.Least)
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %.1f %% | %s |\n", strings.TrimPrefix(p.Path, "./"),
			t.mutants-t.notViable, t.killed, t.equivalent, t.lived, t.share(), least)
	}
	return b.String()
}

// survivors lists the mutants that lived and are not equivalent.
func (r report) survivors() string {
	var b strings.Builder
	for _, p := range r.packages {
		for _, f := range r.fates[p.Path] {
			if f.Fate == mutation.Lived && f.Equivalent == "" {
				fmt.Fprintf(&b, "lived: %s\n", f.Mutant)
			}
		}
	}
	return b.String()
}

// verdict says what is not as it must be.
func (r report) verdict() error {
	var errs []error
	for _, p := range r.packages {
		if t := count(r.fates[p.Path]); t.share() < p.Least {
			errs = append(errs, fmt.Errorf("%s: tests kill %.1f %% of the mutants, want at least %g %%", p.Path, t.share(), p.Least))
		}
		for _, f := range r.fates[p.Path] {
			if f.Equivalent != "" && f.Fate == mutation.Killed {
				errs = append(errs, fmt.Errorf("equivalent.yaml: a test kills %q: take it off the list", f.Key))
			}
		}
	}
	for _, key := range r.stale {
		errs = append(errs, fmt.Errorf("equivalent.yaml: there is no mutant %q: take it off the list", key))
	}
	return errors.Join(errs...)
}

func (r report) writeFates(root string) (err error) {
	dir := filepath.Join(root, "out")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("write the fates: %w", err)
	}
	file, err := os.Create(filepath.Join(dir, "mutants.ndjson"))
	if err != nil {
		return fmt.Errorf("write the fates: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	encoder := json.NewEncoder(file)
	encoder.SetEscapeHTML(false)
	for _, p := range r.packages {
		for _, f := range r.fates[p.Path] {
			if err := encoder.Encode(f); err != nil {
				return fmt.Errorf("write the fates: %w", err)
			}
		}
	}
	return nil
}

// The table stands in CONTRIBUTING.md between these lines.
const (
	tableBegin = "<!-- mutants: make mutants UPDATE=-update -->\n"
	tableEnd   = "<!-- end of mutants -->\n"
)

func (r report) writeTable(root string) error {
	path := filepath.Join(root, "CONTRIBUTING.md")
	content, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("write the table: %w", err)
	}
	text, err := withTable(string(content), r.table())
	if err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o644) //nolint:gosec // a text for all
}

// withTable puts the table into a document, in place of the one that is there.
func withTable(document, table string) (string, error) {
	before, rest, found := strings.Cut(document, tableBegin)
	_, after, ended := strings.Cut(rest, tableEnd)
	if !found || !ended {
		return "", fmt.Errorf("write the table: CONTRIBUTING.md has no %q", strings.TrimSpace(tableBegin))
	}
	return before + tableBegin + "\n" + table + "\n" + tableEnd + after, nil
}
