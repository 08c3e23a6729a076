package main

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
)

// Does every command explain itself within 80 columns, with an example that calls it? Cobra's
// own (help, completion) are cobra's.
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
		}
		assert.NotEmpty(t, command.Short)
	}
	visit(newRoot())
	assert.Equal(t, 13, seen)
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
}
