package issues

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"streamgate/fixtures/stack"
	"streamgate/fixtures/suite"
	"streamgate/helpers/recovery"
	"streamgate/helpers/source"
)

// The first report of multistream compared a serial recovery of 892 s with one of 276 s in
// several streams: 3.23 times as fast.
const seedSpeedUp = 3.23

// seedNodes are told of the report's 16 processors, for a pool as wide as it had; its maximum
// is left to the release.
var seedNodes = map[string]string{"node.processors": "16", "thread_pool.remote_recovery.max": ""}

// replaySeed measures on the report's own releases, whose nodes have their store in a shared
// folder, what the limit does to each: 2.10.0 is serial, 2.11.0 the first with streams. What
// it claims is that lifting the limit explains more than the whole 3.23, and streams none of
// it while the limit is on.
func (s *scenario) replaySeed(limit string, limitBytes int64) {
	s.t.Helper()
	var table strings.Builder
	table.WriteString(replayHead)
	measure := func(release string, so recovery.Bench, arm recovery.Arm) recovery.Recovery {
		r := s.recover(so, arm)
		fmt.Fprintf(&table, "| %s | %s | %.1f MB in %d files | %.2f s | %.1f MiB/s |\n", release, arm.Name,
			float64(r.Evidence.WantBytes)/1e6, r.Evidence.WantFiles, r.Total.Seconds(), float64(r.Evidence.WantBytes)/(1<<20)/r.Total.Seconds())
		return r
	}
	serial := func(name, limit string) recovery.Arm {
		return recovery.Arm{Name: name, Settings: map[string]string{recovery.SettingLimiter: limit}}
	}
	var held, free, heldMany, freeMany recovery.Recovery
	s.on("2.10.0", seedNodes, func(so recovery.Bench) {
		held = measure("2.10.0", so, serial("serial at "+limit, limit))
		free = measure("2.10.0", so, serial("serial, lifted", "0"))
	})
	s.on("2.11.0", seedNodes, func(so recovery.Bench) {
		for _, streams := range []int{1, 8} {
			heldMany = measure("2.11.0", so, limited(streams, limit))
			freeMany = measure("2.11.0", so, lifted(streams))
		}
	})
	s.keepFile(replayFile, []byte(table.String()))

	for _, r := range []recovery.Recovery{held, heldMany} {
		ideal := float64(r.Evidence.WantBytes) / float64(limitBytes)
		s.between("replay, "+r.Arm.Name+", time by size/limit", r.Total.Seconds()/ideal, 0.95, 1.25)
	}
	speedUp := func(what string, slow, fast recovery.Recovery, low, high float64) {
		s.between("replay, speed-up "+what, slow.Total.Seconds()/fast.Total.Seconds(), low, high)
	}
	speedUp("of 8 streams over serial, both at "+limit, held, heldMany, 0.85, 1.2)
	speedUp(fmt.Sprintf("of serial by lifting the limit, where the report has %.2f by streams", seedSpeedUp), held, free, seedSpeedUp, 100)
	speedUp("of 8 streams over serial, both lifted", free, freeMany, 0.3, 2.6)
}

// replayBytes is a shard that takes some 5 s at the default limit of 40mb.
const replayBytes = 192_000_000

// on loads the replay's corpus into a stack of another release, warms it up,
// hands it to do with the machine to itself, and takes it away.
func (s *scenario) on(release string, settings map[string]string, do func(recovery.Bench)) {
	s.t.Helper()
	s.alone()
	spec, ready := s.releases[release]
	require.True(s.t, ready, "the image of %s was not made ready before the machine's lock was taken", release)
	var err error
	spec.DataNodes, spec.Settings, spec.Keep = 2, settings, false
	s.stack, err = stack.Up(s.ctx, spec)
	defer s.stop(s.stack)
	s.stack.KeepLogs(logsIn(filepath.Join(s.dir, release)))
	require.NoError(s.t, err, "start OpenSearch %s", release)
	defer func(run *suite.Run) { s.run = run }(s.run)
	s.run = s.run.Within(s.t, replayBytes)
	so := s.place("so", 50)
	s.warmUp(so, recovery.Unlimited("warm-up", 0))
	do(so)
}

func (s *scenario) stop(on *stack.Stack) {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	assert.NoError(s.t, on.Stop(ctx), "stop a stack")
}

// The table of the replay, as a run leaves it and as the report's page shows it.
const (
	replayFile = "replay.md"
	replayPage = "issue_10282.md"
	replayHead = "| release | arm | shard | time | rate |\n|---|---|---:|---:|---:|\n"
)

// replayReleases are those that the seed's replay runs on.
var replayReleases = []string{"2.10.0", "2.11.0"}

// replayed makes the images of the replay's releases ready where it will be played.
func replayed(ctx context.Context, t *testing.T, run *suite.Run) map[string]stack.Spec {
	t.Helper()
	specs := map[string]stack.Spec{}
	if !run.Config.AllScenarios() || run.Config.Keep || !named(issue10282.name(), runFlag()) {
		return specs
	}
	for _, release := range replayReleases {
		spec, err := run.SpecOf(ctx, "", source.Source{Kind: source.Maven, Value: release})
		require.NoError(t, err)
		specs[release] = spec
	}
	return specs
}
