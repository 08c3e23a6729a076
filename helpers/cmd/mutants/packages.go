package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"

	"streamgate/helpers/mutation"
)

// mutated is a package that is mutated, and how well its own tests must hold it.
type mutated struct {
	// Path is the package's, from the root.
	Path string
	// Least is the share of its mutants, in percent, that tests must kill. Mutants that do not
	// compile and equivalent ones do not count.
	Least float64
	// Files leaves out the files that need a container; nil takes all.
	Files *regexp.Regexp
}

// table is what `make mutants` runs. What judges is held more closely than what carries.
var table = []mutated{
	{Path: "./helpers/recovery", Least: 95},
	{Path: "./helpers/bound", Least: 95},
	{Path: "./helpers/stats", Least: 95},
	{Path: "./helpers/verdict", Least: 95},
	{Path: "./helpers/bundle", Least: 90},
	{Path: "./helpers/experiment", Least: 90},
	{Path: "./helpers/config", Least: 90},
	{Path: "./fixtures/corpus", Least: 90, Files: regexp.MustCompile(`^(post|file|date|text|html|json|repeat|mapping|layout)[a-z]*\.go$`)},
}

// chosen are the packages of that names, or all of the table. A package that is not in the table
// has no least share.
func chosen(names []string) ([]mutated, error) {
	if len(names) == 0 {
		return table, nil
	}
	var packages []mutated
	for _, name := range names {
		name = "./" + filepath.ToSlash(filepath.Clean(name))
		if strings.HasPrefix(name, "./..") || strings.HasSuffix(name, "...") {
			return nil, fmt.Errorf("%s: want a package of this module, one by one", name)
		}
		packages = append(packages, packageNamed(name))
	}
	return packages, nil
}

func packageNamed(name string) mutated {
	for _, p := range table {
		if p.Path == name {
			return p
		}
	}
	return mutated{Path: name}
}

// mutants are those of all the package's files that are to be mutated, in the order of the files.
func (p mutated) mutants(root string) ([]mutation.Mutant, error) {
	paths, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(p.Path), "*.go"))
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", p.Path, err)
	}
	sort.Strings(paths)
	var all []mutation.Mutant
	for _, path := range paths {
		name := filepath.Base(path)
		if strings.HasSuffix(name, "_test.go") || p.Files != nil && !p.Files.MatchString(name) {
			continue
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", path, err)
		}
		found, err := mutation.Mutants(strings.TrimPrefix(p.Path, "./")+"/"+name, source)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: found nothing to mutate", p.Path)
	}
	return all, nil
}

// equivalents reads the list of equivalent mutants.
func equivalents(root string) (map[string]string, error) {
	content, err := os.ReadFile(filepath.Join(root, "helpers", "cmd", "mutants", "equivalent.yaml"))
	if err != nil {
		return nil, fmt.Errorf("read equivalent mutants: %w", err)
	}
	return mutation.Equivalents(content)
}
