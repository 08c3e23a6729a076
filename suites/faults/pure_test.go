package faults

import (
	"crypto/sha256"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"streamgate/fixtures/suite"
	"streamgate/helpers/osapi"
)

func holding(documents map[string]string) content {
	c := content{}
	for id, source := range documents {
		c[id] = sha256.Sum256([]byte(source))
	}
	return c
}

// Is a copy told from the primary by one document that is missing, more, changed or under
// another id? Each way is tried on a copy that is otherwise the same.
func TestUnlikeContent(t *testing.T) {
	primary := holding(map[string]string{"1": "a", "2": "b"})
	assert.Empty(t, unlikeContent(primary, holding(map[string]string{"2": "b", "1": "a"})))
	for name, replica := range map[string]map[string]string{
		"missing": {"1": "a"},
		"more":    {"1": "a", "2": "b", "3": "c"},
		"changed": {"1": "a", "2": "B"},
		"swapped": {"1": "b", "2": "a"},
		"renamed": {"1": "a", "3": "b"},
		"nothing": {},
	} {
		assert.NotEmpty(t, unlikeContent(primary, holding(replica)), name)
	}
	assert.NotEmpty(t, unlikeContent(content{}, content{}), "two copies of nothing prove nothing")
}

// Is a copy told by its segments: one missing, more, of another size, with other documents?
func TestUnlikeSegments(t *testing.T) {
	one := osapi.Segment{SizeBytes: 10, Documents: 2}
	primary := map[string]osapi.Segment{"_0": one, "_1": one}
	assert.Empty(t, unlikeSegments(primary, map[string]osapi.Segment{"_0": one, "_1": one}))
	for name, replica := range map[string]map[string]osapi.Segment{
		"missing":   {"_0": one},
		"more":      {"_0": one, "_1": one, "_2": {}},
		"size":      {"_0": one, "_1": {SizeBytes: 11, Documents: 2}},
		"documents": {"_0": one, "_1": {SizeBytes: 10, Documents: 1}},
	} {
		assert.Len(t, unlikeSegments(primary, replica), 1, name)
	}
	assert.NotEmpty(t, unlikeSegments(nil, nil), "two copies of nothing prove nothing")
}

// Does an expectation fail on each of its parts? One part of a fitting outcome is changed at a
// time.
func TestExpectationCanFail(t *testing.T) {
	want := expectation{ending: isEqual, source: fromPeer, says: fellBack, least: time.Second, most: time.Minute}
	fits := outcome{ending: equal, source: peer, says: "x " + fellBack + " y", took: 2 * time.Second, doubts: []string{"peer"}}
	assert.Empty(t, want.unmet(fits))
	for name, change := range map[string]func(*outcome){
		"ending": func(o *outcome) { o.ending = wrong },
		"source": func(o *outcome) { o.source = remote },
		"says":   func(o *outcome) { o.says = "nothing" },
		"early":  func(o *outcome) { o.took = time.Millisecond },
		"late":   func(o *outcome) { o.took = time.Hour },
		"gate":   func(o *outcome) { o.doubts = nil },
	} {
		o := fits
		change(&o)
		assert.Len(t, want.unmet(o), 1, name)
	}
	want.ending, fits.ending = []ending{wrong}, wrong
	assert.Empty(t, want.unmet(fits))
	fits.doubts = nil
	assert.Len(t, want.unmet(fits), 1, "a wrong replica that a gate would measure")
}

// Does the README tell of each scenario that the code has, with each of its streams and in its
// present words? It is written by a run of all.
func TestReadmeTellsOfEachScenario(t *testing.T) {
	text, err := os.ReadFile(readme)
	require.NoError(t, err)
	rows := 0
	for _, x := range scenarios() {
		for _, streams := range x.streams {
			assert.Equal(t, 1, strings.Count(string(text), fmt.Sprintf("| %s | %d | ", x.name, streams)),
				"%s, %d streams: go test -update writes it anew", x.name, streams)
			rows++
		}
		told := strings.Contains(string(text), "- **"+x.name+"**: "+x.does+"\n") // assert.Contains would print all of it
		assert.True(t, told, "%s: go test -update writes its present words", x.name)
	}
	assert.Equal(t, rows+2, strings.Count(string(text), "\n| ")+strings.Count(string(text), "\n|-"), "a row of the README is none of the code's")
}

// Does a README show an outcome that must not be where nobody overlooks it, and only then? It is
// made of one right and one wrong outcome, and of the right one alone.
func TestFindingsAreLoud(t *testing.T) {
	right := outcome{scenario: "fine", streams: 1, ending: equal, source: remote}
	bad := outcome{scenario: "bad", streams: 8, ending: wrong, source: remote, unequal: []string{"file _0.cfs has other bytes"}}
	text := markdown("0.0.0", []outcome{right, bad})
	assert.Contains(t, text, "| bad | 8 | **GREEN AND WRONG** |")
	assert.Contains(t, text, "- **bad**, streams: 8: the index is green, and file _0.cfs has other bytes.")
	assert.Contains(t, text, "| fine | 1 | equal | remote |")
	assert.NotContains(t, markdown("0.0.0", []outcome{right}), "## Findings")
}

// Is each scenario whole: a name of its own, streams, a fault, what OpenSearch does, and an
// expectation that excludes something? Does the quick choice have several endings?
func TestScenariosAreWhole(t *testing.T) {
	names, endings := map[string]bool{}, map[ending]bool{}
	for _, kind := range [][]scenario{linkScenarios(), storeScenarios(), objectScenarios(), nodeScenarios(), indexScenarios()} {
		for _, x := range kind {
			assert.False(t, names[x.name], "%s is there twice", x.name)
			names[x.name] = true
			assert.NotEmpty(t, x.streams, x.name)
			assert.NotNil(t, x.fault.strike, x.name)
			assert.NotEmpty(t, x.does, x.name)
			assert.NotEmpty(t, x.want.ending, x.name)
			assert.NotEmpty(t, x.want.source, x.name)
			assert.NotZero(t, x.want.most, x.name)
			if x.quick > 0 {
				endings[x.want.ending[0]] = true
				assert.Contains(t, x.streams, x.quick, x.name)
			}
		}
	}
	assert.GreaterOrEqual(t, len(endings), 3, "the quick choice has too few kinds of endings")
}

// Does suites/README.md say which scenarios each choice plays?
func TestChoices(t *testing.T) {
	suite.Uncached(t)
	var choices []suite.Choice
	for _, x := range scenarios() {
		choices = append(choices, suite.Choice{Name: x.name, Quick: x.quick > 0})
	}
	suite.Choices(t, "faults", choices)
}
