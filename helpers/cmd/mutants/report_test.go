package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"streamgate/helpers/config"
	"streamgate/helpers/mutation"
)

func fateOf(kind mutation.Fate, key, equivalent string) fate {
	return fate{Mutant: mutation.Mutant{File: "helpers/a/a.go", Line: 7, Kind: mutation.Negated, Before: "x == y", After: "x != y"}, Key: key, Fate: kind, Equivalent: equivalent}
}

// Are a share that is too small, an equivalent mutant that a test kills, and one that is not there
// any more each an error, and nothing else?
func TestVerdict(t *testing.T) {
	r := report{packages: []mutated{{Path: "./helpers/a", Least: 75}}, fates: map[string][]fate{"./helpers/a": {
		fateOf(mutation.Killed, "1", ""), fateOf(mutation.Killed, "2", ""), fateOf(mutation.Killed, "3", ""),
		fateOf(mutation.Lived, "4", ""), fateOf(mutation.Lived, "5", "no test can tell"), fateOf(mutation.NotViable, "6", ""),
	}}}
	require.NoError(t, r.verdict()) // 3 of 4
	assert.Contains(t, r.table(), "| helpers/a | 5 | 3 | 1 | 1 | 75.0 % | 75 % |")
	assert.Equal(t, "lived: helpers/a/a.go:7: negated: x == y -> x != y\n", r.survivors())

	r.packages[0].Least = 76
	assert.EqualError(t, r.verdict(), "./helpers/a: tests kill 75.0 % of the mutants, want at least 76 %")
	r.packages[0].Least = 75
	r.fates["./helpers/a"][0].Equivalent = "no test can tell"
	r.stale = []string{"gone"}
	assert.ErrorContains(t, r.verdict(), `a test kills "1": take it off the list`)
	assert.ErrorContains(t, r.verdict(), `there is no mutant "gone": take it off the list`)
}

// Is the table put in place of the old one, and is a document without a place for it refused?
func TestWithTable(t *testing.T) {
	document := "before\n" + tableBegin + "\nold\n\n" + tableEnd + "after\n"
	got, err := withTable(document, "new\n")
	require.NoError(t, err)
	assert.Equal(t, "before\n"+tableBegin+"\nnew\n\n"+tableEnd+"after\n", got)
	_, err = withTable("no place\n", "new\n")
	assert.ErrorContains(t, err, "CONTRIBUTING.md has no")
}

// Is each equivalent mutant of the list still in the code, and does each package of the table have
// something to mutate? A list that rots would hide survivors.
func TestListIsOfTheCode(t *testing.T) {
	root, err := config.Root()
	require.NoError(t, err)
	known, err := equivalents(root)
	require.NoError(t, err)
	present := map[string]bool{}
	for _, p := range table {
		mutants, err := p.mutants(root)
		require.NoError(t, err)
		for _, m := range mutants {
			present[m.Key()] = true
		}
	}
	for key := range known {
		assert.True(t, present[key], "equivalent.yaml: there is no mutant %q", key)
	}
	document, err := os.ReadFile(filepath.Join(root, "CONTRIBUTING.md"))
	require.NoError(t, err)
	_, err = withTable(string(document), "")
	require.NoError(t, err)
}

// Is a package found by any way of writing it, and a pattern of several refused?
func TestChosen(t *testing.T) {
	for _, name := range []string{"helpers/bound", "./helpers/bound", "./helpers/bound/"} {
		packages, err := chosen([]string{name})
		require.NoError(t, err)
		assert.Equal(t, []mutated{{Path: "./helpers/bound", Least: 95}}, packages)
	}
	for _, name := range []string{"./...", "../other", "helpers/..."} {
		_, err := chosen([]string{name})
		assert.ErrorContains(t, err, "want a package of this module", name)
	}
	packages, err := chosen(nil)
	require.NoError(t, err)
	assert.Equal(t, table, packages)
}
