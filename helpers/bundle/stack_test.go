package bundle_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"streamgate/helpers/bundle"
	"streamgate/helpers/bundle/bundletest"
	"streamgate/helpers/recovery"
	"streamgate/helpers/verdict"
)

// twoStacks is the passing run with its second arm on a stack of its own, whose files are other
// ones and a tenth larger.
func twoStacks() bundle.Run {
	run := bundletest.Run()
	e := &run.Environment
	var files []recovery.File
	for _, file := range e.Files {
		files = append(files, recovery.File{Name: "other" + file.Name, SizeBytes: file.SizeBytes * 11 / 10})
	}
	measured := *e.Link.Measured
	e.Stacks = []bundle.Stack{{
		Name: "candidate", Arms: []string{"multi"}, Source: "maven:3.9.0", OpenSearch: "3.9.0", Files: files, Measured: &measured,
	}}
	for i := range run.Recoveries {
		if r := &run.Recoveries[i]; r.Arm.Name == "multi" {
			r.Evidence.WantBytes, r.Evidence.DownloadedBytes = recovery.Sum(files), recovery.Sum(files)
			r.Evidence.Store.SentBytes = recovery.Sum(files)
		}
	}
	bundletest.Reclaim(e)
	return run
}

// Is each arm held against the files of its own stack? With the first stack's, its bytes would be
// wrong; and its best possible time is that of its own files.
func TestArmsOnTheirStacks(t *testing.T) {
	run := twoStacks()
	v, err := bundle.Judge(run.Environment, run.Recoveries)
	require.NoError(t, err)
	assert.Equal(t, verdict.Pass, v.Outcome, v.Reasons)

	before, _ := bundletest.Environment().Best(run.Environment.Arms[1])
	after, ok := run.Environment.Best(run.Environment.Arms[1])
	require.True(t, ok)
	assert.InEpsilon(t, 1.1, after.Work.Seconds()/before.Work.Seconds(), 0.001)

	run.Environment.Stacks[0].Arms = []string{"single"}
	_, err = bundle.Judge(run.Environment, run.Recoveries)
	require.ErrorContains(t, err, "wants 52 files of")
}

// Does a bad link of any stack make the verdict invalid, and say which?
func TestLinkOfEachStack(t *testing.T) {
	run := twoStacks()
	run.Environment.Stacks[0].Measured.RateEach /= 2
	bundletest.Reclaim(&run.Environment)
	v, err := bundle.Judge(run.Environment, run.Recoveries)
	require.NoError(t, err)
	assert.Equal(t, verdict.Invalid, v.Outcome)
	assert.True(t, strings.HasPrefix(v.Reasons[0], "stack candidate: link: with 8 at once"), v.Reasons[0])
}

// Is an environment refused whose stacks contradict it?
func TestStacksAreChecked(t *testing.T) {
	for want, breakIt := range map[string]func(*bundle.Environment){
		`a stack is named ""`:          func(e *bundle.Environment) { e.Stacks[0].Name = "" },
		`a stack is named "candidate"`: func(e *bundle.Environment) { e.Stacks = append(e.Stacks, bundle.Stack{Name: "candidate"}) },
		`has arm "third"`:              func(e *bundle.Environment) { e.Stacks[0].Arms = []string{"third"} },
		`has arm "multi"`:              func(e *bundle.Environment) { e.Stacks[0].Arms = []string{"multi", "multi"} },
		"allowed are different names":  func(e *bundle.Environment) { e.Stacks[0].Files[1] = e.Stacks[0].Files[0] },
		"finite rates above 0":         func(e *bundle.Environment) { e.Stacks[0].Measured.RateAlone = 0 },
		"stacks beside the first":      func(e *bundle.Environment) { e.Stacks = make([]bundle.Stack, 16) },
	} {
		e := twoStacks().Environment
		breakIt(&e)
		assert.ErrorContains(t, e.Validate(), want)
	}
}

// Which versions did a run measure? Each once, the first stack's first.
func TestVersions(t *testing.T) {
	e := twoStacks().Environment
	assert.Equal(t, []string{"3.8.0", "3.9.0"}, e.Versions())
	e.Stacks[0].OpenSearch = "3.8.0"
	assert.Equal(t, []string{"3.8.0"}, e.Versions())
}

// Are two runs comparable when their candidates differ in version, and not when they differ in
// layout or in who ran where?
func TestCompareRunsOfTwoStacks(t *testing.T) {
	other := twoStacks()
	other.Environment.Stacks[0].OpenSearch = "3.10.0"
	a := twoStacks()
	a.Verdict, other.Verdict = bundletest.Judge(a), bundletest.Judge(other)
	comparison := bundle.Compare(a, other)
	require.Empty(t, comparison.Unlike)
	assert.Contains(t, comparison.Noted, bundle.Difference{Condition: "OpenSearch", A: "3.8.0 and 3.9.0", B: "3.8.0 and 3.10.0"})

	other.Environment.Stacks[0].Arms = []string{"single"}
	assert.Contains(t, bundle.Compare(a, other).Unlike, bundle.Difference{Condition: "arms of stack candidate", A: "multi", B: "single"})
}

// Are two runs unlike when the second stack's files or link are, each named with its stack?
func TestCompareHoldsTheSecondStack(t *testing.T) {
	for condition, spoil := range map[string]func(*bundle.Stack){
		"files of stack candidate":                     func(s *bundle.Stack) { s.Files = s.Files[1:] },
		"bytes of all files of stack candidate":        func(s *bundle.Stack) { s.Files[0].SizeBytes += 5_000_000 },
		"bytes of the largest file of stack candidate": func(s *bundle.Stack) { s.Files[0].SizeBytes += 6_000_000 },
		"link measured of stack candidate":             func(s *bundle.Stack) { s.Measured = nil },
		"link measured with of stack candidate":        func(s *bundle.Stack) { s.Measured.Connections = 4 },
		"link measured, rate alone of stack candidate": func(s *bundle.Stack) { s.Measured.RateAlone = 10e6 },
		"link measured, rate each of stack candidate":  func(s *bundle.Stack) { s.Measured.RateEach = 10e6 },
		"link measured, first byte of stack candidate": func(s *bundle.Stack) { s.Measured.FirstByte = time.Second },
		"arms of stack candidate":                      func(s *bundle.Stack) { s.Arms = nil },
	} {
		b := twoStacks()
		spoil(&b.Environment.Stacks[0])
		var named []string
		for _, difference := range bundle.Compare(twoStacks(), b).Unlike {
			assert.NotEqual(t, difference.A, difference.B)
			named = append(named, difference.Condition)
		}
		assert.Contains(t, named, condition)
	}
	b := twoStacks()
	b.Environment.Stacks[0].Name = "other"
	assert.Len(t, bundle.Compare(bundletest.Run(), b).Unlike, 3, "a stack that only one of them has")
}
