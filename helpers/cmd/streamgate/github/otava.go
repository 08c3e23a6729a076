package github

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"streamgate/helpers/bundle"
)

// otavaFile is the configuration that Apache Otava is started with.
const otavaFile = "otava.yaml"

// otavaColumns are a CSV file's: a time, attributes that Otava shows beside a change point, and
// metrics.
var otavaColumns = []string{"time", "bundle", "commit", "cpu", "ratio", "lower", "upper"}

// otavaTest is one series of the history: Otava has no filter, so each has a file of its own. The
// machine is not part of it, since hosted runners differ from night to night; the column cpu
// tells whether a change point was one of the machine.
func (e Entry) otavaTest() string {
	name := e.Suite + "-" + e.Profile + "-" + e.OpenSearch
	return strings.Trim(regexp.MustCompile(`[^A-Za-z0-9._]+`).ReplaceAllString(name, "-"), "-")
}

// writeOtava writes a CSV file for each series, its name beginning with stem, and the
// configuration that lists them. Files of series that the history has forgotten are removed.
// Otava stops at an empty number, so a run that measured nothing has no row.
func writeOtava(stem string, entries []Entry) error {
	tables := map[string]*bytes.Buffer{}
	var names []string
	for _, e := range entries {
		if e.Ratio == nil {
			continue
		}
		test := e.otavaTest()
		if tables[test] == nil {
			tables[test] = bytes.NewBufferString(strings.Join(otavaColumns, ",") + "\n")
			names = append(names, test)
		}
		table := csv.NewWriter(tables[test])
		err := table.Write([]string{
			e.Start.UTC().Format("2006-01-02T15:04:05Z"), e.Bundle, e.Commit, e.CPU, number(e.Ratio), number(e.Lower), number(e.Upper),
		})
		if table.Flush(); err != nil {
			return fmt.Errorf("write the history for Otava: %w", err)
		}
	}
	slices.Sort(names)
	config := "# OTAVA_CONFIG=" + otavaFile + " otava analyze TEST, in this folder\ntests:\n"
	keep := map[string]bool{}
	for _, test := range names {
		file := stem + "-" + test + ".csv"
		keep[file] = true
		if err := bundle.WriteFile(file, tables[test].Bytes()); err != nil {
			return fmt.Errorf("write the history for Otava: %w", err)
		}
		config += "  " + strconv.Quote(test) + ":\n    type: csv\n    file: " + strconv.Quote(filepath.Base(file)) +
			"\n    time_column: time\n    attributes: [bundle, commit, cpu]\n    metrics:\n      ratio: {column: ratio, direction: 1}\n"
	}
	if err := bundle.WriteFile(filepath.Join(filepath.Dir(stem), otavaFile), []byte(config)); err != nil {
		return fmt.Errorf("write the history for Otava: %w", err)
	}
	return removeOthers(stem, keep)
}

func removeOthers(stem string, keep map[string]bool) error {
	found, err := filepath.Glob(stem + "-*.csv")
	if err != nil {
		return fmt.Errorf("look for files of old series: %w", err)
	}
	for _, file := range found {
		if keep[file] {
			continue
		}
		if err := os.Remove(file); err != nil {
			return fmt.Errorf("remove the file of an old series: %w", err)
		}
	}
	return nil
}
