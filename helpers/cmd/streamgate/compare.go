package main

import (
	"github.com/spf13/cobra"

	"streamgate/helpers/bundle"
	"streamgate/helpers/report"
)

// newCompare is `streamgate compare`.
func newCompare() *cobra.Command {
	var asJSON bool
	command := &cobra.Command{
		Use:   "compare A B",
		Short: "Compare two like runs, or say what makes them unlike",
		Long: "Compare the bundles of two like runs: how each arm's time and each claim's\n" +
			"quantity moved from A to B, with an interval. Unlike runs are never compared:\n" +
			"the conditions that differ are printed instead.\n\n" +
			"Two versions are held against each other in one run by make compare, which says\n" +
			"more: here the machine may have changed between the runs.\n\n" +
			"Exit code: 0 when they were compared, 2 when not.",
		Example: "  streamgate compare out/20261129T190000Z-multistream-1c9e55 \\\n" +
			"    out/20261130T190000Z-multistream-7f3a2c",
		Args:              want("two bundles, A and B, such as folders in out/", "a second bundle, B"),
		ValidArgsFunction: folders,
		RunE: func(cmd *cobra.Command, args []string) error {
			a, err := openBundle(args[0])
			if err != nil {
				return err
			}
			b, err := openBundle(args[1])
			if err != nil {
				return err
			}
			comparison := bundle.Compare(a, b)
			if asJSON {
				err = writeJSON(cmd.OutOrStdout(), asRecord(comparison))
			} else {
				err = report.Comparison(cmd.OutOrStdout(), comparison)
			}
			if err == nil && len(comparison.Unlike) > 0 {
				return exit(refused)
			}
			return err
		},
	}
	command.Flags().BoolVar(&asJSON, "json", false, "print the comparison as JSON")
	return command
}

// comparisonRecord is a comparison for a script. Numbers of unlike runs are absent.
type comparisonRecord struct {
	Compared bool               `json:"compared"`
	Unlike   []differenceRecord `json:"unlike"`
	Noted    []differenceRecord `json:"noted"`
	Times    []changeRecord     `json:"times"`  // seconds, by arm
	Ratios   []changeRecord     `json:"ratios"` // by claim
}

type differenceRecord struct {
	Condition string `json:"condition"`
	A         string `json:"a"`
	B         string `json:"b"`
}

// changeRecord has the medians of both runs, and the factor from A to B. An interval is absent
// where there are too few rounds.
type changeRecord struct {
	Name   string   `json:"name"`
	A      float64  `json:"a"`
	B      float64  `json:"b"`
	Factor float64  `json:"factor"`
	Lower  *float64 `json:"lower,omitempty"`
	Upper  *float64 `json:"upper,omitempty"`
}

func asRecord(c bundle.Comparison) comparisonRecord {
	return comparisonRecord{
		Compared: len(c.Unlike) == 0, Unlike: differences(c.Unlike), Noted: differences(c.Noted),
		Times: changes(c.Times), Ratios: changes(c.Ratios),
	}
}

func differences(list []bundle.Difference) []differenceRecord {
	records := []differenceRecord{}
	for _, d := range list {
		records = append(records, differenceRecord(d))
	}
	return records
}

func changes(list []bundle.Change) []changeRecord {
	records := []changeRecord{}
	for _, c := range list {
		record := changeRecord{Name: c.Name, A: c.A, B: c.B, Factor: c.Shift.Factor}
		if c.Shift.Known {
			record.Lower, record.Upper = &c.Shift.Lower, &c.Shift.Upper
		}
		records = append(records, record)
	}
	return records
}
