package bundle

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"streamgate/helpers/recovery"
	"streamgate/helpers/verdict"
)

// Folder and file modes: whoever can read the checkout can read what its runs left.
const (
	folderMode = 0o755
	fileMode   = 0o644
)

// Writer writes a bundle while its run goes on. It is not for concurrent use.
type Writer struct {
	dir         string
	environment Environment
	recoveries  *os.File
	appended    int
}

// Create makes a new folder below outDir and writes environment.json into it at once. The
// schema version is filled in; suite and run id are those of the parameters.
func Create(outDir, suite, runID string, environment Environment) (*Writer, error) {
	environment.SchemaVersion, environment.Suite, environment.RunID = SchemaVersion, suite, runID
	environment = environment.shareable()
	if err := environment.Validate(); err != nil {
		return nil, fmt.Errorf("create bundle: %w", err)
	}
	name := environment.Start.UTC().Format("20060102T150405Z") + "-" + suite + "-" + runID
	w := &Writer{dir: filepath.Join(outDir, name), environment: environment}
	if err := os.MkdirAll(outDir, folderMode); err != nil {
		return nil, fmt.Errorf("create bundle: %w", err)
	}
	// Mkdir, not MkdirAll: a folder that is there already is another run's.
	if err := os.Mkdir(w.dir, folderMode); err != nil {
		return nil, fmt.Errorf("create bundle: %w", err)
	}
	if err := w.start(); err != nil {
		return nil, fmt.Errorf("create bundle: %w", err)
	}
	return w, nil
}

func (w *Writer) start() error {
	if err := os.Mkdir(w.LogDir(), folderMode); err != nil {
		return err
	}
	if err := w.writeEnvironment(); err != nil {
		return err
	}
	var err error
	w.recoveries, err = os.OpenFile(filepath.Join(w.dir, RecoveriesFile), os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, fileMode)
	return err
}

// Dir is the bundle's folder. minio.log and link.log belong there.
func (w *Writer) Dir() string { return w.dir }

// LogDir is the folder of the nodes' logs, one NAME.log for each node.
func (w *Writer) LogDir() string { return filepath.Join(w.dir, "nodes") }

// Environment is what environment.json holds.
func (w *Writer) Environment() Environment { return w.environment }

// Describe writes environment.json again, with what a run only knows after it has loaded
// and calibrated: files, link, claims with their best possible values. It is refused once
// a recovery was measured under what was written before; suite, run id and start stay.
func (w *Writer) Describe(environment Environment) error {
	if w.appended > 0 {
		return fmt.Errorf("describe run: %d recoveries were measured under what is written already", w.appended)
	}
	environment.SchemaVersion = SchemaVersion
	environment.Suite, environment.RunID, environment.Start = w.environment.Suite, w.environment.RunID, w.environment.Start
	environment = environment.shareable()
	if err := environment.Validate(); err != nil {
		return fmt.Errorf("describe run: %w", err)
	}
	w.environment = environment
	if err := w.writeEnvironment(); err != nil {
		return fmt.Errorf("describe run: %w", err)
	}
	return nil
}

func (w *Writer) writeEnvironment() error {
	content, err := json.MarshalIndent(w.environment, "", "  ")
	if err != nil {
		return err
	}
	return WriteFile(filepath.Join(w.dir, EnvironmentFile), append(content, '\n'))
}

// Append writes one recovery, and returns when it is on disk.
func (w *Writer) Append(r recovery.Recovery) error {
	line, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("append recovery: %w", err)
	}
	// One write for line and end of line: a run that is killed leaves a line that is
	// there, or one that can be seen to be cut off.
	if _, err := w.recoveries.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("append recovery: %w", err)
	}
	w.appended++
	if err := w.recoveries.Sync(); err != nil {
		return fmt.Errorf("append recovery: %w", err)
	}
	return nil
}

// Finish writes verdict.json and closes the bundle. Call it after the reports are written:
// the verdict's file says that the bundle is whole.
func (w *Writer) Finish(v verdict.Verdict) error {
	content, err := v.JSON()
	if err != nil {
		return fmt.Errorf("finish bundle: %w", err)
	}
	if err := errors.Join(WriteFile(filepath.Join(w.dir, VerdictFile), content), w.Close()); err != nil {
		return fmt.Errorf("finish bundle: %w", err)
	}
	return nil
}

// Close closes the bundle without a verdict. After Finish it does nothing.
func (w *Writer) Close() error {
	if err := w.recoveries.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
		return fmt.Errorf("close bundle: %w", err)
	}
	return nil
}

// WriteFile writes a file whole or not at all: a reader never sees half of it, and neither
// does whoever comes after a kill.
func WriteFile(path string, content []byte) error {
	temporary, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	// After the renaming there is nothing left to remove, and that is no fault.
	defer func() { _ = os.Remove(temporary.Name()) }()
	_, err = temporary.Write(content)
	if err == nil {
		err = temporary.Chmod(fileMode)
	}
	if err = errors.Join(err, temporary.Sync(), temporary.Close()); err != nil {
		return err
	}
	return os.Rename(temporary.Name(), path)
}
