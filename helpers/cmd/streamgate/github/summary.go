package github

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"streamgate/helpers/bundle"
	"streamgate/helpers/report"
	"streamgate/helpers/verdict"
)

// Words for what is no verdict, as the output verdict.
const (
	noBundle = "none"    // nothing was measured
	refused  = "refused" // the bundle contradicts itself
)

// Summary writes the run's report to the step's summary, and the outputs verdict, claim, ratio,
// lower, upper and bundle. A run without a bundle, or with one that is refused, gets a
// summary that says so: that is no error of this step.
func Summary(job Job, out string) error {
	run, err := Newest(out)
	if err != nil {
		word := refused
		if errors.Is(err, ErrNoBundle) {
			word = noBundle
		}
		text := "## streamgate: " + word + "\n\n" + inline(err.Error()) + "\n"
		return errors.Join(job.summarize(text, text), job.set(
			Output{"verdict", word}, Output{"claim", ""}, Output{"ratio", ""}, Output{"lower", ""}, Output{"upper", ""}, Output{"bundle", ""}))
	}
	var long strings.Builder
	if err := report.Markdown(&long, run); err != nil {
		return err
	}
	short := fmt.Sprintf("## %s: %s\n\nThe report is too long for what is left of this summary: see report.html in the bundle.\n",
		run.Environment.Suite, run.Verdict.Outcome)
	return errors.Join(job.summarize(long.String(), short), job.set(outputs(run)...))
}

// outputs are those of the first claim, which is what a suite is named after.
func outputs(run bundle.Run) []Output {
	first := verdict.Result{}
	if len(run.Verdict.Claims) > 0 {
		first = run.Verdict.Claims[0]
	}
	list := []Output{{"verdict", string(run.Verdict.Outcome)}, {"claim", first.Claim.Name}}
	for _, o := range []struct {
		name  string
		value *float64
	}{{"ratio", first.Estimate}, {"lower", first.Lower}, {"upper", first.Upper}} {
		list = append(list, Output{o.name, number(o.value)})
	}
	return append(list, Output{"bundle", filepath.Base(run.Dir)})
}

// number writes what verdict.json holds; empty when there is none.
func number(x *float64) string {
	if x == nil {
		return ""
	}
	return strconv.FormatFloat(*x, 'f', -1, 64)
}

// inline makes a text of others harmless in Markdown.
func inline(text string) string {
	return "`" + strings.NewReplacer("`", "'", "\n", " ", "\r", " ").Replace(text) + "`"
}
