package mutation

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Guard is one thing that keeps a verdict honest, how it is broken, and who must notice.
type Guard struct {
	// Guard says what is guarded, in one sentence. It names the guard in tables and tests.
	Guard string `yaml:"guard"`
	// File is the file that is broken, with slashes, relative to the module's root.
	File string `yaml:"file"`
	// Find is the text that is replaced; it stands in the file once. Replace stands there instead.
	Find    string `yaml:"find"`
	Replace string `yaml:"replace"`
	// Package and Test are the test that must turn red: a package's path from the root, and the
	// full name of a test or a subtest in it.
	Package string `yaml:"package"`
	Test    string `yaml:"test"`
	// Engine says that the test starts containers.
	Engine bool `yaml:"engine,omitempty"`
}

// Guards reads a list of guards. A field that is missing or not known, and a guard that is listed
// twice, are errors.
func Guards(content []byte) ([]Guard, error) {
	var guards []Guard
	decoder := yaml.NewDecoder(bytes.NewReader(content))
	decoder.KnownFields(true)
	if err := decoder.Decode(&guards); err != nil {
		return nil, fmt.Errorf("read guards: %w", err)
	}
	seen := map[string]bool{}
	for i, g := range guards {
		for name, value := range map[string]string{"guard": g.Guard, "file": g.File, "find": g.Find, "package": g.Package, "test": g.Test} {
			if strings.TrimSpace(value) == "" {
				return nil, fmt.Errorf("read guards: guard %d (%s) has no %s", i+1, g.Guard, name)
			}
		}
		if seen[g.Guard] {
			return nil, fmt.Errorf("read guards: %q is listed twice", g.Guard)
		}
		seen[g.Guard] = true
	}
	return guards, nil
}

// Apply returns the source with the guard broken. It is an error when the text to find is not there
// exactly once, or when nothing changes.
func (g Guard) Apply(source []byte) ([]byte, error) {
	find := strings.TrimSuffix(g.Find, "\n")
	replace := strings.TrimSuffix(g.Replace, "\n")
	switch found := strings.Count(string(source), find); {
	case found != 1:
		return nil, fmt.Errorf("break guard %q: %s has %q %d times, want it once", g.Guard, g.File, find, found)
	case find == replace:
		return nil, errors.New("break guard " + g.Guard + ": nothing is replaced")
	}
	return []byte(strings.Replace(string(source), find, replace, 1)), nil
}
