// Package mutation breaks Go code on purpose, one place at a time. A place that can be broken
// without any test turning red is not tested.
//
// It finds the places of a file, makes the broken file, and runs a package's tests on it through
// go test's -overlay: no file of the checkout is ever changed. gremlins (go-gremlins/gremlins) was
// tried first. It mutates no condition of a switch's case, which is where this project checks its
// values, it removes no statement, and it cannot be told which survivors are equivalent.
//
// What does not belong here: which packages are mutated, how many mutants must die, and which
// guards there are (helpers/cmd/mutants and suites/guards).
package mutation

import (
	"fmt"
	"strings"
)

// Kind is one way to break code.
type Kind string

// The kinds of mutants.
const (
	Negated    Kind = "negated"    // a comparison turned into its opposite, a ! taken away
	Boundary   Kind = "boundary"   // < for <=, > for >=, and back
	Arithmetic Kind = "arithmetic" // + for -, * for /, and back
	Logic      Kind = "logic"      // && for ||, and back
	Literal    Kind = "literal"    // true for false, and back
	Removed    Kind = "removed"    // a call, an assignment or a count taken out
	Emptied    Kind = "emptied"    // a branch that does nothing: a check that is not acted on
)

// Mutant is one broken place of a file.
type Mutant struct {
	File string `json:"file"` // with slashes, relative to the module's root
	Func string `json:"func"` // "Prove", "Recovery.BytesPerSecond", "" outside of functions
	Line int    `json:"line"`
	Kind Kind   `json:"kind"`
	// Before and After are the source text at the place, in one line.
	Before string `json:"before"`
	After  string `json:"after"`
	// Nth tells mutants apart that are equal otherwise, from 1 in the order of the file.
	Nth int `json:"nth"`

	start, end  int // offsets in the source
	replacement string
}

// Key names the mutant without its line, so that a list of keys survives edits elsewhere in the
// file: "helpers/bound/bound.go Best boundary: seconds > most -> seconds >= most".
func (m Mutant) Key() string {
	key := fmt.Sprintf("%s %s %s: %s -> %s", m.File, m.Func, m.Kind, m.Before, m.After)
	if m.Nth > 1 {
		key += fmt.Sprintf(" #%d", m.Nth)
	}
	return key
}

// String is the mutant for a reader: place, kind and text.
func (m Mutant) String() string {
	return fmt.Sprintf("%s:%d: %s: %s -> %s", m.File, m.Line, m.Kind, m.Before, m.After)
}

// Apply returns the source with the mutant's place broken.
func (m Mutant) Apply(source []byte) []byte {
	broken := make([]byte, 0, len(source)+len(m.replacement))
	broken = append(broken, source[:m.start]...)
	broken = append(broken, m.replacement...)
	return append(broken, source[m.end:]...)
}

// oneLine is source text as a key carries it: white space collapsed, and long text cut.
func oneLine(text string) string {
	const most = 120
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}
