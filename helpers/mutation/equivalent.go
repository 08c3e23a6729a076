package mutation

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Equivalent is a mutant that no test can kill, since the program behaves the same with it.
type Equivalent struct {
	// Mutant is the mutant's key.
	Mutant string `yaml:"mutant"`
	// Reason says why no test can tell the difference.
	Reason string `yaml:"reason"`
}

// Equivalents reads a list of equivalent mutants. One without a reason is an error, and so is one
// that is listed twice.
func Equivalents(content []byte) (map[string]string, error) {
	var list []Equivalent
	if err := yaml.Unmarshal(content, &list); err != nil {
		return nil, fmt.Errorf("read equivalent mutants: %w", err)
	}
	reasons := map[string]string{}
	for _, e := range list {
		if e.Mutant == "" || strings.TrimSpace(e.Reason) == "" {
			return nil, fmt.Errorf("read equivalent mutants: %q: want a mutant and a reason", e.Mutant)
		}
		if _, twice := reasons[e.Mutant]; twice {
			return nil, fmt.Errorf("read equivalent mutants: %q is listed twice", e.Mutant)
		}
		reasons[e.Mutant] = e.Reason
	}
	return reasons, nil
}
