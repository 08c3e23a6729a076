package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// wrong is a call that the command cannot make sense of, with where to read on.
func wrong(cmd *cobra.Command, format string, values ...any) error {
	return fmt.Errorf("%s; see %s --help", fmt.Sprintf(format, values...), cmd.CommandPath())
}

// none is for a command without arguments; of one that only has subcommands it is asked when
// there is no such subcommand.
func none(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return nil
	case !cmd.HasAvailableSubCommands():
		return wrong(cmd, "%s takes no argument, and got %q", cmd.Name(), args[0])
	}
	cmd.SuggestionsMinimumDistance = 2 // letters that are wrong
	var names []string
	for _, near := range cmd.SuggestionsFor(args[0]) {
		names = append(names, cmd.CommandPath()+" "+near)
	}
	if len(names) > 0 {
		return wrong(cmd, "unknown command %q, did you mean %s?", args[0], strings.Join(names, " or "))
	}
	return wrong(cmd, "unknown command %q", args[0])
}

// want is for a command that takes as many arguments as are described here.
func want(described ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < len(described):
			return wrong(cmd, "%s wants %s", cmd.Name(), described[len(args)])
		case len(args) > len(described):
			return wrong(cmd, "%s has all it wants, and got %q too", cmd.Name(), args[len(described)])
		}
		return nil
	}
}

// wantMore is like want, but more than the last may follow.
func wantMore(described ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		return want(described...)(cmd, args[:min(len(args), len(described))])
	}
}

// folders lets a shell complete folders, which bundles are.
func folders(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}
