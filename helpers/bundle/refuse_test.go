package bundle_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"streamgate/helpers/bundle"
	"streamgate/helpers/bundle/bundletest"
	"streamgate/helpers/recovery"
	"streamgate/helpers/verdict"
)

// change replaces a text in one file of a bundle.
func change(t *testing.T, dir, name, old, replacement string) {
	t.Helper()
	path := filepath.Join(dir, name)
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Contains(t, string(content), old, "the test must change something")
	require.NoError(t, os.WriteFile(path, bytes.Replace(content, []byte(old), []byte(replacement), 1), 0o600))
}

// Is every bundle that is not whole refused, in one clear line? One row for each way a
// file can be missing, broken or changed.
func TestOpenRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(t *testing.T, dir string)
		words string
	}{
		"environment missing": {remove(bundle.EnvironmentFile), "environment.json is missing"},
		"recoveries missing":  {remove(bundle.RecoveriesFile), "recoveries.ndjson is missing"},
		"report missing":      {remove(bundle.JUnitFile), "junit.xml is missing"},
		"report empty": {func(t *testing.T, dir string) {
			t.Helper()
			require.NoError(t, os.Truncate(filepath.Join(dir, bundle.HTMLFile), 0))
		}, "report.html is empty or no file"},
		"another schema version": {edit(bundle.EnvironmentFile, `"schema_version": 1`, `"schema_version": 2`),
			"environment.json: schema version is 2, this streamgate reads 1"},
		"another schema version with other fields": {edit(bundle.EnvironmentFile, `"schema_version": 1`, `"schema_version": 2, "novelty": 1`),
			"environment.json: schema version is 2, this streamgate reads 1"},
		"no schema version": {edit(bundle.EnvironmentFile, `"schema_version": 1,`, ``),
			"environment.json: schema version is 0, this streamgate reads 1"},
		"environment broken": {edit(bundle.EnvironmentFile, `{`, `[`), "environment.json: "},
		"environment with an unknown field": {edit(bundle.EnvironmentFile, `"suite"`, `"sweet"`),
			`environment.json: json: unknown field "sweet"`},
		"environment with two values": {edit(bundle.EnvironmentFile, "\n}\n", "\n}\n{}\n"), "environment.json: invalid character"},
		"two values in a line":        {edit(bundle.RecoveriesFile, "}\n", "}{}\n"), "recoveries.ndjson line 1: more after the end of the value"},
		"line broken":                 {edit(bundle.RecoveriesFile, "\n", "\nrubbish\n"), "recoveries.ndjson line 2: "},
		"line cut off in a finished run": {func(t *testing.T, dir string) {
			t.Helper()
			path := filepath.Join(dir, bundle.RecoveriesFile)
			info, err := os.Stat(path)
			require.NoError(t, err)
			require.NoError(t, os.Truncate(path, info.Size()-10))
		}, "ends in the middle of a line, although the run has a verdict"},
		"line taken out": {func(t *testing.T, dir string) {
			t.Helper()
			path := filepath.Join(dir, bundle.RecoveriesFile)
			content, err := os.ReadFile(path)
			require.NoError(t, err)
			lines := bytes.SplitAfter(content, []byte("\n"))
			require.NoError(t, os.WriteFile(path, bytes.Join(append(lines[:4:4], lines[5:]...), nil), 0o600))
		}, "round 6 is there, but round 2 has no recovery of arm single"},
		"a pipe": {func(t *testing.T, dir string) {
			t.Helper()
			path := filepath.Join(dir, bundle.RecoveriesFile)
			require.NoError(t, os.Remove(path))
			require.NoError(t, unix.Mkfifo(path, 0o600))
		}, "recoveries.ndjson is no file"},
		"verdict changed": {edit(bundle.VerdictFile, `"outcome": "pass"`, `"outcome": "fail"`),
			"verdict.json says fail, judging gives pass"},
		"number in the verdict changed": {edit(bundle.VerdictFile, `"rounds": 6`, `"rounds": 9`),
			`verdict.json line 6 says "\"rounds\": 9,", judging gives "\"rounds\": 6,"`},
		"verdict of another schema version": {edit(bundle.VerdictFile, `"schema_version": 1`, `"schema_version": 7`),
			"verdict.json: schema version is 7, this streamgate reads 1"},
		"verdict broken":    {edit(bundle.VerdictFile, `{`, `[`), "verdict.json: "},
		"verdict cut short": {edit(bundle.VerdictFile, "\n}\n", "\n}"), "verdict.json has "},
		"limit lowered":     {edit(bundle.EnvironmentFile, `"limit": 3`, `"limit": 2`), "STREAMGATE_MIN_SPEEDUP says 3"},
		"time changed":      {edit(bundle.RecoveriesFile, `"round":1,"arm":{"name":"multi","streams":8,"settings":{"indices.recovery.max_bytes_per_sec":"0","indices.recovery.max_concurrent_remote_store_streams":"8"}},"start":"2026-11-30T19:02:20Z","total_ns":3`, `"round":1,"arm":{"name":"multi","streams":8,"settings":{"indices.recovery.max_bytes_per_sec":"0","indices.recovery.max_concurrent_remote_store_streams":"8"}},"start":"2026-11-30T19:02:20Z","total_ns":2`), "verdict.json line "},
	} {
		t.Run(name, func(t *testing.T) {
			dir := written(t, bundletest.Run())
			c.spoil(t, dir)
			_, err := bundle.Open(dir)
			require.ErrorContains(t, err, c.words)
			assert.NotContains(t, err.Error(), "\n")
			assert.NotContains(t, err.Error(), dir, "a message names files, not where they lie")
		})
	}
}

func remove(name string) func(*testing.T, string) {
	return func(t *testing.T, dir string) {
		t.Helper()
		require.NoError(t, os.Remove(filepath.Join(dir, name)))
	}
}

func edit(name, old, replacement string) func(*testing.T, string) {
	return func(t *testing.T, dir string) {
		t.Helper()
		change(t, dir, name, old, replacement)
	}
}

// Are numbers that contradict each other found? One row for each check, each made by
// changing one number of a run that makes sense. The run has no verdict yet, so nothing
// but the check itself can find it.
func TestOpenFindsContradictions(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(*bundle.Run)
		words string
	}{
		"unknown arm":        {recoveryOf(func(r *recovery.Recovery) { r.Arm.Name = "other" }), "line 4: round 1, arm other: environment.json has no such arm"},
		"other streams":      {recoveryOf(func(r *recovery.Recovery) { r.Arm.Streams = 4 }), "other streams or settings"},
		"other settings":     {recoveryOf(func(r *recovery.Recovery) { r.Arm.Settings = nil }), "other streams or settings"},
		"warm-up in a round": {recoveryOf(func(r *recovery.Recovery) { r.WarmUp = true }), "round 0 and only round 0"},
		"beyond the plan":    {recoveryOf(func(r *recovery.Recovery) { r.Round = 13 }), "the plan ends at round 12"},
		"no time":            {recoveryOf(func(r *recovery.Recovery) { r.Total = 0 }), "took no time"},
		"negative time":      {recoveryOf(func(r *recovery.Recovery) { r.Download = -1 }), "allowed are 0 and more"},
		"longer than wall":   {recoveryOf(func(r *recovery.Recovery) { r.Total = r.Wall + 1 }), "is longer than wall"},
		"long download":      {recoveryOf(func(r *recovery.Recovery) { r.Download = r.Wall + 1 }), "is longer than wall"},
		"earlier start":      {recoveryOf(func(r *recovery.Recovery) { r.Start = r.Start.Add(-time.Hour) }), "before what came ahead of it"},
		"other bytes wanted": {recoveryOf(func(r *recovery.Recovery) { r.Evidence.WantBytes-- }), "environment.json lists 52 of"},
		"other files wanted": {recoveryOf(func(r *recovery.Recovery) { r.Evidence.WantFiles++ }), "wants 53 files"},
		"fewer bytes":        {recoveryOf(func(r *recovery.Recovery) { r.Evidence.DownloadedBytes-- }), "not marked invalid, but its evidence says: "},
		"hidden fallback":    {recoveryOf(func(r *recovery.Recovery) { r.Evidence.Fallback = []string{"peer copy"} }), "given up for a peer copy"},
		"negative count":     {recoveryOf(func(r *recovery.Recovery) { r.Evidence.PeerBytes = -1 }), "the evidence counts -1"},
		"cpu of 7":           {recoveryOf(func(r *recovery.Recovery) { r.Evidence.CPU = 7 }), "cpu is 7"},
		"progress goes back": {recoveryOf(func(r *recovery.Recovery) { r.Evidence.Progress[5].Bytes = 1 << 40 }), "progress sample 7"},
		"progress after end": {recoveryOf(func(r *recovery.Recovery) {
			r.Evidence.Progress = append(r.Evidence.Progress, recovery.Point{After: time.Hour, Bytes: 1 << 40})
		}), "lies after the end"},
		"twice":            {func(run *bundle.Run) { run.Recoveries = append(run.Recoveries, later(run.Recoveries[13])) }, "recoveries.ndjson: round 6 has two recoveries of arm multi"},
		"two warm-ups":     {func(run *bundle.Run) { run.Recoveries[1] = later(run.Recoveries[0]) }, "round 0 has two recoveries of arm single"},
		"rounds go back":   {func(run *bundle.Run) { run.Recoveries[4].Round, run.Recoveries[6].Round = 3, 2 }, "round 2 comes after round 3"},
		"hole":             {func(run *bundle.Run) { run.Recoveries = append(run.Recoveries[:4:4], run.Recoveries[6:]...) }, "round 6 is there, but round 2 has no recovery"},
		"no files at all":  {func(run *bundle.Run) { run.Environment.Files = nil }, "no remote files, but recoveries.ndjson has recoveries"},
		"no warm-up":       {func(run *bundle.Run) { run.Recoveries = run.Recoveries[1:] }, "round 0 has no recovery of arm single"},
		"no log":           {evidenceOf(func(e *recovery.Evidence) { e.LogRead, e.Threads = false, 0 }), "lacks the log of the node"},
		"no store":         {evidenceOf(func(e *recovery.Evidence) { e.Store = nil }), "lacks what the store counted"},
		"no disks":         {evidenceOf(func(e *recovery.Evidence) { e.FilesRead = 0 }), "lacks the files on the disks"},
		"no segments":      {evidenceOf(func(e *recovery.Evidence) { e.Segments = 0 }), "lacks the segments"},
		"no documents":     {evidenceOf(func(e *recovery.Evidence) { e.PrimaryDocuments, e.ReplicaDocuments = 0, 0 }), "there is nothing to prove"},
		"other documents":  {evidenceOf(func(e *recovery.Evidence) { e.PrimaryDocuments, e.ReplicaDocuments = 7, 7 }), "the corpus has 212345, the primary 7"},
		"peer bytes":       {evidenceOf(func(e *recovery.Evidence) { e.PeerBytes = 1 << 40 }), "came from the primary's node"},
		"gets below zero":  {evidenceOf(func(e *recovery.Evidence) { e.Store = &recovery.Traffic{Gets: -1, SentBytes: 1 << 40} }), "the evidence counts -1"},
		"concurrency":      {evidenceOf(func(e *recovery.Evidence) { e.Concurrency = 1e300 }), "concurrency is"},
		"beside another":   {func(run *bundle.Run) { run.Recoveries[3].Start = run.Recoveries[2].Start }, "before what came ahead of it has ended"},
		"for ever":         {recoveryOf(func(r *recovery.Recovery) { r.Wall = 1<<63 - 1 }), "allowed are at most"},
		"link unmeasured":  {func(run *bundle.Run) { run.Environment.Link.Measured = nil }, "the link was not measured"},
		"one file missing": {func(run *bundle.Run) { run.Environment.Files = run.Environment.Files[1:] }, "lists 51 of"},
	} {
		t.Run(name, func(t *testing.T) {
			run := bundletest.Run()
			c.spoil(&run)
			_, err := bundle.Open(begun(t, run).Dir())
			require.ErrorContains(t, err, c.words)
			assert.NotContains(t, err.Error(), "\n")
		})
	}
}

// later is a recovery that began when it had ended.
func later(r recovery.Recovery) recovery.Recovery {
	r.Start = r.Start.Add(r.Wall)
	return r
}

// evidenceOf changes the evidence of the second recovery of the first round.
func evidenceOf(spoil func(*recovery.Evidence)) func(*bundle.Run) {
	return recoveryOf(func(r *recovery.Recovery) { spoil(&r.Evidence) })
}

// recoveryOf changes the second recovery of the first round.
func recoveryOf(spoil func(*recovery.Recovery)) func(*bundle.Run) {
	return func(run *bundle.Run) { spoil(&run.Recoveries[3]) }
}

// Is an invalid recovery, which says so itself, read and judged invalid?
func TestInvalidRecoveryIsJudged(t *testing.T) {
	run := bundletest.Run()
	r := &run.Recoveries[5]
	r.Evidence.FailedBytes = 8_000_000
	r.Invalid = recovery.Prove(r.Arm, r.Evidence)
	require.NotEmpty(t, r.Invalid)
	got, err := bundle.Open(begun(t, run).Dir())
	require.NoError(t, err)
	assert.Equal(t, verdict.Invalid, got.Verdict.Outcome)
}

// Does a link that is not the nominal one make the verdict invalid, with the reason first?
// Each row bends one measured number of a run that passes.
func TestLinkFaultsInvalidate(t *testing.T) {
	for name, c := range map[string]struct {
		bend  func(*bundle.Calibration)
		words string
	}{
		"a third under load":  {func(m *bundle.Calibration) { m.RateEach /= 3 }, "link: with 8 at once, a connection carries 3.65 MB/s, nominal are 11.00 MB/s, allowed is 5 % off: the machine, not OpenSearch, is being measured"},
		"too fast alone":      {func(m *bundle.Calibration) { m.RateAlone *= 1.06 }, "link: with 1 at once, a connection carries 11.68 MB/s"},
		"narrow path":         {func(m *bundle.Calibration) { m.Unshaped = 80e6 }, "link: 8 connections carry 87.5 MB/s together, the unshaped path carries 80.0 MB/s"},
		"first byte too late": {func(m *bundle.Calibration) { m.FirstByte = 10_092 * time.Microsecond }, "link: the first byte comes after 10.092ms, nominal are 0s, allowed are 0s to 10.091ms: the machine"},
	} {
		t.Run(name, func(t *testing.T) {
			run := bundletest.Run()
			c.bend(run.Environment.Link.Measured)
			bundletest.Reclaim(&run.Environment)
			judged, err := bundle.Judge(run.Environment, run.Recoveries)
			require.NoError(t, err)
			assert.Equal(t, verdict.Invalid, judged.Outcome)
			assert.Equal(t, 4, judged.ExitCode)
			assert.Contains(t, judged.Reasons[0], c.words)

			early, err := bundle.Judge(run.Environment, nil)
			require.NoError(t, err)
			assert.True(t, early.Complete)
			for _, reason := range early.Reasons {
				assert.NotContains(t, reason, "the next look is at")
			}
		})
	}
}

// Is a link found whose first byte comes earlier or later than it was asked for? Each pair lies on either
// side of a bound; the header of an answer takes 0.5 ms at 2 MB/s.
func TestFirstByteFaults(t *testing.T) {
	for _, c := range []struct {
		rate           int64
		nominal, found time.Duration
		fault          bool
	}{
		{2_000_000, 30 * time.Millisecond, 28_999 * time.Microsecond, true},
		{2_000_000, 30 * time.Millisecond, 29 * time.Millisecond, false},
		{2_000_000, 30 * time.Millisecond, 40_500 * time.Microsecond, false},
		{2_000_000, 30 * time.Millisecond, 40_501 * time.Microsecond, true},
		{2_000_000, 30 * time.Millisecond, time.Millisecond, true}, // the delay is not in force
		{2_000_000, 0, 0, false},
		{0, 30 * time.Millisecond, 40_001 * time.Microsecond, true},
		{0, 30 * time.Millisecond, 31 * time.Millisecond, false},
		{0, 0, time.Second, false}, // an unshaped link has no nominal one
	} {
		link := bundle.Link{NominalRateBytes: c.rate, NominalFirstByte: c.nominal, Measured: &bundle.Calibration{
			RateAlone: float64(max(c.rate, 1)), Connections: 8, RateEach: float64(max(c.rate, 1)), Unshaped: 1e9, FirstByte: c.found,
		}}
		faults := link.Faults()
		assert.Equal(t, c.fault, len(faults) == 1, "%+v: %v", c, faults)
	}
}

// Is every environment refused that nobody could judge or compare? One row for each check.
func TestValidateEnvironment(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(*bundle.Environment)
		words string
	}{
		"suite":       {func(e *bundle.Environment) { e.Suite = "../x" }, `suite is "../x"`},
		"run id":      {func(e *bundle.Environment) { e.RunID = strings.Repeat("a", 65) }, "run id is"},
		"start":       {func(e *bundle.Environment) { e.Start = time.Time{} }, "no start time"},
		"profile":     {func(e *bundle.Environment) { e.Profile = "" }, "no profile"},
		"arms":        {func(e *bundle.Environment) { e.Arms = nil }, "0 arms"},
		"arm name":    {func(e *bundle.Environment) { e.Arms[0].Name = "" }, `an arm is named ""`},
		"arms alike":  {func(e *bundle.Environment) { e.Arms[0].Name = "multi" }, `two arms are named "multi"`},
		"streams":     {func(e *bundle.Environment) { e.Arms[0].Streams = -1 }, "has -1 streams"},
		"no claims":   {func(e *bundle.Environment) { e.Claims = nil }, "0 claims"},
		"bad claim":   {func(e *bundle.Environment) { e.Claims[0].Limit = -1 }, "limit is -1"},
		"claim's arm": {func(e *bundle.Environment) { e.Arms = e.Arms[:1] }, "is about arm multi, which the run does not have"},
		"looks":       {func(e *bundle.Environment) { e.Looks.Rounds = nil }, "no looks"},
		"file":        {func(e *bundle.Environment) { e.Files[3].SizeBytes = -1 }, "with -1 bytes"},
		"file size":   {func(e *bundle.Environment) { e.Files[3].SizeBytes = 1 << 62 }, "allowed are different names and 0 to"},
		"setting":     {func(e *bundle.Environment) { e.Arms[1].Settings[recovery.SettingStreams] = "1" }, "arm multi has 8 streams, its setting says 1"},
		"files alike": {func(e *bundle.Environment) { e.Files[3].Name = e.Files[4].Name }, "allowed are different names"},
		"corpus":      {func(e *bundle.Environment) { e.Corpus.Documents = -1 }, "corpus has -1 documents"},
		"machine":     {func(e *bundle.Environment) { e.Machine.Cores = -1 }, "machine has -1 cores"},
		"link":        {func(e *bundle.Environment) { e.Link.NominalRateBytes = -1 }, "nominal rate of -1"},
		"link rate":   {func(e *bundle.Environment) { e.Link.Measured.RateEach = 0 }, "measured at 0 B/s"},
		"connections": {func(e *bundle.Environment) { e.Link.Measured.Connections = 0 }, "measured with 0 connections"},
	} {
		t.Run(name, func(t *testing.T) {
			e := bundletest.Environment()
			require.NoError(t, e.Validate())
			c.spoil(&e)
			require.ErrorContains(t, e.Validate(), c.words)
		})
	}
}
