package bundle_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"streamgate/helpers/bundle"
	"streamgate/helpers/bundle/bundletest"
	"streamgate/helpers/recovery"
	"streamgate/helpers/verdict"
)

// Is every condition named in which two runs differ, and does such a pair have no changes?
// One row for each condition; the other run is the same but for it.
func TestCompareRefusesUnlikeRuns(t *testing.T) {
	for condition, spoil := range map[string]func(*bundle.Run){
		"suite":     func(r *bundle.Run) { r.Environment.Suite = "other" },
		"profile":   func(r *bundle.Run) { r.Environment.Profile = "full" },
		"looks":     func(r *bundle.Run) { r.Environment.Looks.Alpha = 0.01 },
		"arm multi": func(r *bundle.Run) { r.Environment.Arms[1].Streams = 4 },
		"arm single": func(r *bundle.Run) {
			r.Environment.Arms[0].Settings = map[string]string{recovery.SettingStreams: "1", recovery.SettingLimiter: "40mb"}
		},
		"claim efficiency":          func(r *bundle.Run) { r.Environment.Claims[1].Clock = verdict.Total },
		"claim speed-up":            func(r *bundle.Run) { r.Environment.Claims = r.Environment.Claims[1:] },
		"STREAMGATE_CORPUS_SIZE":    func(r *bundle.Run) { r.Environment.Settings[1].Value = "400MB" },
		"corpus":                    func(r *bundle.Run) { r.Environment.Corpus.SHA256 = "00" },
		"files":                     func(r *bundle.Run) { r.Environment.Files = r.Environment.Files[1:] },
		"bytes of all files":        func(r *bundle.Run) { r.Environment.Files[0].SizeBytes += 5_000_000 },
		"bytes of the largest file": func(r *bundle.Run) { r.Environment.Files[0].SizeBytes += 4_000_000 },
		"link":                      func(r *bundle.Run) { r.Environment.Link.NominalRateBytes = 20_000_000 },
		"link measured":             func(r *bundle.Run) { r.Environment.Link.Measured = nil },
		"link measured with":        func(r *bundle.Run) { r.Environment.Link.Measured.Connections = 4 },
		"link measured, rate each":  func(r *bundle.Run) { r.Environment.Link.Measured.RateEach = 10e6 },
		"link measured, rate alone": func(r *bundle.Run) { r.Environment.Link.Measured.RateAlone = 10e6 },
		"link measured, first byte": func(r *bundle.Run) { r.Environment.Link.Measured.FirstByte = time.Second },
		"image of minio":            func(r *bundle.Run) { r.Environment.Images["minio"] = bundle.Image{Digest: "sha256:00"} },
		"engine":                    func(r *bundle.Run) { r.Environment.Engine.Version = "29" },
		"processor":                 func(r *bundle.Run) { r.Environment.Machine.CPUModel = "other" },
		"cores":                     func(r *bundle.Run) { r.Environment.Machine.Cores = 16 },
		"memory":                    func(r *bundle.Run) { r.Environment.Machine.MemoryBytes *= 2 },
		"kernel":                    func(r *bundle.Run) { r.Environment.Machine.Kernel = "7" },
		"system":                    func(r *bundle.Run) { r.Environment.Machine.System = "linux/arm64" },
		"verdict":                   func(r *bundle.Run) { r.Incomplete = "killed" },
	} {
		t.Run(condition, func(t *testing.T) {
			b := bundletest.Run()
			spoil(&b)
			got := bundle.Compare(bundletest.Run(), b)
			require.NotEmpty(t, got.Unlike)
			var named []string
			for _, difference := range got.Unlike {
				assert.NotEqual(t, difference.A, difference.B)
				named = append(named, difference.Condition)
			}
			assert.Contains(t, named, condition)
			assert.Empty(t, got.Times)
			assert.Empty(t, got.Ratios)
		})
	}
}

// Are claims unlike that differ in their terms alone, and alike when these stand in another order?
func TestCompareHoldsTheTermsOfClaims(t *testing.T) {
	for name, c := range map[string]struct {
		terms []verdict.Term
		alike bool
	}{
		"another power": {[]verdict.Term{{Arm: "single", Power: 2}, {Arm: "multi", Power: -2}}, false},
		"upside down":   {[]verdict.Term{{Arm: "multi", Power: 1}, {Arm: "single", Power: -1}}, false},
		"another order": {[]verdict.Term{{Arm: "multi", Power: -1}, {Arm: "single", Power: 1}}, true},
	} {
		b := bundletest.Run()
		b.Environment.Claims[0].Terms = c.terms
		assert.Equal(t, c.alike, len(bundle.Compare(bundletest.Run(), b).Unlike) == 0, name)
	}
}

// Are two runs without numbers refused as well, although they do not differ?
func TestCompareRefusesTwoIncompleteRuns(t *testing.T) {
	run := bundletest.Run()
	run.Incomplete = "killed"
	assert.NotEmpty(t, bundle.Compare(run, run).Unlike)
}

// May the part under test differ, and the layout by what segments always differ by?
func TestCompareAllowsTheOtherOpenSearch(t *testing.T) {
	b := bundletest.Run()
	b.Environment.OpenSearch = "3.9.0"
	b.Environment.Images["opensearch"] = bundle.Image{Digest: "sha256:00"}
	b.Environment.Machine.Commit = "other"
	b.Environment.Seed++
	b.Environment.Claims[0].Limit = 2
	b.Environment.Settings[3].Value, b.Environment.Settings[4].Value = "2", "0.5"
	for i := range b.Environment.Files {
		b.Environment.Files[i].Name += "x"
		b.Environment.Files[i].SizeBytes += 10_000
	}
	got := bundle.Compare(bundletest.Run(), b)
	assert.Empty(t, got.Unlike)
	var noted []string
	for _, difference := range got.Noted {
		noted = append(noted, difference.Condition)
	}
	assert.Equal(t, []string{"OpenSearch", "image of opensearch", "streamgate"}, noted)
}

// Is a known change found per arm and per claim? Run b's multi arm takes 1.2 times as long.
func TestCompareFindsAChange(t *testing.T) {
	b := bundletest.Run()
	for i := range b.Recoveries {
		if r := &b.Recoveries[i]; r.Arm.Name == "multi" {
			r.Total += r.Total / 5
		}
	}
	got := bundle.Compare(bundletest.Run(), b)
	require.Empty(t, got.Unlike)
	require.Len(t, got.Times, 2)
	require.Len(t, got.Ratios, 2)
	assert.Equal(t, "single", got.Times[0].Name)
	assert.InDelta(t, 1, got.Times[0].Shift.Factor, 1e-9)
	assert.InDelta(t, 1.2, got.Times[1].Shift.Factor, 0.01)
	assert.Greater(t, got.Times[1].Shift.Lower, 1.1)
	assert.Equal(t, "speed-up of multi over single", got.Ratios[0].Name)
	assert.InDelta(t, 1/1.2, got.Ratios[0].Shift.Factor, 0.01)
	assert.Less(t, got.Ratios[0].Shift.Upper, 0.9)
}

// Are a claim's values those of the rounds, without warm-ups and invalid recoveries?
func TestValues(t *testing.T) {
	run := bundletest.Run()
	run.Recoveries[4].Invalid = []string{"peer copy"}
	values := bundle.Values(run.Environment.Claims[0], run.Recoveries)
	require.Len(t, values, 5)
	assert.Equal(t, 1, values[0].Round)
	assert.Equal(t, 3, values[1].Round)
	times := map[string]time.Duration{}
	for _, r := range run.Recoveries {
		if r.Round == 1 {
			times[r.Arm.Name] = r.Total
		}
	}
	assert.InDelta(t, times["single"].Seconds()/times["multi"].Seconds(), values[0].Value, 1e-9)
	assert.Len(t, bundle.Seconds(run.Recoveries, "single"), 5)
	assert.Empty(t, bundle.Seconds([]recovery.Recovery{}, "single"))
}
