// Package report renders a run for whoever reads it: a text table at the end of a test,
// Markdown for a pull request, JUnit for a CI server, Go benchmark format for benchstat,
// and one HTML page to look at.
//
// Every renderer takes a bundle.Run and an io.Writer and decides nothing: numbers and words
// of the verdict are those of helpers/verdict, and a report never rounds a number so that
// it changes sides. The same run always gives the same bytes.
//
// What does not belong here: judging, reading a bundle, testing, containers, the network.
// The HTML page carries its script in itself and a policy that forbids it to load anything.
package report

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"streamgate/helpers/bundle"
	"streamgate/helpers/recovery"
	"streamgate/helpers/verdict"
)

// Write renders every report file of a bundle into dir: summary.md, report.html, junit.xml
// and results.bench. It returns the text report, for the end of the test. Call it before
// Writer.Finish, and before the test fails.
func Write(dir string, environment bundle.Environment, recoveries []recovery.Recovery, v verdict.Verdict) (text string, err error) {
	return WriteRun(dir, bundle.Run{Dir: dir, Environment: environment, Recoveries: recoveries, Verdict: v})
}

// WriteRun is Write for a run that was read back; its reports may go anywhere.
func WriteRun(dir string, run bundle.Run) (text string, err error) {
	for _, file := range []struct {
		name   string
		render func(io.Writer, bundle.Run) error
	}{
		{bundle.SummaryFile, Markdown},
		{bundle.JUnitFile, JUnit},
		{bundle.BenchmarkFile, Benchmark},
		{bundle.HTMLFile, HTML},
	} {
		var content bytes.Buffer
		if err := file.render(&content, run); err != nil {
			return "", fmt.Errorf("write %s: %w", file.name, err)
		}
		if err := bundle.WriteFile(filepath.Join(dir, file.name), content.Bytes()); err != nil {
			return "", fmt.Errorf("write %s: %w", file.name, err)
		}
	}
	var b strings.Builder
	err = Text(&b, run)
	return b.String(), err
}
