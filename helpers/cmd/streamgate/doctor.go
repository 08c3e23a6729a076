package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"streamgate/helpers/cmd/streamgate/doctor"
)

// unfit is the exit code of a machine on which streamgate cannot work.
const unfit = 1

// newDoctor is `streamgate doctor`.
func newDoctor() *cobra.Command {
	var asJSON bool
	command := &cobra.Command{
		Use:   "doctor",
		Short: "Say whether streamgate can work here, and what to do if not",
		Long: "Look at the engine, disk, memory, cores, images, ports, registry and kernel\n" +
			"limits. Each line is ok, warning or stop, with what to do. It takes seconds and\n" +
			"changes nothing; the registry is asked by the engine, and only when an image is\n" +
			"missing.\n\n" +
			"Exit code: 0 when nothing says stop, 1 when something does.",
		Example: "  streamgate doctor\n  STREAMGATE_PROFILE=full streamgate doctor\n  streamgate doctor --json",
		Args:    none,
		RunE: func(cmd *cobra.Command, _ []string) error {
			findings := doctor.Judge(doctor.Look(cmd.Context(), os.Environ()))
			if err := printFindings(cmd.OutOrStdout(), findings, asJSON); err != nil {
				return err
			}
			if doctor.Worst(findings) == doctor.Stop {
				return exit(unfit)
			}
			return nil
		},
	}
	command.Flags().BoolVar(&asJSON, "json", false, "print the findings as JSON")
	return command
}

func printFindings(w io.Writer, findings []doctor.Finding, asJSON bool) error {
	if asJSON {
		return writeJSON(w, findings)
	}
	for _, f := range findings {
		text := fold(f.Found)
		if f.Advice != "" {
			text = append(text, fold("-> "+f.Advice)...)
		}
		for i, line := range text {
			state, check := string(f.State), f.Check
			if i > 0 {
				state, check = "", ""
			}
			if _, err := fmt.Fprintln(w, strings.TrimRight(fmt.Sprintf("%-8s %-9s  %s", state, check, line), " ")); err != nil {
				return err
			}
		}
	}
	return nil
}

// fold breaks a text into lines of at most 60 bytes, which with the words in front of them
// makes 80 columns. A longer word keeps a line of its own.
func fold(text string) []string {
	const width = 60
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimLeft(line+" "+word, " ")
	}
	return append(lines, line)
}

func writeJSON(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}
