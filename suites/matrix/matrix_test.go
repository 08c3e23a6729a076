//go:build matrix

package matrix

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/docker/go-units"
	"github.com/stretchr/testify/require"

	"streamgate/fixtures/gate"
	"streamgate/fixtures/link"
	"streamgate/fixtures/machine"
	"streamgate/fixtures/shelf"
	"streamgate/fixtures/suite"
	"streamgate/helpers/bundle"
	"streamgate/helpers/config"
	"streamgate/helpers/estimate"
	"streamgate/helpers/recovery"
	"streamgate/helpers/report"
	"streamgate/helpers/source"
	"streamgate/helpers/verdict"
)

func TestMain(m *testing.M) { suite.Main(m) }

const (
	// cellRounds is the fewest rounds that can decide: a table of four releases in some ten minutes.
	cellRounds = 6
)

// takes is the table's time: that of a gate for each release.
func takes(c config.Config) (time.Duration, error) {
	cell, err := estimate.Longest(c)
	return time.Duration(len(c.VersionSources())) * cell, err
}

// own is a cell's rounds, unless others were asked for.
func own(c *config.Config) {
	if !c.Given("STREAMGATE_ROUNDS") {
		c.Rounds = cellRounds
	}
}

// How do the releases stand? Each gets a stack of its own, the same corpus and the gate's two
// arms and claims. The table is written also when some release fails, or does not even start.
func TestVersions(t *testing.T) {
	sources := suite.Config(t).VersionSources()
	require.NotEmpty(t, sources, "STREAMGATE_VERSIONS is unset: want versions or sources, separated by commas")
	ctx, run := suite.Begin(t, suite.Needs{Corpus: true, Stacks: 1, Time: takes, Own: own})
	cfg := run.Config
	dir := filepath.Join(run.Out, time.Now().UTC().Format("20060102T150405Z")+"-matrix-"+run.ID)
	require.NoError(t, os.MkdirAll(dir, 0o755))

	cells := make([]report.Cell, len(sources))
	for i, from := range sources {
		cells[i] = report.Cell{Name: from.String(), Missing: "its test ended before the verdict"}
		t.Run(from.String(), func(t *testing.T) {
			result := judge(ctx, t, run, from)
			cells[i].Run = &result
			if result.Verdict.Outcome != verdict.Pass {
				t.Errorf("verdict: %s\n%s", result.Verdict.Outcome, strings.Join(result.Verdict.Reasons, "\n"))
			}
		})
	}
	title := fmt.Sprintf("Replica recovery by version: %s of corpus, %d and %d streams, %s",
		units.HumanSize(float64(run.Corpus.RawBytes)), cfg.SingleStreams, cfg.MultiStreams, link.Shape{RateBytes: cfg.LinkRateBytes, FirstByte: cfg.LinkFirstByte})
	text, err := report.Matrix(dir, title, cells)
	require.NoError(t, err)
	run.Say(title + "\n\n" + text + "matrix: " + dir)
}

// judge runs the gate's experiment on one OpenSearch.
func judge(ctx context.Context, t *testing.T, run *suite.Run, from source.Source) bundle.Run {
	t.Helper()
	cfg := run.Config
	spec, err := run.SpecOf(ctx, "", from)
	require.NoError(t, err)

	working := machine.Working(ctx, t)
	s, placed := shelf.Start(ctx, t, run.Loaded(spec, "so"))
	run.Say(from.String() + ": " + placed.String())
	working()

	looks, err := verdict.LooksUpTo(cfg.Rounds)
	require.NoError(t, err)
	single := recovery.Unlimited("single", cfg.SingleStreams)
	multi := recovery.Unlimited("multi", cfg.MultiStreams)
	machine.Measuring(ctx, t)
	return gate.Run(ctx, t, gate.Bench{Run: run, Stack: s, Placed: placed}, gate.Experiment{
		Suite: "matrix-" + regexp.MustCompile(`[^A-Za-z0-9._-]+`).ReplaceAllString(from.Value, "-"),
		Arms:  []recovery.Arm{single, multi},
		Shape: link.Shape{RateBytes: cfg.LinkRateBytes, FirstByte: cfg.LinkFirstByte},
		Looks: looks,
		Claims: func(best gate.Best) []verdict.Claim {
			return []verdict.Claim{
				gate.SpeedUp(best, multi, single, cfg.MinSpeedup, run.Origin("STREAMGATE_MIN_SPEEDUP")),
				gate.Efficiency(best, multi, cfg.MinEfficiency, run.Origin("STREAMGATE_MIN_EFFICIENCY")),
			}
		},
	})
}
