package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"streamgate/fixtures/images"
	"streamgate/helpers/cmd/streamgate/github"
	"streamgate/helpers/config"
	"streamgate/helpers/source"
)

// newCI is `streamgate ci`, the parts of a job of GitHub Actions.
func newCI() *cobra.Command {
	ci := &cobra.Command{
		Use:   "ci",
		Short: "Tell a job of GitHub Actions what a run has shown",
		Long: "The steps of .github/actions/gate, one each. DIR is a bundle, or a folder whose\n" +
			"newest bundle is meant. Outside of GitHub, where GITHUB_STEP_SUMMARY and\n" +
			"GITHUB_OUTPUT are not set, everything is printed.",
		Args: none,
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
		Args:    want("DIR, a bundle or a folder of bundles"),
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
		Args:    want("DIR, a bundle or a folder of bundles"),
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
		Args:    want("DIR, a bundle or a folder of bundles"),
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
		Long: "Append the bundles of each DIR to FILE, and show the change over time in the\n" +
			"summary. Beside FILE lie a CSV file for each series (suite, profile, OpenSearch)\n" +
			"and otava.yaml, with which Apache Otava looks for change points in them.",
		Example: "  streamgate ci history history/history.ndjson out",
		Args:    wantMore("FILE, a history of JSON lines", "DIR..., bundles or folders of bundles"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return github.History(github.JobIn(os.Getenv, cmd.OutOrStdout()), args[0], args[1:])
		},
	}
}

func newCIImages() *cobra.Command {
	return &cobra.Command{
		Use:   "images",
		Short: "Print the images of a run that are worth a cache, one each line",
		Long: "Print the images of a run that are worth a cache, one each line: those of both\n" +
			"sides of a comparison, but none that is made from a distribution or named as\n" +
			"an image, since the next run has another.",
		Example: "  streamgate ci images\n  STREAMGATE_BASE=maven:3.6.0 streamgate ci images",
		Args:    none,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := config.Load(os.Environ())
			if err != nil {
				return err
			}
			list, err := cacheable(c)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), strings.Join(list, "\n"))
			return err
		},
	}
}

// cacheable are the images whose sources stay what they are. Nothing is asked of an engine, and
// a distribution is not looked at.
func cacheable(c config.Config) ([]string, error) {
	var list []string
	want := images.WantedIn(c)
	want.OpenSearch = source.Default // for the two parts beside it
	parts, err := images.References(want)
	if err != nil {
		return nil, err
	}
	for _, from := range []source.Source{c.Source(), c.BaseSource(), c.CandidateSource()} {
		if from.Kind != source.Maven && from.Kind != source.Official {
			continue
		}
		set, err := images.References(images.Wanted{OpenSearch: from})
		if err != nil {
			return nil, err
		}
		if !slices.Contains(list, set.OpenSearch) {
			list = append(list, set.OpenSearch)
		}
	}
	return append(list, parts.MinIO, parts.Toxiproxy), nil
}
