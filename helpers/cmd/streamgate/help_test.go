package main

import (
	"os/exec"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"streamgate/helpers/bundle/bundletest"
)

// Does every command explain itself within 80 columns, with an example that calls it, and does
// each that can end with more than 0 and 2 name its exit codes? Cobra's own (help, completion) are
// cobra's.
func TestEveryCommandHelps(t *testing.T) {
	seen := 0
	var visit func(command *cobra.Command)
	visit = func(command *cobra.Command) {
		for _, child := range command.Commands() {
			visit(child)
		}
		seen++
		words := strings.Fields(command.CommandPath())[1:]
		code, out, errs := streamgate(t, append(words, "--help")...)
		assert.Equal(t, 0, code)
		assert.Empty(t, errs)
		for line := range strings.Lines(out) {
			assert.LessOrEqual(t, utf8.RuneCountInString(strings.TrimSuffix(line, "\n")), 80, line)
		}
		if len(command.Commands()) == 0 {
			assert.Contains(t, command.Example, "  "+command.CommandPath(), "an example calls the command")
			if !strings.HasPrefix(command.CommandPath(), "streamgate ci ") {
				assert.Contains(t, command.Long, "Exit code: ", command.Name())
			}
		}
		assert.NotEmpty(t, command.Short)
	}
	visit(newRoot())
	assert.Equal(t, 14, seen)
}

// Does the list of make's targets fit the same terminal?
func TestMakeHelp(t *testing.T) {
	list := exec.CommandContext(t.Context(), "make", "--no-print-directory", "help")
	list.Dir = repository(t)
	out, err := list.Output()
	require.NoError(t, err)
	assert.Contains(t, string(out), "make gate ")
	for line := range strings.Lines(string(out)) {
		assert.LessOrEqual(t, utf8.RuneCountInString(strings.TrimSuffix(line, "\n")), 80, line)
	}
}

// Does no command colour its output, whatever the environment says? What is not written needs no
// NO_COLOR; a library that begins to would show here.
func TestNoColour(t *testing.T) {
	whole := written(t, bundletest.Run(), true)
	for _, arguments := range [][]string{{"--help"}, {"judge", whole}, {"compare", whole, whole}, {"doctor"}, {"ci", "summary", whole}, {"jugde"}} {
		_, out, errs := process(t, []string{"DOCKER_HOST=unix:///nowhere/docker.sock", "TERM=xterm-256color", "CLICOLOR_FORCE=1", "FORCE_COLOR=1"}, arguments...)
		assert.NotEmpty(t, out+errs)
		assert.NotContains(t, out+errs, "\x1b", arguments)
	}
}

// Does the command say what it was built from?
func TestVersion(t *testing.T) {
	code, out, errs := streamgate(t, "--version")
	assert.Equal(t, 0, code)
	assert.Empty(t, errs)
	assert.Regexp(t, `^streamgate version \S+\n$`, out)
}

// Is there completion for the usual shells, and does it know the commands?
func TestCompletion(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish"} {
		code, out, _ := streamgate(t, "completion", shell)
		assert.Equal(t, 0, code)
		assert.Contains(t, out, "streamgate")
	}
	_, out, _ := streamgate(t, "__complete", "do")
	assert.Contains(t, out, "doctor\t")
	assert.Contains(t, out, "down\t")
	for _, command := range []string{"judge", "compare"} {
		_, out, _ = streamgate(t, "__complete", command, "")
		assert.Equal(t, ":16\n", out, "bundles are folders: cobra.ShellCompDirectiveFilterDirs")
	}
	_, out, _ = streamgate(t, "__complete", "judge", "--")
	assert.Contains(t, out, "--json\t")
}
