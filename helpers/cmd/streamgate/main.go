// Command streamgate is what of streamgate works without a test: judging a bundle again,
// comparing two of them, looking at the machine, a stack to play with, cleaning up, and
// telling a job of GitHub Actions what a run has shown.
//
// It only puts the rooms together: one small file per subcommand, which reads its
// arguments, calls a room and prints. Two rooms that only the command needs lie below it:
// doctor and github.
//
// It ends with 0 when all is well, 2 when it was called wrongly or refuses its input, and
// `judge` with the exit code of the verdict: pass 0, fail 1, inconclusive 3, invalid 4.
// `doctor` ends with 1 when streamgate cannot work on the machine.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
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
		Use:   "streamgate",
		Short: "Judge and compare runs that measured replica recoveries from a remote store",
		Long: "Judge and compare runs that measured replica recoveries from a remote store,\n" +
			"look at the machine, keep a stack to play with, and clean up.\n\n" +
			"Exit code: 0 when all is well, 2 for a wrong call or refused input; judge ends\n" +
			"with the code of the verdict: pass 0, fail 1, inconclusive 3, invalid 4; doctor\n" +
			"with 1 when streamgate cannot work here. Every command names its own.\n\n" +
			"Nothing is ever coloured, so NO_COLOR changes nothing.",
		Example:       "  streamgate doctor\n  streamgate judge out\n  source <(streamgate completion bash)",
		Version:       version(),
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          none,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return wrong(cmd, "%v", err) })
	root.AddCommand(newDoctor(), newUp(), newDown(), newRestore(), newClean(), newJudge(), newCompare(), newCI())
	return root
}

// version is the commit that the command was built from, as far as Go knows it.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
