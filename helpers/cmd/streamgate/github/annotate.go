package github

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
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
	ofProfile = regexp.MustCompile(`^profile .*STREAMGATE_([A-Z_]+)`)
	ofSuite   = regexp.MustCompile(`^suites/[a-z]+$`)
	constant  = regexp.MustCompile(`^\s*([A-Za-z]+)\s+=\s`)
)

// declared finds the line that declares a claim's bound: the constant of a profile's variable, or
// the line of a suite that makes the claim. A bound that the job's environment has set is declared
// in no file of this repository, so it has no place; and neither has one whose source is not at hand.
func declared(root string, claim verdict.Claim) place {
	if name := ofProfile.FindStringSubmatch(claim.Origin); name != nil {
		wanted := strings.ReplaceAll(name[1], "_", "")
		return lineOf(root, profiles, func(line string) bool {
			found := constant.FindStringSubmatch(line)
			return found != nil && strings.EqualFold(found[1], wanted)
		})
	}
	if !ofSuite.MatchString(claim.Origin) {
		return place{}
	}
	files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(claim.Origin), "*.go"))
	if err != nil {
		return place{}
	}
	for _, file := range files {
		at := lineOf(root, claim.Origin+"/"+filepath.Base(file), func(line string) bool {
			return strings.Contains(line, strconv.Quote(claim.Name)) && strings.Contains(line, "verdict.")
		})
		if at.File != "" {
			return at
		}
	}
	return place{}
}

// lineOf is the first line of a file that is meant.
func lineOf(root, file string, meant func(line string) bool) place {
	content, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
	if err != nil {
		return place{}
	}
	for i, line := range strings.Split(string(content), "\n") {
		if meant(line) {
			return place{file, i + 1}
		}
	}
	return place{}
}
