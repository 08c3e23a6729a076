//go:build scale

package scale

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/docker/go-units"
	"github.com/stretchr/testify/require"

	"streamgate/fixtures/link"
	"streamgate/fixtures/machine"
	"streamgate/fixtures/shelf"
	"streamgate/fixtures/stack"
	"streamgate/fixtures/suite"
	"streamgate/helpers/bound"
	"streamgate/helpers/bundle"
	"streamgate/helpers/config"
	"streamgate/helpers/recovery"
	"streamgate/helpers/report"
)

// How do time and memory grow? Each size gets a stack of its own, so that no size inherits
// another's heap or disk, and each number of streams recovers it in rounds. The tables and the
// chart are written also when a size fails.
func TestGrowth(t *testing.T) {
	cfg := suite.Config(t).Own(ownLink)
	p, err := planned(cfg)
	require.NoError(t, err)
	sizes := p.sizes()
	require.NotEmpty(t, sizes, "nothing is to be measured: every pair of STREAMGATE_SCALE_SIZES and STREAMGATE_SCALE_STREAMS takes over %.0f min; STREAMGATE_PROFILE=full measures them", longest.Minutes())
	_, _ = fmt.Fprintln(t.Output(), p)
	largest := slices.Max(sizes)
	ctx, run := suite.Begin(t, suite.Needs{
		Corpus: true, Stacks: 1, Time: suite.Fixed(p.time()),
		Own: func(c *config.Config) {
			ownLink(c)
			c.CorpusBytes = largest
			if !c.Given("STREAMGATE_KEEP_CORPUS") {
				c.KeptCorpora = 0 // sizes that nobody else loads would drive out the corpora that gates keep
			}
		},
	})

	found := report.ScaleRun{
		RunID: run.ID, Start: time.Now().UTC(), Corpus: run.Corpus.Name, Segments: cfg.Segments, HeapBytes: cfg.HeapBytes,
		LinkRateBytes: cfg.LinkRateBytes, LinkFirstByte: cfg.LinkFirstByte, Seed: cfg.Seed,
	}
	found.Machine, err = bundle.Machine(ctx)
	require.NoError(t, err)
	dir := filepath.Join(run.Out, found.Start.Format("20060102T150405Z")+"-scale-"+run.ID)
	require.NoError(t, os.MkdirAll(dir, 0o755))
	data, err := os.OpenFile(filepath.Join(dir, report.ScaleRecoveries), os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, 0o644)
	require.NoError(t, err)
	t.Cleanup(func() { _ = data.Close() })

	for _, corpusBytes := range sizes {
		t.Run(units.HumanSize(float64(corpusBytes)), func(t *testing.T) {
			within := run.Within(t, 0)
			if within.Corpus = run.Corpus; corpusBytes != largest {
				within = run.Within(t, corpusBytes)
			}
			g := growth{run: within, dir: dir, data: data, rounds: p.rounds, every: p.every(corpusBytes), points: p.of(corpusBytes), version: &found.OpenSearch}
			for _, point := range g.points {
				point.Missing = "its test ended before a recovery did"
			}
			g.measure(ctx, t)
		})
	}
	found.Points = p.points
	text, err := report.Scale(dir, found)
	require.NoError(t, err)
	run.Say(text + "scale: " + dir)
}

// growth measures one size.
type growth struct {
	run    *suite.Run
	dir    string
	data   *os.File
	rounds int
	// every are the points of the size, points those of them that are measured.
	every, points []*report.ScalePoint
	// version is filled in with what the nodes say.
	version *string
}

// measure loads the corpus and runs the rounds, in an order drawn from the seed as in a gate. The
// warm-up has the most streams: what it warms is the node's code, and so it is over soonest.
func (g growth) measure(ctx context.Context, t *testing.T) {
	t.Helper()
	s, bench := g.place(ctx, t)
	memory, err := gaugeOf(s.Nodes[1])
	require.NoError(t, err)

	var arms []recovery.Arm
	byStreams := map[int]*report.ScalePoint{}
	for _, point := range g.points {
		arms = append(arms, recovery.Unlimited(fmt.Sprintf("streams-%d", point.Streams), point.Streams))
		byStreams[point.Streams] = point
	}
	machine.Measuring(ctx, t)
	for round := range g.rounds + 1 {
		order := recovery.Order(arms, g.run.Config.Seed, round)
		if round == 0 {
			order = arms[len(arms)-1:]
		}
		for _, arm := range order {
			point := byStreams[arm.Streams]
			r := report.ScaleRecovery{CorpusBytes: point.CorpusBytes}
			r.Memory, err = memory.during(ctx, func() (time.Time, time.Duration, error) {
				var err error
				bench.Limit = recovery.LimitFor(point.Best)
				r.Recovery, err = recovery.Measure(ctx, bench, arm)
				return r.Start, r.Wall, err
			})
			require.NoError(t, err, "round %d, %s", round, arm.Name)
			r.Round, r.WarmUp = round, round == 0
			g.record(t, point, r)
		}
	}
}

// place starts the stack with the corpus, shapes its link, and notes what a replica has to fetch.
func (g growth) place(ctx context.Context, t *testing.T) (*stack.Stack, recovery.Bench) {
	t.Helper()
	cfg := g.run.Config
	working := machine.Working(ctx, t)
	s, placed := shelf.Start(ctx, t, g.run.Loaded(g.run.Spec(), "so"))
	name := units.CustomSize("%.4g%s", float64(g.points[0].CorpusBytes), 1000, []string{"B", "kB", "MB", "GB", "TB"})
	s.KeepLogs(func(part string) string { return filepath.Join(g.dir, name+"-"+part+".log") })
	g.run.Say(placed.String())
	var err error
	*g.version, err = s.API.Version(ctx)
	require.NoError(t, err)
	require.NoError(t, s.Link.Shape(link.Shape{RateBytes: cfg.LinkRateBytes, FirstByte: cfg.LinkFirstByte}))
	files := make([]int64, len(placed.Bench.Files))
	for i, file := range placed.Bench.Files {
		files[i] = file.SizeBytes
	}
	for _, point := range g.every {
		best, err := bound.Best(files, point.Streams, bound.Link{RateBytes: float64(cfg.LinkRateBytes), FirstByte: cfg.LinkFirstByte})
		require.NoError(t, err)
		point.IndexBytes, point.Files, point.Best = recovery.Sum(placed.Bench.Files), len(files), best.Time
	}
	working()
	return s, placed.Bench
}

// record writes a recovery to the disk before anything is made of it.
func (g growth) record(t *testing.T, point *report.ScalePoint, r report.ScaleRecovery) {
	t.Helper()
	content, err := json.Marshal(r)
	require.NoError(t, err)
	_, err = g.data.Write(append(content, '\n'))
	require.NoError(t, err)
	require.NoError(t, g.data.Sync())
	point.Recoveries = append(point.Recoveries, r)
	what := "warm-up"
	if !r.WarmUp {
		what, point.Missing = fmt.Sprintf("round %d", r.Round), ""
	}
	g.run.Say(fmt.Sprintf("%-8s %-11s %8.3f s, best possible %.3f s, heap %s, CPU %.0f %%", what, r.Arm.Name, r.Total.Seconds(),
		point.Best.Seconds(), units.HumanSize(float64(r.Memory.HeapBytes)), 100*r.Evidence.CPU))
	for _, fault := range r.Invalid {
		t.Errorf("%s, %s is invalid: %s", what, r.Arm.Name, fault)
	}
}
