package github

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"streamgate/helpers/verdict"
)

// Exit codes of what is no verdict.
const (
	exitFail    = 1
	exitRefused = 2
)

// Verdict prints the verdict of the run and returns the exit code of the job's last step. A
// run that ended with an error is red even when its bundle says pass.
func Verdict(w io.Writer, out string, runCode int) (code int, err error) {
	run, err := Newest(out)
	switch {
	case errors.Is(err, ErrNoBundle):
		_, err := fmt.Fprintln(w, err)
		return exitFail, err
	case err != nil:
		_, err := fmt.Fprintln(w, err)
		return exitRefused, err
	}
	text := strings.ToUpper(string(run.Verdict.Outcome)) + "\n  " + strings.Join(run.Verdict.Reasons, "\n  ")
	code = run.Verdict.ExitCode
	if code == verdict.Pass.ExitCode() && runCode != 0 {
		code = exitFail
		text += fmt.Sprintf("\nbut the run ended with exit code %d, its log says why", runCode)
	}
	_, err = fmt.Fprintln(w, text)
	return code, err
}
