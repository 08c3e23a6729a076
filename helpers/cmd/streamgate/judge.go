package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"streamgate/helpers/bundle"
	"streamgate/helpers/cmd/streamgate/github"
	"streamgate/helpers/report"
	"streamgate/helpers/verdict"
)

// newJudge is `streamgate judge`.
func newJudge() *cobra.Command {
	var asJSON bool
	var into string
	judge := &cobra.Command{
		Use:   "judge DIR",
		Short: "Check a bundle and judge it again, from its files alone",
		Long: "Check a bundle and judge it again, from its files alone. DIR is a bundle, or a\n" +
			"folder such as out, whose newest bundle is meant.\n\n" +
			"The bundle of a killed run is judged as far as it goes. A bundle that is broken,\n" +
			"or whose numbers contradict each other, is refused. Nothing in it is changed.\n\n" +
			"Exit code: pass 0, fail 1, refused 2, inconclusive 3, invalid 4. A run that has\n" +
			"not finished, and left no verdict.json, is inconclusive at best.",
		Example: "  streamgate judge out\n" +
			"  streamgate judge out/20261130T190000Z-multistream-7f3a2c\n" +
			"  streamgate judge --json out/20261130T190000Z-multistream-7f3a2c",
		Args:              want("DIR, a bundle or a folder of bundles such as out"),
		ValidArgsFunction: folders,
		RunE: func(cmd *cobra.Command, args []string) error {
			run, err := openBundle(args[0])
			if err != nil {
				return err
			}
			if into != "" {
				if err := writeReports(into, run); err != nil {
					return err
				}
			}
			if err := printVerdict(cmd, run, asJSON); err != nil {
				return err
			}
			return exitOf(run)
		},
	}
	judge.Flags().BoolVar(&asJSON, "json", false, "print verdict.json instead of the table")
	judge.Flags().StringVar(&into, "reports", "", "write the reports and verdict.json into this `folder`")
	return judge
}

// exitOf is the verdict's exit code. A run that left no verdict has not finished, and never passes.
func exitOf(run bundle.Run) error {
	code := run.Verdict.ExitCode
	if code == 0 && run.Incomplete != "" {
		code = verdict.Inconclusive.ExitCode()
	}
	if code != 0 {
		return exit(code)
	}
	return nil
}

// openBundle opens a bundle, or the newest one in a folder of them.
func openBundle(dir string) (bundle.Run, error) {
	if _, err := os.Stat(dir); err != nil {
		return bundle.Run{}, fmt.Errorf("%s: no such folder: want a folder that a gate or a comparison has left in out/, or out itself", dir)
	}
	run, err := github.Newest(dir)
	if !errors.Is(err, github.ErrNoBundle) {
		return run, err
	}
	_, err = bundle.Open(dir)
	return bundle.Run{}, fmt.Errorf("%w: want a folder that a gate or a comparison has left in out/, or out itself", err)
}

func printVerdict(cmd *cobra.Command, run bundle.Run, asJSON bool) error {
	if !asJSON {
		return report.Text(cmd.OutOrStdout(), run)
	}
	content, err := run.Verdict.JSON()
	if err != nil {
		return err
	}
	_, err = cmd.OutOrStdout().Write(content)
	return err
}

func writeReports(dir string, run bundle.Run) error {
	for _, name := range []string{bundle.EnvironmentFile, bundle.RecoveriesFile} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return fmt.Errorf("%s is a bundle, and would become another: want another folder for the reports", dir)
		}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if _, err := report.WriteRun(dir, run); err != nil {
		return err
	}
	content, err := run.Verdict.JSON()
	if err != nil {
		return err
	}
	return bundle.WriteFile(filepath.Join(dir, bundle.VerdictFile), content)
}
