package bundle_test

import (
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"streamgate/helpers/bundle"
	"streamgate/helpers/bundle/bundletest"
	"streamgate/helpers/recovery"
	"streamgate/helpers/verdict"
)

// each changes every valid recovery of an arm.
func each(arm string, change func(*recovery.Recovery)) func(*bundle.Run) {
	return func(run *bundle.Run) {
		for i := range run.Recoveries {
			if r := &run.Recoveries[i]; r.Arm.Name == arm {
				change(r)
			}
		}
	}
}

func environmentOf(change func(*bundle.Environment)) func(*bundle.Run) {
	return func(run *bundle.Run) { change(&run.Environment) }
}

// Is a bundle refused that was edited in one place, with the fact that contradicts the edit? None has a
// verdict of its own, as if whoever edited it had taken that away: the rest must be enough.
func TestForgeries(t *testing.T) {
	for name, c := range map[string]struct {
		forge func(*bundle.Run)
		words string
	}{
		"multi three times as fast":  {each("multi", func(r *recovery.Recovery) { r.Total /= 3 }), "but bytes came for at least"},
		"single three times as slow": {each("single", func(r *recovery.Recovery) { r.Total *= 3 }), "is longer than wall"},
		"single slower, wall too":    {each("single", func(r *recovery.Recovery) { r.Total *= 3; r.Wall *= 3 }), "before what came ahead of it has ended"},
		"a shorter download":         {each("multi", func(r *recovery.Recovery) { r.Download /= 2 }), "its samples span"},
		"a longer download":          {each("single", func(r *recovery.Recovery) { r.Download += time.Second / 2 }), "its samples span"},
		"download and total":         {each("multi", func(r *recovery.Recovery) { r.Total /= 3; r.Download /= 3 }), "its samples span"},
		"samples taken out": {each("multi", func(r *recovery.Recovery) {
			r.Evidence.Progress = nil
			r.Download = 0
			r.Total /= 3
		}), "progress reaches 0 of"},
		"samples cut off": {each("single", func(r *recovery.Recovery) {
			p := r.Evidence.Progress
			r.Evidence.Progress = p[:len(p)/4]
			r.Download = recovery.Span(r.Evidence.Progress)
			r.Total = r.Download
		}), "progress reaches"},
		"more bytes than there are": {each("multi", func(r *recovery.Recovery) {
			r.Evidence.Progress[len(r.Evidence.Progress)-1].Bytes++
		}), "progress reaches"},
		"fewer requests than files":   {each("multi", func(r *recovery.Recovery) { r.Evidence.Store.Gets = 51 }), "the store counted 51 GETs, there are 52 files"},
		"fewer bytes sent":            {each("multi", func(r *recovery.Recovery) { r.Evidence.Store.SentBytes /= 2 }), "the store counted"},
		"fewer files in the pool":     {each("multi", func(r *recovery.Recovery) { r.Evidence.PoolFiles = 1 }), "the pool finished 1 files"},
		"fewer files read":            {each("multi", func(r *recovery.Recovery) { r.Evidence.FilesRead = 3 }), "3 files were read, there are 50 segments"},
		"more at a time than streams": {each("single", func(r *recovery.Recovery) { r.Evidence.Concurrency = 8 }), "concurrency is 8, with 1 streams"},
		"concurrency of no number":    {each("single", func(r *recovery.Recovery) { r.Evidence.Concurrency = 1e9 }), "concurrency is 1e+09"},
		"no streams seen":             {each("multi", func(r *recovery.Recovery) { r.Evidence.Threads = 0 }), "the downloader logged 0 streams"},
		"documents lost":              {each("multi", func(r *recovery.Recovery) { r.Evidence.ReplicaDocuments-- }), "the replica holds"},
		"documents lost on both":      {each("multi", func(r *recovery.Recovery) { r.Evidence.ReplicaDocuments--; r.Evidence.PrimaryDocuments-- }), "the corpus has"},
		"setting not in force":        {each("multi", func(r *recovery.Recovery) { r.Evidence.Settings[recovery.SettingStreams] = "1" }), "read back as"},
		"a merge":                     {each("multi", func(r *recovery.Recovery) { r.Evidence.Merges = 1 }), "merges ran"},

		"limit lowered": {environmentOf(func(e *bundle.Environment) { e.Claims[0].Limit = 2 }), `has the limit 2, STREAMGATE_MIN_SPEEDUP says 3`},
		"limit and setting lowered": {environmentOf(func(e *bundle.Environment) {
			e.Claims[0].Limit = 2
			e.Settings[3].Value = "2"
			e.Settings[3].Source = "environment"
		}), `has its limit from "profile quick"`},
		"limit's setting taken out":  {environmentOf(func(e *bundle.Environment) { e.Settings = e.Settings[:3] }), "which is not among the settings"},
		"setting twice":              {environmentOf(func(e *bundle.Environment) { e.Settings = append(e.Settings, e.Settings[3]) }), "is there twice"},
		"efficiency of a better arm": {environmentOf(func(e *bundle.Environment) { e.Claims[1].BestSeconds *= 1.5 }), "files, link and streams give"},
		"more than possible":         {environmentOf(func(e *bundle.Environment) { e.Claims[1].BestPossible = 2 }), "has a best possible efficiency of 2"},
		"ratio that cannot be shown": {environmentOf(func(e *bundle.Environment) { e.Claims[0].BestPossible = 12 }), "files, link and streams give 8"},
		"slower link":                {environmentOf(func(e *bundle.Environment) { e.Link.NominalRateBytes /= 2 }), "its setting says 11MB/s"},
		"slower link, measured":      {environmentOf(func(e *bundle.Environment) { e.Link.Measured.RateAlone *= 0.98; e.Link.Measured.RateEach *= 0.98 }), "files, link and streams give"},
		"larger files":               {environmentOf(func(e *bundle.Environment) { e.Files[0].SizeBytes *= 2 }), "environment.json lists"},
		"another seed":               {environmentOf(func(e *bundle.Environment) { e.Seed++ }), "its setting says 20261130"},
		"another seed, twice":        {environmentOf(func(e *bundle.Environment) { e.Seed = 4; e.Settings[5].Value = "4" }), "the seed has another order of the arms"},
		"another profile":            {environmentOf(func(e *bundle.Environment) { e.Profile = "full" }), "its setting says quick"},
		"another order":              {environmentOf(func(e *bundle.Environment) { e.Order = "sorted" }), `the arms are ordered "sorted"`},
		"alpha of 0":                 {environmentOf(func(e *bundle.Environment) { e.Looks.Alpha = 0 }), "alpha"},
		"alpha of 1":                 {environmentOf(func(e *bundle.Environment) { e.Looks.Alpha = 1 }), "alpha"},
		"an unknown clock":           {environmentOf(func(e *bundle.Environment) { e.Claims[0].Clock = "wall" }), `clock is "wall"`},
		"arms swapped in rounds": {func(run *bundle.Run) {
			r := run.Recoveries
			r[2].Arm, r[3].Arm = r[3].Arm, r[2].Arm
			r[2].Evidence.Settings, r[3].Evidence.Settings = r[3].Evidence.Settings, r[2].Evidence.Settings
			r[2].Evidence.Threads, r[3].Evidence.Threads = r[3].Evidence.Threads, r[2].Evidence.Threads
			r[2].Evidence.Concurrency, r[3].Evidence.Concurrency = 0, 0
		}, "the seed has another order of the arms"},
		"a round twice": {func(run *bundle.Run) { run.Recoveries[4].Round, run.Recoveries[5].Round = 1, 1 }, "has two recoveries of arm"},
		"a fast round for a slow one": {func(run *bundle.Run) {
			run.Recoveries = append(run.Recoveries[:4:4], run.Recoveries[6:]...)
		}, "but round 2 has no recovery"},
	} {
		t.Run(name, func(t *testing.T) {
			run := bundletest.Run()
			c.forge(&run)
			_, err := bundle.Judge(run.Environment, run.Recoveries)
			require.ErrorContains(t, err, c.words)
			assert.NotContains(t, err.Error(), "\n")
		})
	}
}

// Is the bundle of a real run whole, as it was recorded?
func TestRecordedRunIsWhole(t *testing.T) {
	dirs, err := filepath.Glob(filepath.Join("..", "..", ".github", "assets", "*", bundle.EnvironmentFile))
	require.NoError(t, err)
	require.NotEmpty(t, dirs)
	for _, path := range dirs {
		run, err := bundle.Open(filepath.Dir(path))
		require.NoError(t, err)
		assert.Equal(t, verdict.Pass, run.Verdict.Outcome)
	}
}

// Is a number that is none refused by the reader already? JSON has no word for it.
func TestNoNumber(t *testing.T) {
	run := bundletest.Run()
	run.Recoveries[2].Evidence.CPU = math.NaN()
	w, err := bundle.Create(t.TempDir(), "multistream", "7f3a2c", run.Environment)
	require.NoError(t, err)
	require.Error(t, w.Append(run.Recoveries[2]))
	content, err := os.ReadFile(filepath.Join(w.Dir(), bundle.RecoveriesFile))
	require.NoError(t, err)
	assert.Empty(t, content, "nothing is kept of what cannot be written")
	require.NoError(t, w.Close())
}

// Does a bundle name no path of the machine, whatever the settings say?
func TestNoPathInABundle(t *testing.T) {
	run := bundletest.Run()
	e := &run.Environment
	e.Settings[0].Value = "dist:/home/somebody/build/opensearch-min.tar.gz"
	e.Settings[1].Value = "3.1.0,dist:/home/somebody/a.tar.gz,dist:../b.tar.gz"
	e.Settings[4].Value = "~/posts.json"
	e.Source = "dist:/home/somebody/build/opensearch-min.tar.gz"
	e.Stacks = []bundle.Stack{{Name: "candidate", Source: "dist:/home/somebody/other.tar.gz"}}
	w, err := bundle.Create(t.TempDir(), "multistream", "7f3a2c", *e)
	if err != nil {
		require.NotContains(t, err.Error(), "somebody")
		e.Settings[4].Value = "0.6"
		w, err = bundle.Create(t.TempDir(), "multistream", "7f3a2c", *e)
	}
	require.NoError(t, err)
	require.NoError(t, w.Close())
	content, err := os.ReadFile(filepath.Join(w.Dir(), bundle.EnvironmentFile))
	require.NoError(t, err)
	assert.NotContains(t, string(content), "somebody")
	assert.Contains(t, string(content), "dist:opensearch-min.tar.gz")
	assert.Contains(t, string(content), "3.1.0,dist:a.tar.gz,dist:b.tar.gz")
	assert.Contains(t, string(content), "dist:other.tar.gz")
}

// Is a recovery that could not be written an error, and not counted?
func TestAppendFails(t *testing.T) {
	run := bundletest.Run()
	w, err := bundle.Create(t.TempDir(), "multistream", "7f3a2c", run.Environment)
	require.NoError(t, err)
	require.NoError(t, w.Append(run.Recoveries[0]))
	require.NoError(t, w.Close())
	require.ErrorContains(t, w.Append(run.Recoveries[1]), "append recovery: ")
}
