package bundle

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"unicode/utf8"

	"streamgate/helpers/recovery"
	"streamgate/helpers/verdict"
)

// Bounds on what is read. A recovery is some 20 kB, most of it the progress curve.
const (
	maxFileBytes  = 256 << 20
	maxRecoveries = 10_000
)

// Open reads a bundle back, checks it and judges it. A bundle of a killed run is read as
// far as it goes, and Run.Incomplete says so. Everything else that is not whole (another
// schema version, a missing or broken file, numbers that contradict each other, a
// verdict.json that does not follow from the rest) is an error of one line.
func Open(dir string) (Run, error) {
	run, err := open(dir)
	if err != nil {
		return Run{}, fmt.Errorf("open bundle %s: %w", filepath.Base(dir), err)
	}
	return run, nil
}

func open(dir string) (Run, error) {
	run := Run{Dir: dir}
	content, err := read(dir, EnvironmentFile)
	if err != nil {
		return Run{}, err
	}
	if run.Environment, err = decodeEnvironment(content); err != nil {
		return Run{}, fmt.Errorf("%s: %w", EnvironmentFile, err)
	}
	if content, err = read(dir, RecoveriesFile); err != nil {
		return Run{}, err
	}
	cut := false
	if run.Recoveries, cut, err = decodeRecoveries(content); err != nil {
		return Run{}, err
	}
	if run.Verdict, err = Judge(run.Environment, run.Recoveries); err != nil {
		return Run{}, err
	}
	recorded, err := read(dir, VerdictFile)
	if errors.Is(err, os.ErrNotExist) {
		run.Incomplete = incomplete(run.Verdict, cut)
		return run, nil
	}
	if err != nil {
		return Run{}, err
	}
	if cut {
		return Run{}, fmt.Errorf("%s ends in the middle of a line, although the run has a verdict", RecoveriesFile)
	}
	if err := sameVerdict(recorded, run.Verdict); err != nil {
		return Run{}, err
	}
	return run, checkReports(dir)
}

func incomplete(v verdict.Verdict, cut bool) string {
	words := "incomplete: the run left no verdict, " + rounds(v.Rounds) + " judged"
	if cut {
		words += ", the last line is cut off"
	}
	return words
}

// checkReports wants the reports' files: they are written ahead of the verdict.
func checkReports(dir string) error {
	for _, name := range ReportFiles {
		info, err := os.Stat(filepath.Join(dir, name))
		switch {
		case errors.Is(err, os.ErrNotExist):
			return fmt.Errorf("%s is missing", name)
		case err != nil:
			return plainError(name, err)
		case !info.Mode().IsRegular() || info.Size() == 0:
			return fmt.Errorf("%s is empty or no file", name)
		}
	}
	return nil
}

// read reads a file of the bundle. Its errors name the file without its path.
func read(dir, name string) ([]byte, error) {
	path := filepath.Join(dir, name)
	// A pipe would be waited for, for ever.
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no file", name)
	}
	file, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, missing(name)
	}
	if err != nil {
		return nil, plainError(name, err)
	}
	// What was only read loses nothing when closing it goes wrong.
	defer func() { _ = file.Close() }()
	content, err := io.ReadAll(io.LimitReader(file, maxFileBytes+1))
	if err != nil {
		return nil, plainError(name, err)
	}
	if len(content) > maxFileBytes {
		return nil, fmt.Errorf("%s is larger than %d MiB", name, maxFileBytes>>20)
	}
	return content, nil
}

// missing is an error that names the file and still is os.ErrNotExist.
type missing string

func (m missing) Error() string        { return string(m) + " is missing" }
func (m missing) Is(target error) bool { return target == os.ErrNotExist }

// plainError leaves the path out of an error of the file system.
func plainError(name string, err error) error {
	if path := (*os.PathError)(nil); errors.As(err, &path) {
		return fmt.Errorf("%s: %s: %w", name, path.Op, path.Err)
	}
	return fmt.Errorf("%s: %w", name, err)
}

// decodeEnvironment looks at the schema version before anything else: what another
// version holds is not for this one to find fault with.
func decodeEnvironment(content []byte) (Environment, error) {
	var schema struct {
		Version int `json:"schema_version"`
	}
	if err := json.Unmarshal(content, &schema); err != nil {
		return Environment{}, err
	}
	if schema.Version != SchemaVersion {
		return Environment{}, fmt.Errorf("schema version is %d, this streamgate reads %d", schema.Version, SchemaVersion)
	}
	var environment Environment
	return environment, decode(content, &environment)
}

// decodeRecoveries reads line by line. Only the last line may be cut off.
func decodeRecoveries(content []byte) (recoveries []recovery.Recovery, cut bool, err error) {
	for line := range bytes.Lines(content) {
		number := len(recoveries) + 1
		if !bytes.HasSuffix(line, []byte("\n")) {
			return recoveries, true, nil
		}
		if number > maxRecoveries {
			return nil, false, fmt.Errorf("%s has more than %d lines", RecoveriesFile, maxRecoveries)
		}
		var r recovery.Recovery
		if err := decode(line, &r); err != nil {
			return nil, false, fmt.Errorf("%s line %d: %w", RecoveriesFile, number, err)
		}
		recoveries = append(recoveries, r)
	}
	return recoveries, false, nil
}

// decode refuses fields it does not know: a number that is not understood could be one
// that decides.
func decode(content []byte, into any) error {
	if !utf8.Valid(content) {
		return errors.New("not UTF-8")
	}
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return errors.New("more after the end of the value")
	}
	return nil
}

// sameVerdict compares verdict.json with what judging gives, to the byte.
func sameVerdict(recorded []byte, judged verdict.Verdict) error {
	want, err := judged.JSON()
	if err != nil || bytes.Equal(recorded, want) {
		return err
	}
	var said verdict.Verdict
	if err := json.Unmarshal(recorded, &said); err != nil {
		return fmt.Errorf("%s: %w", VerdictFile, err)
	}
	if said.SchemaVersion != verdict.SchemaVersion {
		return fmt.Errorf("%s: schema version is %d, this streamgate reads %d", VerdictFile, said.SchemaVersion, verdict.SchemaVersion)
	}
	if said.Outcome != judged.Outcome {
		return fmt.Errorf("%s says %s, judging gives %s", VerdictFile, said.Outcome, judged.Outcome)
	}
	have, expected := bytes.Split(recorded, []byte("\n")), bytes.Split(want, []byte("\n"))
	for i := range min(len(have), len(expected)) {
		if !bytes.Equal(have[i], expected[i]) {
			return fmt.Errorf("%s line %d says %q, judging gives %q", VerdictFile, i+1, bytes.TrimSpace(have[i]), bytes.TrimSpace(expected[i]))
		}
	}
	return fmt.Errorf("%s has %d lines, judging gives %d", VerdictFile, len(have), len(expected))
}
