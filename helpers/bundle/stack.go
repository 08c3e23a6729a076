package bundle

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"streamgate/helpers/recovery"
)

// Stack is what arms ran on that did not run on the run's first stack: the same corpus, loaded
// into another cluster, behind a link of the same nominal shape.
type Stack struct {
	Name string   `json:"name"`
	Arms []string `json:"arms"`
	// Source is where its OpenSearch came from: "maven:3.8.0".
	Source     string `json:"opensearch_source"`
	OpenSearch string `json:"opensearch_version"`
	Image      Image  `json:"opensearch_image"`
	// Files are the objects that a replica of this stack has to fetch. Another release writes
	// other files of the same documents.
	Files []recovery.File `json:"files"`
	// Measured is what plain GETs found of this stack's link; nil when nobody measured.
	Measured *Calibration `json:"link_measured,omitempty"`
}

// On are the files and the link of the stack that an arm ran on.
func (e Environment) On(arm string) ([]recovery.File, Link) {
	for _, s := range e.Stacks {
		if slices.Contains(s.Arms, arm) {
			return s.Files, e.linkOf(s)
		}
	}
	return e.Files, e.Link
}

func (e Environment) linkOf(s Stack) Link {
	link := e.Link
	link.Measured = s.Measured
	return link
}

// LinkFaults are the faults of every stack's link, see Link.Faults.
func (e Environment) LinkFaults() []string {
	faults := e.Link.Faults()
	for _, s := range e.Stacks {
		for _, fault := range e.linkOf(s).Faults() {
			faults = append(faults, "stack "+s.Name+": "+fault)
		}
	}
	return faults
}

// validateStacks checks what is beside the first stack.
func (e Environment) validateStacks() error {
	if len(e.Stacks) >= maxArms {
		return fmt.Errorf("%d stacks beside the first, allowed are less than %d", len(e.Stacks), maxArms)
	}
	named, placed := map[string]bool{}, map[string]bool{}
	for _, s := range e.Stacks {
		if s.Name == "" || len(s.Name) > maxName || named[s.Name] {
			return fmt.Errorf("a stack is named %q, allowed are different names of 1 to %d bytes", s.Name, maxName)
		}
		named[s.Name] = true
		for _, arm := range s.Arms {
			if _, ok := e.Arm(arm); !ok || placed[arm] {
				return fmt.Errorf("stack %s has arm %q: allowed are arms of the run, each on one stack", s.Name, arm)
			}
			placed[arm] = true
		}
		if err := errors.Join(validateFiles(s.Files), e.linkOf(s).validate()); err != nil {
			return fmt.Errorf("stack %s: %w", s.Name, err)
		}
	}
	return nil
}

// stacks compares what is beside the first stack, as far as it must be the same.
func (d *differences) stacks(a, b Environment) {
	of := func(e Environment) map[string]Stack {
		byName := map[string]Stack{}
		for _, s := range e.Stacks {
			byName[s.Name] = s
		}
		return byName
	}
	left, right := of(a), of(b)
	for _, name := range keys(left, right) {
		d.compare("arms of stack "+name, orNone(strings.Join(left[name].Arms, ", ")), orNone(strings.Join(right[name].Arms, ", ")))
		var within differences
		within.layout(left[name].Files, right[name].Files)
		within.link(a.linkOf(left[name]), b.linkOf(right[name]))
		for _, difference := range within {
			difference.Condition += " of stack " + name
			*d = append(*d, difference)
		}
	}
}

// versions compares the OpenSearch of every stack, which is what usually differs.
func (d *differences) versions(a, b Environment) {
	d.compare("OpenSearch", strings.Join(a.Versions(), " and "), strings.Join(b.Versions(), " and "))
	d.compare("source of OpenSearch", strings.Join(a.sources(), " and "), strings.Join(b.sources(), " and "))
}

// Versions are the versions of OpenSearch on all stacks, each once.
func (e Environment) Versions() []string {
	list := []string{e.OpenSearch}
	for _, s := range e.Stacks {
		if !slices.Contains(list, s.OpenSearch) {
			list = append(list, s.OpenSearch)
		}
	}
	return list
}

func (e Environment) sources() []string {
	list := []string{e.Source}
	for _, s := range e.Stacks {
		list = append(list, s.Source)
	}
	return list
}
