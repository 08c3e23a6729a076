// Command streamgate is what of streamgate works without a test: judging a bundle again and
// comparing two of them.
//
// It only puts the rooms together: one small file per subcommand, which reads its
// arguments, calls a room and prints. What does not belong here: anything worth a test of
// its own.
//
// It ends with 0 when all is well, 2 when it was called wrongly or refuses its input, and
// `judge` with the exit code of the verdict: pass 0, fail 1, inconclusive 3, invalid 4.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
)

// refused is the exit code of a wrong call and of input that is refused; verdicts leave
// it free.
const refused = 2

// exit is an error that only carries an exit code: what there is to say has been printed.
type exit int

func (e exit) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run is main with everything handed in.
func run(ctx context.Context, arguments []string, out, errs io.Writer) int {
	root := newRoot()
	root.SetArgs(arguments)
	root.SetOut(out)
	root.SetErr(errs)
	err := root.ExecuteContext(ctx)
	var code exit
	switch {
	case err == nil:
		return 0
	case errors.As(err, &code):
		return int(code)
	}
	// One line, whatever the error: it is read in logs.
	_, _ = fmt.Fprintln(errs, "streamgate: "+strings.ReplaceAll(err.Error(), "\n", "; "))
	return refused
}

// newRoot is the command with its subcommands, one of each file.
func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:           "streamgate",
		Short:         "Judge and compare runs that measured replica recoveries from a remote store",
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          cobra.NoArgs,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	root.AddCommand(newJudge(), newCompare())
	return root
}
