package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"streamgate/fixtures/target"
	"streamgate/helpers/config"
)

// restoreLimit bounds it: a handful of requests.
const restoreLimit = 2 * time.Minute

// newRestore is `streamgate restore`.
func newRestore() *cobra.Command {
	return &cobra.Command{
		Use:   "restore [RUN]",
		Short: "Put a cluster of your own right after a run on it was killed",
		Long: "Put the recovery settings of the cluster that STREAMGATE_TARGET names back to\n" +
			"what they were before the run, and delete the run's index. A run does that\n" +
			"itself, also when it fails or is interrupted; this is for one that was killed.\n" +
			"What is needed stands in the run's index, so it works from any machine, and in\n" +
			"a file below XDG_STATE_HOME of the machine that ran it, should the index be\n" +
			"gone. Without RUN it lists what there is and changes nothing. Make sure that the\n" +
			"run is dead.\n\n" +
			"Exit code: 0, also when there was nothing to list; 2 when the cluster refuses\n" +
			"or no such run has left anything.",
		Example: "  export STREAMGATE_TARGET=https://search.example.org:9200\n" +
			"  streamgate restore\n" +
			"  streamgate restore 7f3a2c10",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, cancel := context.WithTimeout(cmd.Context(), restoreLimit)
			defer cancel()
			return restore(ctx, cmd.OutOrStdout(), os.Environ(), args)
		},
	}
}

func restore(ctx context.Context, out io.Writer, environ, run []string) error {
	c, err := config.Load(environ)
	if err != nil {
		return err
	}
	if !c.HasTarget() {
		return errors.New("STREAMGATE_TARGET: want the address of the cluster to put right")
	}
	spec, err := target.SpecOf(c, "")
	if err != nil {
		return err
	}
	if len(run) == 0 {
		return listLeft(ctx, out, spec)
	}
	if err := target.Restore(ctx, spec, run[0]); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "the settings are as before run %s, its index is deleted\n", run[0])
	return err
}

func listLeft(ctx context.Context, out io.Writer, spec target.Spec) error {
	left, err := target.Leftovers(ctx, spec)
	if err != nil {
		return err
	}
	if len(left) == 0 {
		_, err = fmt.Fprintln(out, "nothing is left on this cluster")
		return err
	}
	for _, l := range left {
		settings := "no setting was changed yet"
		if l.Before != nil {
			settings = "settings from before are noted"
		}
		if _, err := fmt.Fprintf(out, "run %s, begun %s: index %s, %s\n", l.Run, l.Begun.Format(time.RFC3339), l.Index, settings); err != nil {
			return err
		}
	}
	return nil
}
