package main

import (
	"github.com/spf13/cobra"

	"streamgate/helpers/bundle"
	"streamgate/helpers/report"
)

// newCompare is `streamgate compare`.
func newCompare() *cobra.Command {
	return &cobra.Command{
		Use:   "compare A B",
		Short: "Compare two like runs, or say what makes them unlike",
		Long: "Compare the bundles of two like runs: how each arm's time and each claim's\n" +
			"quantity moved from A to B, with an interval. Unlike runs are never compared:\n" +
			"the conditions that differ are printed instead, and the exit code is 2.",
		Example: "  streamgate compare out/20261129T190000Z-multistream-1c9e55 \\\n" +
			"    out/20261130T190000Z-multistream-7f3a2c",
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			a, err := bundle.Open(args[0])
			if err != nil {
				return err
			}
			b, err := bundle.Open(args[1])
			if err != nil {
				return err
			}
			comparison := bundle.Compare(a, b)
			if err := report.Comparison(cmd.OutOrStdout(), comparison); err != nil {
				return err
			}
			if len(comparison.Unlike) > 0 {
				return exit(refused)
			}
			return nil
		},
	}
}
