package bundle_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"streamgate/helpers/bundle"
	"streamgate/helpers/bundle/bundletest"
	"streamgate/helpers/verdict"
)

// Does what is unproven go with the verdict, into its words, its JSON and through a bundle that
// is read back, without changing what was decided?
func TestUnprovenGoesWithTheVerdict(t *testing.T) {
	run := bundletest.OnTarget()
	v, err := bundle.Judge(run.Environment, run.Recoveries)
	require.NoError(t, err)
	assert.Equal(t, verdict.Pass, v.Outcome, v.Reasons)
	assert.Equal(t, 0, v.ExitCode)
	assert.Equal(t, "pass, as far as proven", v.Words())
	assert.Equal(t, run.Environment.Unproven, v.Unproven)
	content, err := v.JSON()
	require.NoError(t, err)
	for _, line := range run.Environment.Unproven {
		assert.Contains(t, string(content), line)
	}

	dir := written(t, run)
	again, err := bundle.Open(dir)
	require.NoError(t, err)
	assert.Equal(t, v, again.Verdict)
	assert.Equal(t, run.Environment.Target, again.Environment.Target)

	// Whoever takes the lines out of the verdict is found out.
	path := filepath.Join(dir, bundle.VerdictFile)
	var said verdict.Verdict
	require.NoError(t, json.Unmarshal(content, &said))
	said.Unproven = nil
	content, err = said.JSON()
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, content, 0o600))
	_, err = bundle.Open(dir)
	require.ErrorContains(t, err, "judging gives")
}

// Does a run on a stack of our own say nothing of all that? Its verdict's bytes are as ever.
func TestNothingIsUnprovenOnAStack(t *testing.T) {
	v := bundletest.Run().Verdict
	content, err := v.JSON()
	require.NoError(t, err)
	assert.NotContains(t, string(content), "unproven")
	assert.Equal(t, "pass", v.Words())
}

// Is an environment refused that leaves open what was measured?
func TestTargetIsChecked(t *testing.T) {
	for want, change := range map[string]func(*bundle.Environment){
		"a target comes with an unknown link, with something unproven": func(e *bundle.Environment) { e.Unproven = nil },
		"without stacks beside it":                                     func(e *bundle.Environment) { e.Stacks = []bundle.Stack{{Name: "x"}} },
		"the target has 1 data nodes":                                  func(e *bundle.Environment) { e.Target.DataNodes = 1 },
		"the link is unknown, which it only is on a target":            func(e *bundle.Environment) { e.Target = nil },
		"link is unknown and has numbers all the same":                 func(e *bundle.Environment) { e.Link.NominalRateBytes = 1 },
		"33 lines of what is unproven":                                 func(e *bundle.Environment) { e.Unproven = strings.Split(strings.Repeat("x,", 32)+"x", ",") },
	} {
		t.Run(want, func(t *testing.T) {
			e := bundletest.OnTarget().Environment
			require.NoError(t, e.Validate())
			change(&e)
			require.ErrorContains(t, e.Validate(), want)
		})
	}
}

// Are a stack and a target held apart, and two targets of which one listed its store?
func TestCompareHoldsTargetsApart(t *testing.T) {
	differs := func(a, b bundle.Run) (found bool) {
		for _, d := range bundle.Compare(a, b).Unlike {
			found = found || d.Condition == "measured on"
		}
		return found
	}
	listed := bundletest.OnTarget()
	listed.Environment.Target.Listed = true
	assert.True(t, differs(bundletest.Run(), bundletest.OnTarget()))
	assert.True(t, differs(bundletest.OnTarget(), listed))
	assert.False(t, differs(bundletest.OnTarget(), bundletest.OnTarget()))
}
