// Package github speaks to a job of GitHub Actions: its summary, its outputs, its annotations,
// and the history that the nightly run keeps.
//
// Everything comes from bundles and goes to the files that the job names, or to standard
// output; so a test stands in for GitHub with two files. Nothing here talks to a network.
//
// What does not belong here: judging (helpers/bundle), how a run is rendered
// (helpers/report), what a workflow does in which order (.github/).
package github

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"streamgate/helpers/bundle"
)

// MaxSummaryBytes is what GitHub takes as the summary of a step; it drops a longer one whole.
const MaxSummaryBytes = 1 << 20

// Job is where a job wants what it is told.
type Job struct {
	// SummaryFile and OutputFile are named by GitHub and appended to; when one is empty, as
	// outside of GitHub, Out gets the text instead.
	SummaryFile, OutputFile string
	Out                     io.Writer
}

// JobIn is the job that an environment describes.
func JobIn(getenv func(string) string, out io.Writer) Job {
	return Job{SummaryFile: getenv("GITHUB_STEP_SUMMARY"), OutputFile: getenv("GITHUB_OUTPUT"), Out: out}
}

// summarize appends the text to the step's summary, or the short one when the long one does
// not fit any more.
func (j Job) summarize(long, short string) error {
	if j.SummaryFile == "" {
		_, err := io.WriteString(j.Out, long)
		return err
	}
	var used int64
	if info, err := os.Stat(j.SummaryFile); err == nil {
		used = info.Size()
	}
	for _, text := range []string{long, short} {
		if used+int64(len(text)) <= MaxSummaryBytes {
			return appendTo(j.SummaryFile, text)
		}
	}
	return fmt.Errorf("write the summary: %d bytes are there already, %d are allowed", used, MaxSummaryBytes)
}

// Output is one output of a step.
type Output struct{ Name, Value string }

// set appends the outputs. A line break in a value would begin another output, so it is
// refused: nothing that is put out here has one.
func (j Job) set(outputs ...Output) error {
	var b strings.Builder
	for _, o := range outputs {
		if strings.ContainsAny(o.Name+o.Value, "\r\n") {
			return fmt.Errorf("set output %s: its value has a line break", o.Name)
		}
		fmt.Fprintf(&b, "%s=%s\n", o.Name, o.Value)
	}
	if j.OutputFile == "" {
		_, err := io.WriteString(j.Out, b.String())
		return err
	}
	return appendTo(j.OutputFile, b.String())
}

func appendTo(path, text string) error {
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = file.WriteString(text)
	return errors.Join(err, file.Close())
}

// ErrNoBundle is returned for a folder in which no run has left one.
var ErrNoBundle = errors.New("no bundle: the run ended before it measured anything, its log says why")

// Newest opens the latest bundle below out, or out itself when it is one.
func Newest(out string) (bundle.Run, error) {
	dirs, err := bundlesIn(out)
	if err != nil {
		return bundle.Run{}, err
	}
	if len(dirs) == 0 {
		return bundle.Run{}, ErrNoBundle
	}
	return bundle.Open(dirs[len(dirs)-1])
}

// bundlesIn lists the bundles of out, oldest first: their names begin with the time.
func bundlesIn(out string) ([]string, error) {
	if isBundle(out) {
		return []string{out}, nil
	}
	entries, err := os.ReadDir(out)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("look for bundles: %w", err)
	}
	var dirs []string
	for _, entry := range entries {
		if dir := filepath.Join(out, entry.Name()); isBundle(dir) {
			dirs = append(dirs, dir)
		}
	}
	slices.Sort(dirs)
	return dirs, nil
}

func isBundle(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, bundle.EnvironmentFile))
	return err == nil
}
