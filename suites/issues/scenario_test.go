package issues

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"streamgate/fixtures/corpus"
	"streamgate/fixtures/link"
	"streamgate/fixtures/stack"
	"streamgate/fixtures/suite"
	"streamgate/helpers/recovery"
)

// recoveryLimit bounds one recovery; the slowest here takes some 10 s.
const recoveryLimit = 2 * time.Minute

// sharedSettings are the shared stack's, on top of every stack's own.
var sharedSettings = map[string]string{
	// 50 s by default, which is too long to watch; only a link that stalls ever meets it.
	"s3.client.default.read_timeout": readTimeout.String(),
}

const readTimeout = 3 * time.Second

// scenario is what a report's scenario stands on. Its methods end the test when they cannot
// do what they say.
type scenario struct {
	*catalogue
	report report
	run    *suite.Run
	t      *testing.T
	ctx    context.Context //nolint:containedctx // the test's, handed to its parts
	stack  *stack.Stack
	dir    string

	indices    []string
	opensearch string // its version; empty when none came up
	claims     []claim
	recoveries []recovery.Recovery
}

// share puts the scenario on the stack that the catalogue shares, and holds whoever was on
// it before to what was agreed: no index, no setting, nothing on the link.
func (s *scenario) share() {
	s.t.Helper()
	if s.shared == nil {
		s.startShared()
	}
	s.use(s.shared)
	s.t.Cleanup(s.handOver)
	s.checkHandOver()
}

// startShared starts the shared stack and warms it up.
func (s *scenario) startShared() {
	s.t.Helper()
	var err error
	// The catalogue's own context: the stack outlives this scenario's.
	s.shared, err = stack.Up(s.catalogue.t.Context(), s.spec(sharedSettings))
	require.NoError(s.t, err, "start the shared stack")
	s.shared.KeepLogs(logsIn(s.catalogue.dir))
	posts := s.run.Within(s.t, 12_000_000).Corpus
	placed := corpus.Place(s.ctx, s.t, s.shared, s.index("warm-up"), posts, corpus.Layout{Segments: 12})
	s.warmUp(placed.Bench, lifted(8))
	s.reset()
}

// use puts the scenario on a stack, and notes what its nodes run.
func (s *scenario) use(on *stack.Stack) {
	s.t.Helper()
	s.stack = on
	var err error
	s.opensearch, err = on.API.Version(s.ctx)
	require.NoError(s.t, err)
}

// own starts a stack for this scenario alone, with its nodes' settings.
func (s *scenario) own(settings map[string]string) {
	s.t.Helper()
	s.alone()
	s.use(stack.Start(s.ctx, s.t, s.spec(settings)))
	s.stack.KeepLogs(logsIn(s.dir))
}

// refuse starts a stack that must not come up, and returns what its log says instead.
func (s *scenario) refuse(change func(*stack.Spec), texts ...string) stack.Refusal {
	s.t.Helper()
	s.alone()
	spec := s.spec(map[string]string{})
	change(&spec)
	return stack.StartRefused(s.ctx, s.t, spec, texts...)
}

// alone takes the shared stack down: a run has one stack at a time.
func (s *scenario) alone() {
	s.t.Helper()
	require.False(s.t, s.run.Config.Keep && s.shared != nil, "STREAMGATE_KEEP keeps one stack: run one report, make issue N=%d", s.report.numbers[0])
	s.takeDown()
}

func (s *scenario) spec(settings map[string]string) stack.Spec {
	spec := s.run.Spec()
	spec.DataNodes = 2
	spec.Settings = settings
	return spec
}

func logsIn(dir string) func(part string) string {
	return func(part string) string { return filepath.Join(dir, "logs", part+".log") }
}

// handOver leaves the shared stack as it was found.
func (s *scenario) handOver() {
	if s.run.Config.Keep { // it is to be looked at as it is
		s.kept = append(s.kept, s.indices...)
		return
	}
	if s.shared != nil {
		s.reset()
	}
}

// reset takes away what this scenario has made on the shared stack, and sets all back.
func (s *scenario) reset() {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	require.NoError(s.t, s.shared.Link.Clear())
	for _, index := range s.indices {
		require.NoError(s.t, s.shared.API.DeleteIndex(ctx, index))
	}
	s.indices = nil
	require.NoError(s.t, s.shared.API.Do(ctx, http.MethodPut, "/_cluster/settings", nil, map[string]any{
		"persistent": map[string]any{"*": nil}, "transient": map[string]any{"*": nil},
	}, nil))
}

func (s *scenario) checkHandOver() {
	s.t.Helper()
	left, err := s.stack.Link.State()
	require.NoError(s.t, err)
	require.Empty(s.t, left, "the scenario before left this on the link")
	var settings struct{ Persistent, Transient map[string]any }
	require.NoError(s.t, s.stack.API.Do(s.ctx, http.MethodGet, "/_cluster/settings", nil, nil, &settings))
	require.Empty(s.t, settings.Persistent, "the scenario before left these settings")
	require.Empty(s.t, settings.Transient, "the scenario before left these settings")
	var indices map[string]any
	require.NoError(s.t, s.stack.API.Do(s.ctx, http.MethodGet, "/_all/_settings", url.Values{"expand_wildcards": {"open,closed"}}, nil, &indices))
	require.Empty(s.t, slices.Collect(maps.Keys(indices)), "the scenario before left these indices")
	health, err := s.stack.API.Health(s.ctx)
	require.NoError(s.t, err)
	require.Equal(s.t, len(s.stack.Nodes), health.Nodes, "a node is gone since the scenario before")
}

// index is the name of an index of this scenario, which is deleted with it.
func (s *scenario) index(name string) string {
	index := fmt.Sprintf("issue-%d-%s", s.report.numbers[0], name)
	s.indices = append(s.indices, index)
	return index
}

// place loads the report's corpus into an index of one shard with so many segments: primary
// on node-1, room for a replica on node-2.
func (s *scenario) place(name string, segments int) recovery.Bench {
	s.t.Helper()
	placed := corpus.Place(s.ctx, s.t, s.stack, s.index(name), s.run.Corpus, corpus.Layout{Segments: segments})
	s.run.Say(placed.String())
	placed.Bench.Limit = recoveryLimit
	return placed.Bench
}

// warmUp recovers once for nothing: a node's first recovery is its slowest, whatever the arm.
func (s *scenario) warmUp(bench recovery.Bench, arm recovery.Arm) {
	s.t.Helper()
	_, err := recovery.Measure(s.ctx, bench, arm)
	require.NoError(s.t, err, "warm up")
	require.NoError(s.t, recovery.Clear(s.ctx, bench))
}

// shape sets what each connection to the store gets.
func (s *scenario) shape(rateBytes int64) {
	s.t.Helper()
	require.NoError(s.t, s.stack.Link.Shape(link.Shape{RateBytes: rateBytes}))
}

// rounds is how often an arm is measured: once where one number shows the effect in a
// minute, more often where there is time.
func (s *scenario) rounds() int {
	if s.run.Config.AllScenarios() {
		return 3
	}
	return 1
}

// recover measures an arm, in rounds, and returns the recovery of the median time. Each must
// prove that its bytes came from the store.
func (s *scenario) recover(bench recovery.Bench, arm recovery.Arm) recovery.Recovery {
	s.t.Helper()
	var done []recovery.Recovery
	for range s.rounds() {
		r := s.try(bench, arm)
		require.Empty(s.t, r.Invalid, "the recovery of arm %s proves nothing", arm.Name)
		done = append(done, r)
	}
	slices.SortFunc(done, func(a, b recovery.Recovery) int { return cmp.Compare(a.Total, b.Total) })
	return done[len(done)/2]
}

// try measures one recovery and asks for no proof: that it has none may be the point.
func (s *scenario) try(bench recovery.Bench, arm recovery.Arm) recovery.Recovery {
	s.t.Helper()
	r, err := recovery.Measure(s.ctx, bench, arm)
	require.NoError(s.t, err, "arm %s", arm.Name)
	r.Round = len(s.recoveries) + 1
	s.recoveries = append(s.recoveries, r)
	s.run.Say(fmt.Sprintf("%-24s %6.2f s, of it %5.2f s download; %d of %d bytes from the store over %s, %d bytes from the primary's node",
		arm.Name, r.Total.Seconds(), r.Download.Seconds(), r.Evidence.DownloadedBytes, r.Evidence.WantBytes, inStreams(r.Evidence.Threads), r.Evidence.PeerBytes))
	return r
}

// between claims that a number is within bounds, both included.
func (s *scenario) between(what string, got, low, high float64) {
	s.claim(what, fmt.Sprintf("%.4g", got), fmt.Sprintf("%g to %g", low, high), got >= low && got <= high)
}

// holds claims that something is so; seen says in a few words what was.
func (s *scenario) holds(what string, so bool, seen string, args ...any) {
	s.claim(what, fmt.Sprintf(seen, args...), "", so)
}

// contains claims that a log line has the words.
func (s *scenario) contains(what, line, words string) {
	s.claim(what, shortened(line, words), fmt.Sprintf("%q", words), strings.Contains(line, words))
}

// shortened is the part of a line that has the words, or its beginning.
func shortened(line, words string) string {
	if strings.Contains(line, words) {
		return words
	}
	return short(line)
}

func short(line string) string { return line[:min(len(line), 200)] }

// first is the first of some lines, and how many more there are.
func first(lines []string) string {
	switch len(lines) {
	case 0:
		return "nothing"
	case 1:
		return short(lines[0])
	}
	return fmt.Sprintf("%s, and %d more", short(lines[0]), len(lines)-1)
}

// limited is an arm with so many streams under a rate limit.
func limited(streams int, limit string) recovery.Arm {
	arm := recovery.Unlimited(inStreams(streams)+" at "+limit, streams)
	arm.Settings[recovery.SettingLimiter] = limit
	return arm
}

// lifted is an arm with so many streams and no rate limit.
func lifted(streams int) recovery.Arm {
	return recovery.Unlimited(inStreams(streams)+", lifted", streams)
}

func inStreams(n int) string {
	if n == 1 {
		return "1 stream"
	}
	return fmt.Sprintf("%d streams", n)
}

// largest is the size of the biggest file, in bytes.
func largest(files []recovery.File) int64 {
	return slices.MaxFunc(files, func(a, b recovery.File) int { return cmp.Compare(a.SizeBytes, b.SizeBytes) }).SizeBytes
}
