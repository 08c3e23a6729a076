package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"streamgate/fixtures/engine"
)

// newDown is `streamgate down`.
func newDown() *cobra.Command {
	return &cobra.Command{
		Use:   "down",
		Short: "Remove the stacks that up or STREAMGATE_KEEP have left running",
		Long: "Remove all stacks that were meant to be kept, with their data. Runs that are\n" +
			"going on are left alone, and so are images and bundles: see clean.\n\n" +
			"Exit code: 0, also when there was nothing to remove; 2 when the engine refuses.",
		Example: "  streamgate down",
		Args:    none,
		RunE: func(cmd *cobra.Command, _ []string) error {
			removed, left, err := engine.RemoveKept(cmd.Context())
			if err != nil {
				return err
			}
			text := fmt.Sprintf("removed %d containers", removed)
			if removed == 0 {
				text = "nothing is kept"
			}
			if left > 0 {
				text += fmt.Sprintf("\nleft alone: %d containers of runs that are going on, or of which that cannot be told from here", left)
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), text)
			return err
		},
	}
}
