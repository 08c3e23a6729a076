package github_test

import (
	"bytes"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"streamgate/helpers/bundle/bundletest"
	"streamgate/helpers/cmd/streamgate/github"
	"streamgate/helpers/config"
)

// Does each claim that fails get one error, at the line that declares its bound? The line is
// looked up in the source and must hold the bound.
func TestAnnotate(t *testing.T) {
	root, err := config.Root()
	require.NoError(t, err)
	dir := t.TempDir()
	name := written(t, dir, slow())
	var out bytes.Buffer
	require.NoError(t, github.Annotate(&out, dir, root))

	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	require.Len(t, lines, 2)
	source := strings.Split(content(t, filepath.Join(root, "helpers", "config", "profile.go")), "\n")
	for i, bound := range []string{"minSpeedup = 3.0", "minEfficiency = 0.55"} {
		parts := regexp.MustCompile(`^::error file=helpers/config/profile\.go,line=(\d+),title=streamgate%3A fail::(.*)$`).FindStringSubmatch(lines[i])
		require.NotNil(t, parts, lines[i])
		line, err := strconv.Atoi(parts[1])
		require.NoError(t, err)
		assert.Contains(t, source[line-1], bound)
		assert.Contains(t, parts[2], "demanded at least")
		assert.Contains(t, parts[2], "%0Abundle: "+name)
	}
}

// Where does an error point to? At the constant of a profile; for a suite's own claim at the line
// that makes it, which names the claim and its bound; nowhere for a bound that a variable has set,
// or that is declared nowhere here.
func TestAnnotatePlaces(t *testing.T) {
	root, err := config.Root()
	require.NoError(t, err)
	for name, c := range map[string]struct {
		claim, origin string
		file, line    string // what the line it points to holds
	}{
		"profile":       {"a", "profile ci, STREAMGATE_MIN_EFFICIENCY", "helpers/config/profile.go", "minEfficiency = 0.55"},
		"suite, single": {"single keeps up", "suites/compare", "suites/compare/question_test.go", `"single keeps up", candidateSingle, baseSingle, kept`},
		"suite, ratio":  {"speed-up kept", "suites/compare", "suites/compare/question_test.go", `SpeedUpKept("speed-up kept"`},
		"environment":   {"a", "environment, STREAMGATE_MIN_SPEEDUP", "", ""},
		"elsewhere":     {"a", "noise floor: equal within a tenth", "", ""},
		"no such claim": {"nobody makes it", "suites/compare", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			run := slow()
			run.Environment.Claims = run.Environment.Claims[:1]
			run.Environment.Claims[0].Name = c.claim
			run.Environment.Claims[0] = run.Environment.Claims[0].From(c.origin)
			if source, variable, named := strings.Cut(c.origin, ", "); named {
				run.Environment.Settings = []config.Setting{{Variable: variable, Value: "3", Source: source}}
			}
			dir := t.TempDir()
			written(t, dir, run)
			var out bytes.Buffer
			require.NoError(t, github.Annotate(&out, dir, root))
			assert.Equal(t, 1, strings.Count(out.String(), "\n"))
			parts := regexp.MustCompile(`^::error (?:file=([^,]+),line=(\d+),)?title=`).FindStringSubmatch(out.String())
			require.NotNil(t, parts, out.String())
			require.Equal(t, c.file, parts[1])
			if c.file == "" {
				return
			}
			line, err := strconv.Atoi(parts[2])
			require.NoError(t, err)
			assert.Contains(t, strings.Split(content(t, filepath.Join(root, c.file)), "\n")[line-1], c.line)
		})
	}
}

// Is a pass left without annotations?
func TestAnnotatePass(t *testing.T) {
	dir := t.TempDir()
	written(t, dir, bundletest.Run())
	var out bytes.Buffer
	require.NoError(t, github.Annotate(&out, dir, "."))
	assert.Empty(t, out.String())
}

// Can a text from a log become a command, or more annotations than there are claims?
func TestAnnotateEscapes(t *testing.T) {
	dir := t.TempDir()
	written(t, dir, hostile())
	var out bytes.Buffer
	require.NoError(t, github.Annotate(&out, dir, "."))
	assert.Equal(t, 2, strings.Count(out.String(), "\n"), "one line for each claim")
	assert.Len(t, regexp.MustCompile(`(?m)^::`).FindAllString(out.String(), -1), 2)
	assert.NotContains(t, out.String(), "\r")
	assert.Contains(t, out.String(), "100%25")
}

// Does a run that no claim can be blamed for get one error? An empty folder has no bundle;
// a link that is not the nominal one makes the run invalid before its claims.
func TestAnnotateWithoutClaim(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, github.Annotate(&out, t.TempDir(), "."))
	assert.Equal(t, "::error title=streamgate::no bundle: the run ended before it measured anything, its log says why\n", out.String())

	out.Reset()
	dir := t.TempDir()
	run := bundletest.Run()
	run.Environment.Link.Measured.RateEach = 6_000_000
	run.Recoveries = run.Recoveries[:0]
	written(t, dir, run)
	require.NoError(t, github.Annotate(&out, dir, "."))
	assert.Contains(t, out.String(), "link: with 8 at once")
}
