package actiontest

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
)

// scope is what an expression may name.
type scope struct {
	inputs     map[string]string
	steps      map[string]map[string]string // outputs by step id; nil of a skipped step
	temp       string
	actionPath string
	failed     bool // a step before has failed
}

var (
	expression = regexp.MustCompile(`\$\{\{\s*(.*?)\s*\}\}`)
	comparison = regexp.MustCompile(`^(\S+)\s*(==|!=)\s*'([^']*)'$`)
)

// value is what a name stands for. An input or output that is not declared is an error here; on
// GitHub it would be empty in silence. A step that was skipped, or that failed, may lack some.
func (s scope) value(name string) (string, error) {
	parts := strings.Split(name, ".")
	switch {
	case name == "runner.temp":
		return s.temp, nil
	case name == "github.action_path":
		return filepath.ToSlash(s.actionPath), nil
	case len(parts) == 2 && parts[0] == "inputs":
		if value, known := s.inputs[parts[1]]; known {
			return value, nil
		}
	case len(parts) == 4 && parts[0] == "steps" && parts[2] == "outputs":
		outputs, known := s.steps[parts[1]]
		value, there := outputs[parts[3]]
		if there || known && (outputs == nil || s.failed) {
			return value, nil
		}
	}
	return "", fmt.Errorf("expression %q: no such value", name)
}

// fill replaces the expressions in a text.
func (s scope) fill(text string) (filled string, err error) {
	filled = expression.ReplaceAllStringFunc(text, func(match string) string {
		value, fault := s.value(expression.FindStringSubmatch(match)[1])
		if err == nil {
			err = fault
		}
		return value
	})
	return filled, err
}

func (s scope) fillAll(texts map[string]string) (map[string]string, error) {
	filled := make(map[string]string, len(texts))
	for key, text := range texts {
		value, err := s.fill(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
		filled[key] = value
	}
	return filled, nil
}

// wants says whether a step with that condition runs. Without always() in it a step is skipped
// once another has failed.
func (s scope) wants(condition string) (bool, error) {
	always, wanted := false, true
	for _, term := range strings.Split(condition, "&&") {
		term = strings.TrimSpace(term)
		switch match := comparison.FindStringSubmatch(term); {
		case term == "":
		case term == "always()":
			always = true
		case match != nil:
			value, err := s.value(match[1])
			if err != nil {
				return false, err
			}
			wanted = wanted && (value == match[3]) == (match[2] == "==")
		default:
			return false, fmt.Errorf("condition %q: not understood", condition)
		}
	}
	return wanted && (always || !s.failed), nil
}
