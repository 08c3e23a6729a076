package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"streamgate/fixtures/images"
	"streamgate/helpers/cmd/streamgate/github"
	"streamgate/helpers/config"
)

// newCI is `streamgate ci`, the parts of a job of GitHub Actions.
func newCI() *cobra.Command {
	ci := &cobra.Command{
		Use:   "ci",
		Short: "Tell a job of GitHub Actions what a run has shown",
		Long: "The steps of .github/actions/gate, one each. DIR is a bundle, or a folder whose\n" +
			"newest bundle is meant. Outside of GitHub, where GITHUB_STEP_SUMMARY and\n" +
			"GITHUB_OUTPUT are not set, everything is printed.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	ci.AddCommand(newCISummary(), newCIAnnotate(), newCIVerdict(), newCIHistory(), newCIImages())
	return ci
}

func newCISummary() *cobra.Command {
	return &cobra.Command{
		Use:     "summary DIR",
		Short:   "Write the summary and the outputs of the step",
		Example: "  streamgate ci summary out",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return github.Summary(github.JobIn(os.Getenv, cmd.OutOrStdout()), args[0])
		},
	}
}

func newCIAnnotate() *cobra.Command {
	return &cobra.Command{
		Use:     "annotate DIR",
		Short:   "Print an error for each claim that does not pass",
		Example: "  streamgate ci annotate out",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			root, err := config.Root()
			if err != nil {
				return err
			}
			return github.Annotate(cmd.OutOrStdout(), args[0], root)
		},
	}
}

func newCIVerdict() *cobra.Command {
	var runCode int
	command := &cobra.Command{
		Use:   "verdict DIR",
		Short: "Print the verdict and end with its exit code",
		Long: "Print the verdict and end with its exit code: pass 0, fail or no bundle 1,\n" +
			"refused 2, inconclusive 3, invalid 4. A run that ended with an error is never\n" +
			"green.",
		Example: "  streamgate ci verdict --run-code 0 out",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			code, err := github.Verdict(cmd.OutOrStdout(), args[0], runCode)
			if err == nil && code != 0 {
				return exit(code)
			}
			return err
		},
	}
	command.Flags().IntVar(&runCode, "run-code", 0, "what the run itself ended with")
	return command
}

func newCIHistory() *cobra.Command {
	return &cobra.Command{
		Use:   "history FILE DIR...",
		Short: "Append runs to a history of JSON lines, and show how they changed",
		Long: "Append the bundles of each DIR to FILE, write FILE-SUITE.csv beside it for\n" +
			"Apache Otava, and show the change over time in the summary.",
		Example: "  streamgate ci history history/history.ndjson out",
		Args:    cobra.MinimumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return github.History(github.JobIn(os.Getenv, cmd.OutOrStdout()), args[0], args[1:])
		},
	}
}

func newCIImages() *cobra.Command {
	return &cobra.Command{
		Use:     "images",
		Short:   "Print the images of a run, for the key of a cache",
		Example: "  streamgate ci images",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := config.Load(os.Environ())
			if err != nil {
				return err
			}
			set, err := images.References(images.WantedIn(c))
			if err != nil {
				return err
			}
			for _, ref := range set.List() {
				if _, err := fmt.Fprintln(cmd.OutOrStdout(), ref); err != nil {
					return err
				}
			}
			return nil
		},
	}
}
