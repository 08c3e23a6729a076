package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"

	"streamgate/helpers/bundle"
	"streamgate/helpers/verdict"
)

// clipJUnit bounds a reason in the attribute that CI servers show as a title.
const clipJUnit = 300

type junitSuite struct {
	XMLName  xml.Name    `xml:"testsuite"`
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Time     string      `xml:"time,attr"`
	Stamp    string      `xml:"timestamp,attr"`
	Cases    []junitCase `xml:"testcase"`
	Output   junitText   `xml:"system-out"`
}

// junitText is written as CDATA, so that whoever opens the file can read it. Everything in
// it went through clip, which leaves nothing that XML forbids.
type junitText struct {
	Text string `xml:",cdata"`
}

type junitCase struct {
	Class   string      `xml:"classname,attr"`
	Name    string      `xml:"name,attr"`
	Time    string      `xml:"time,attr"`
	Failure *junitFault `xml:"failure,omitempty"`
	Error   *junitFault `xml:"error,omitempty"`
}

type junitFault struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",cdata"`
}

// JUnit writes one case per claim. A claim that fails or stays open is a failure, one that
// cannot be judged an error; the text explains itself, because a CI server shows it
// without anything around it. Nothing is ever skipped: an open claim is not green.
func JUnit(w io.Writer, run bundle.Run) error {
	var spent float64
	for _, r := range run.Recoveries {
		spent += r.Wall.Seconds()
	}
	suite := junitSuite{
		Name: "streamgate." + run.Environment.Suite, Time: fmt.Sprintf("%.3f", spent),
		Stamp: run.Environment.Start.UTC().Format("2006-01-02T15:04:05"),
	}
	for _, line := range slices.Concat([]string{headline(run)}, unproven(run), remarks(run)) {
		suite.Output.Text += clip(line, clipJUnit) + "\n"
	}
	for _, result := range run.Verdict.Claims {
		suite.add(run, result)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	encoder := xml.NewEncoder(w)
	encoder.Indent("", "  ")
	if err := encoder.Encode(suite); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func (s *junitSuite) add(run bundle.Run, result verdict.Result) {
	each := junitCase{Class: s.Name, Name: result.Claim.Name, Time: "0.000"}
	outcome, message := result.Outcome, result.Reason
	// A run that is invalid as a whole has no green case, even for a claim that its bad
	// recovery does not touch.
	if run.Verdict.Outcome == verdict.Invalid && outcome != verdict.Invalid {
		outcome, message = verdict.Invalid, run.Verdict.Reasons[0]
	}
	s.Tests++
	fault := &junitFault{Message: clip(message, clipJUnit), Type: string(outcome), Text: explain(run, result)}
	switch outcome {
	case verdict.Pass:
	case verdict.Invalid:
		each.Error = fault
		s.Errors++
	default:
		each.Failure = fault
		s.Failures++
	}
	s.Cases = append(s.Cases, each)
}

// explain is all that a reader of one failed case needs.
func explain(run bundle.Run, result verdict.Result) string {
	var b strings.Builder
	b.WriteString("\n" + clip(result.Claim.Quantity+": demanded "+demand(result.Claim)+" ("+result.Claim.Origin+")", clipJUnit) + "\n\n")
	for _, line := range reasons(run) {
		wrap(&b, line, columns)
	}
	b.WriteString("\n")
	armTable(&b, arms(run))
	values := bundle.Values(result.Claim, run.Recoveries)
	if len(values) > 0 {
		b.WriteString("\nper round:")
	}
	for _, value := range values {
		b.WriteString(" " + plain(value.Value, 3))
	}
	b.WriteString("\nverdict.json and report.html in the run's bundle hold the rest\n")
	return b.String()
}
