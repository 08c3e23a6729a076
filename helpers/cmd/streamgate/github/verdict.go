package github

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"

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
		_, err := fmt.Fprintln(w, plainLine("no verdict: "+err.Error()))
		return exitFail, err
	case err != nil:
		_, err := fmt.Fprintln(w, plainLine("refused: "+err.Error()))
		return exitRefused, err
	}
	text := strings.ToUpper(run.Verdict.Words())
	for _, reason := range run.Verdict.Reasons {
		text += "\n" + plainLine("- "+reason)
	}
	if run.Incomplete != "" {
		text += "\n" + plainLine("- incomplete: "+run.Incomplete)
	}
	code = run.Verdict.ExitCode
	if code == verdict.Pass.ExitCode() && runCode != 0 {
		code = exitFail
		text += fmt.Sprintf("\nbut the run ended with exit code %d, its log says why", runCode)
	}
	_, err = fmt.Fprintln(w, text)
	return code, err
}

// plainLine makes one line of a text that a bundle brought along, in which a runner finds no command:
// those begin a line with "::", or hold "##[" anywhere.
func plainLine(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, text)
	return strings.ReplaceAll(text, "##[", "## [")
}
