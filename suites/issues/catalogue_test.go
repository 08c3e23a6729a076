package issues

import (
	"context"
	"flag"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"streamgate/fixtures/machine"
	"streamgate/fixtures/stack"
	"streamgate/fixtures/suite"
	"streamgate/helpers/config"
)

func TestMain(m *testing.M) { suite.Main(m) }

var update = flag.Bool("update", false, "write the README's table anew from the newest bundle of each report")

// reports is the catalogue. Those on the shared stack come first: a report with a stack of
// its own takes the shared one down. Those that are not timed closely come after those that are.
var reports = []report{
	issue10282,
	issue10519,
	issue11708,
	issue10624,
	issue12939,
	issue11331,
	issue10651,
	issue22763,
	issue10750,
	issue22144,
	issue18962,
}

// report is one public report and the scenario that shows it.
type report struct {
	// numbers are those of opensearch-project/OpenSearch issues and pull requests; the first
	// one names the file.
	numbers []int
	// shows is what the scenario shows, and versions where that holds, for the table.
	shows, versions string
	// corpusBytes is the size of the documents it loads; 0 for none.
	corpusBytes int64
	// quick is played by a plain go test; the others with STREAMGATE_SCENARIOS=all, and by name.
	quick bool
	// untimed claims no times, or none that a busy machine could bring near their bounds, so that
	// others may be on it meanwhile.
	untimed  bool
	scenario func(s *scenario)
}

// runFlag is go test's -run.
func runFlag() string { return flag.Lookup("test.run").Value.String() }

// named tells whether -run leaves room for the report of that name: it names no subtest, or this one.
func named(name, runFlag string) bool {
	_, subtest, has := strings.Cut(runFlag, "/")
	if !has {
		return true
	}
	matched, err := regexp.MatchString(subtest, name)
	return err == nil && matched
}

// chosen are the reports to show: those that are quick, or all. A report that -run names is shown
// whatever the choice.
func chosen(all bool, runFlag string) []report {
	if all || strings.Contains(runFlag, "/") {
		return reports
	}
	return slices.DeleteFunc(slices.Clone(reports), func(r report) bool { return !r.quick })
}

// What reports take, images built: 11 took 308 s on 2 cores, three rounds of an arm three times the
// recoveries of one, and the seed's replay has two stacks more.
const (
	reportTime = 30 * time.Second
	allRounds  = 3
	replayTime = 5 * time.Minute
)

// takes is how long the chosen reports take.
func takes(c config.Config) (time.Duration, error) {
	var total time.Duration
	for _, r := range chosen(c.AllScenarios(), runFlag()) {
		switch {
		case !named(r.name(), runFlag()):
		case !c.AllScenarios():
			total += reportTime
		default:
			total += allRounds * reportTime
			if r.name() == issue10282.name() {
				total += replayTime
			}
		}
	}
	return total, nil
}

// Each report is one subtest, named by its numbers: make issue N=10282 runs one. They run
// one after the other on a stack that the first of them starts, and have the machine to
// themselves until only those are left that are untimed: between the gates of other packages,
// waiting for each of them in turn, the catalogue would not end within the 10 minutes that go test
// gives a package.
func TestIssue(t *testing.T) {
	ctx, run := suite.Begin(t, suite.Needs{Time: takes, Own: (*config.Config).NoGate})
	releases := replayed(ctx, t, run) // before the lock: an image is built under it
	release, quiet := machine.Measuring(ctx, t), true
	start := time.Now().UTC().Format("20060102T150405Z")
	c := &catalogue{t: t, run: run, releases: releases, dir: filepath.Join(run.Out, start+"-issues-"+run.ID)}
	t.Cleanup(c.takeDown)
	for _, r := range chosen(run.Config.AllScenarios(), runFlag()) {
		if r.untimed && quiet {
			release()
			machine.Working(ctx, t)
			quiet = false
		}
		t.Run(r.name(), func(t *testing.T) { c.show(ctx, t, r) })
	}
	if *update {
		require.NoError(t, updateTables(run.Out))
	}
}

// catalogue is what the scenarios of a run share.
type catalogue struct {
	t      *testing.T
	run    *suite.Run
	shared *stack.Stack
	// releases are stacks of other releases, with their images ready.
	releases map[string]stack.Spec
	kept     []string // indices that are left on it, with STREAMGATE_KEEP
	dir      string   // of this run's bundles
}

// show gives a scenario what it needs, and writes down what it found however it ends.
func (c *catalogue) show(ctx context.Context, t *testing.T, r report) {
	t.Helper()
	s := &scenario{
		catalogue: c, report: r, run: c.run.Within(t, r.corpusBytes),
		t: t, ctx: ctx, dir: filepath.Join(c.dir, r.name()),
	}
	s.run.Say(fmt.Sprintf("%s\n%s", r.link(), r.shows))
	defer s.finish(time.Now())
	r.scenario(s)
}

// takeDown stops the shared stack, or says how to reach it.
func (c *catalogue) takeDown() {
	if c.shared == nil {
		return
	}
	if c.run.Config.Keep {
		_, _ = fmt.Fprintf(c.t.Output(), "%s\nWhere these requests say so, say %s.\n", c.shared.Reach(), strings.Join(c.kept, " or "))
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	if err := c.shared.Stop(ctx); err != nil {
		c.t.Errorf("stop the shared stack: %v", err)
	}
	c.shared = nil
}

// Which reports are shown? The quick ones, all of them, or whatever -run names. Those that are timed
// come before those that are not: the first untimed one gives the machine back to others.
func TestChosen(t *testing.T) {
	quick := chosen(false, "^TestIssue$")
	require.NotEmpty(t, quick)
	require.Less(t, len(quick), len(reports))
	for _, r := range quick {
		require.True(t, r.quick, r.name())
	}
	require.Len(t, chosen(true, ""), len(reports))
	require.Len(t, chosen(false, "^TestIssue$/^(.*_)?10750(_.*)?$"), len(reports))
	require.True(t, named("10282", ""))
	require.True(t, named("10519_23016", "^TestIssue$/^(.*_)?23016(_.*)?$"))
	require.False(t, named("10282", "^TestIssue$/^(.*_)?23016(_.*)?$"))
	untimed := false
	for _, r := range reports {
		require.False(t, untimed && !r.untimed, "%s is timed and comes after one that is not", r.name())
		untimed = untimed || r.untimed
	}
}

// Does suites/README.md say which reports each choice shows?
func TestChoices(t *testing.T) {
	suite.Uncached(t)
	var choices []suite.Choice
	for _, r := range reports {
		choices = append(choices, suite.Choice{Name: r.name(), Quick: r.quick})
	}
	suite.Choices(t, "issues", choices)
}
