package mutation

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// Fate is what became of a broken file.
type Fate string

// The fates of mutants.
const (
	Killed    Fate = "killed"     // a test turned red
	Lived     Fate = "lived"      // all tests stayed green
	NotViable Fate = "not viable" // the broken code does not compile
)

// Result is the fate of one broken file and what go test printed.
type Result struct {
	Fate   Fate
	Output string
}

// buildFailed is how go test says that a package did not compile.
var buildFailed = regexp.MustCompile(`(?m)^FAIL\s.*\[(build|setup) failed\]$`)

// Run runs go test in the module at root with one file replaced, and says what became of it. file is
// relative to root; args are go test's own, the packages last. It returns an error when go could not
// be run, or when limit passed before go test ended by itself.
func Run(ctx context.Context, root, file string, content []byte, limit time.Duration, args ...string) (Result, error) {
	dir, err := os.MkdirTemp("", "streamgate-mutant-*")
	if err != nil {
		return Result{}, fmt.Errorf("run a mutant: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	overlay, err := writeOverlay(dir, filepath.Join(root, filepath.FromSlash(file)), content)
	if err != nil {
		return Result{}, fmt.Errorf("run a mutant: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	// -vet=off: what vet says of broken code is no test's answer.
	command := exec.CommandContext(ctx, "go", append([]string{"test", "-overlay", overlay, "-count=1", "-failfast", "-vet=off"}, args...)...)
	command.Dir = root
	command.WaitDelay = time.Second
	var output bytes.Buffer
	command.Stdout, command.Stderr = &output, &output
	err = command.Run()
	result := Result{Fate: Lived, Output: output.String()}
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return result, fmt.Errorf("run a mutant: go test has not ended within %s", limit)
	case err == nil:
		return result, nil
	case !errors.As(err, &exit):
		return result, fmt.Errorf("run a mutant: %w", err)
	case buildFailed.MatchString(result.Output):
		result.Fate = NotViable
	default:
		result.Fate = Killed
	}
	return result, nil
}

// writeOverlay writes the broken file and the file that -overlay reads, and returns its path.
func writeOverlay(dir, original string, content []byte) (string, error) {
	broken := filepath.Join(dir, "broken_"+filepath.Base(original))
	if err := os.WriteFile(broken, content, 0o600); err != nil {
		return "", err
	}
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{original: broken}})
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "overlay.json")
	return path, os.WriteFile(path, overlay, 0o600)
}

// RedTests are the names of the tests that go test's output reports as failed, subtests included.
func RedTests(output string) []string {
	var names []string
	for line := range strings.Lines(output) {
		name, found := strings.CutPrefix(strings.TrimSpace(line), "--- FAIL: ")
		if !found {
			continue
		}
		name, _, _ = strings.Cut(name, " (")
		names = append(names, name)
	}
	return names
}
