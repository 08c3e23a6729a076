package github

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"streamgate/helpers/bundle"
	"streamgate/helpers/verdict"
)

// place is a line of a source file; an empty file is no place.
type place struct {
	File string // from the repository's root, with slashes
	Line int
}

// Annotate prints one workflow command for each claim that does not pass, at the line of
// the source below root that declares the claim's bound; none for a pass. A run whose claims
// cannot be blamed (an invalid link, no bundle) gets one error without a line.
func Annotate(w io.Writer, out, root string) error {
	run, err := Newest(out)
	if err != nil {
		return command(w, "streamgate", err.Error(), place{})
	}
	var errs []error
	red := 0
	for _, result := range run.Verdict.Claims {
		if result.Outcome == verdict.Pass {
			continue
		}
		red++
		title := fmt.Sprintf("streamgate: %s", result.Outcome)
		errs = append(errs, command(w, title, message(run, result), declared(root, result.Claim)))
	}
	if red == 0 && run.Verdict.Outcome != verdict.Pass {
		errs = append(errs, command(w, fmt.Sprintf("streamgate: %s", run.Verdict.Outcome), strings.Join(run.Verdict.Reasons, "\n"), place{}))
	}
	return errors.Join(errs...)
}

// message is the claim's reason with its hints; what made the whole run invalid comes first.
func message(run bundle.Run, result verdict.Result) string {
	lines := []string{}
	if first := run.Verdict.Reasons; len(first) > 0 && run.Verdict.Outcome != result.Outcome {
		lines = append(lines, first[0])
	}
	lines = append(lines, result.Reason)
	lines = append(lines, result.Hints...)
	return strings.Join(append(lines, "bundle: "+filepath.Base(run.Dir)), "\n")
}

// A workflow command ends with its line, and its properties with a comma or the two colons:
// what a text holds of these is escaped, so a log line can never become a command.
var (
	escapeMessage  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	escapeProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

func command(w io.Writer, title, text string, at place) error {
	properties := "title=" + escapeProperty.Replace(title)
	if at.File != "" {
		properties = fmt.Sprintf("file=%s,line=%d,%s", escapeProperty.Replace(at.File), at.Line, properties)
	}
	_, err := fmt.Fprintf(w, "::error %s::%s\n", properties, escapeMessage.Replace(text))
	return err
}

// profiles is where the bounds of the profiles are declared, one constant for each variable:
// STREAMGATE_MIN_SPEEDUP is minSpeedup there.
const profiles = "helpers/config/profile.go"

var (
	variable = regexp.MustCompile(`STREAMGATE_([A-Z_]+)`)
	constant = regexp.MustCompile(`^\s*([A-Za-z]+)\s+=\s`)
)

// declared finds the line that declares a claim's bound: the constant of its variable. A
// claim whose bound has no variable has no place.
func declared(root string, claim verdict.Claim) place {
	name := variable.FindStringSubmatch(claim.Origin)
	if name == nil {
		return place{}
	}
	content, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(profiles)))
	if err != nil {
		return place{} // a program away from its source still has something to say
	}
	for i, line := range strings.Split(string(content), "\n") {
		if found := constant.FindStringSubmatch(line); found != nil && strings.EqualFold(found[1], strings.ReplaceAll(name[1], "_", "")) {
			return place{profiles, i + 1}
		}
	}
	return place{}
}
