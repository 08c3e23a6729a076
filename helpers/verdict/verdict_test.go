package verdict

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// steady are rounds in which single takes ratio times as long as multi, with a
// small known scatter so that no two rounds agree.
func steady(rounds int, ratio float64) []Sample {
	var samples []Sample
	for round := 1; round <= rounds; round++ {
		wobble := 1 + 0.002*float64(round*7%5)
		samples = append(samples,
			Sample{Round: round, Arm: "multi", Time: 3500 * time.Millisecond, Download: 3500 * time.Millisecond},
			Sample{Round: round, Arm: "single", Time: time.Duration(3500 * ratio * wobble * float64(time.Millisecond))})
	}
	return samples
}

// rounds are the given ratios of single to multi, one round each.
func rounds(ratios ...float64) []Sample {
	var samples []Sample
	for i, ratio := range ratios {
		samples = append(samples,
			Sample{Round: i + 1, Arm: "multi", Time: time.Second},
			Sample{Round: i + 1, Arm: "single", Time: time.Duration(ratio * float64(time.Second))})
	}
	return samples
}

func speedUp(limit float64) Claim {
	return SpeedUpAtLeast("speed-up", "multi", "single", limit).From("profile quick")
}

func judge(t *testing.T, samples []Sample, claims ...Claim) Verdict {
	t.Helper()
	verdict, err := Judge(samples, claims, DefaultLooks())
	require.NoError(t, err)
	return verdict
}

// Which answer does each situation get, and in which words? One row for each
// way a run can end.
func TestJudgeWords(t *testing.T) {
	open := rounds(2.8, 3.3, 2.9, 3.2, 3.1, 2.95, 3.05, 3.25, 2.85, 3.15, 2.9, 3.3)
	broken := steady(6, 6)
	broken[3].Invalid = []string{"peer copy: 154 of 154 files", "download failed: 8 MB"}
	for name, c := range map[string]struct {
		samples  []Sample
		claim    Claim
		outcome  Outcome
		complete bool
		reason   string
		hint     string
	}{
		"clear pass": {steady(6, 6), speedUp(3), Pass, true,
			"speed-up: demanded at least 3, measured 6.02 (6 to 6.05, 6 rounds): passes", ""},
		"clear fail": {steady(6, 2), speedUp(3), Fail, true,
			"speed-up: demanded at least 3, measured 2.01 (2 to 2.02, 6 rounds): fails", "streams really used"},
		"arms alike": {steady(6, 1), speedUp(3), Fail, true,
			"speed-up: demanded at least 3, measured 1 (1 to 1.01, 6 rounds): fails", "indices.recovery.max_bytes_per_sec"},
		"a candidate fell behind": {steady(6, 0.8), speedUp(0.9), Fail, true,
			"speed-up: demanded at least 0.9, measured 0.803 (0.8 to 0.806, 6 rounds): fails", "slower than the claim allows"},
		"corpus in the way": {steady(6, 2.9), speedUp(3).WithBest(3.1), Fail, true,
			"speed-up: demanded at least 3, measured 2.91 (2.9 to 2.92, 6 rounds): fails", "94 % of the best possible 3.1 is reached"},
		"more digits near the limit": {steady(6, 2.9989), speedUp(3), Inconclusive, false,
			"speed-up: demanded at least 3, measured 3.011 (2.999 to 3.023, 6 rounds): inconclusive so far, the next look is at 9 rounds", "scatter by"},
		"open after the last look": {open, speedUp(3), Inconclusive, true,
			"speed-up: demanded at least 3, measured 3.06 (2.9 to 3.2, 12 rounds): inconclusive, 6.6 % off the limit would have been found in 9 of 10 runs; to tell the measured value from the limit takes more than 60 rounds", "scatter by 6.1 %"},
		"too few rounds": {steady(3, 6), speedUp(3), Inconclusive, false,
			"speed-up: demanded at least 3, measured 6.03 (no interval, 3 rounds): inconclusive, 3 rounds cannot decide, at least 6 are needed", ""},
		"nothing": {nil, speedUp(3), Inconclusive, false,
			"speed-up: demanded at least 3, nothing measured: no complete round", ""},
		"a proof failed": {broken, speedUp(3), Invalid, true,
			"speed-up: not judged, round 2, arm single is invalid: peer copy: 154 of 154 files; download failed: 8 MB", ""},
		"cannot be shown": {steady(6, 2), speedUp(3).WithBest(1.95), Invalid, true,
			"speed-up: demanded at least 3, best possible is 1.95: the corpus and the link cannot show it", ""},
		"at most, holds": {steady(6, 1), SpeedUpAtMost("equal", "multi", "single", 1.1).From("self-check"), Pass, true,
			"equal: demanded at most 1.1, measured 1 (1 to 1.01, 6 rounds): passes", ""},
		"at most, broken": {steady(6, 6), SpeedUpAtMost("equal", "multi", "single", 1.1).From("self-check"), Fail, true,
			"equal: demanded at most 1.1, measured 6.02 (6 to 6.05, 6 rounds): fails", ""},
		"at most, open": {steady(6, 1), SpeedUpAtMost("equal", "multi", "single", 1.004).From("self-check"), Inconclusive, false,
			"equal: demanded at most 1.004, measured 1.004 (1 to 1.008, 6 rounds): inconclusive so far, the next look is at 9 rounds", "scatter by"},
		"one round": {steady(1, 6), speedUp(3), Inconclusive, false,
			"speed-up: demanded at least 3, measured 6.02 (no interval, 1 round): inconclusive, 1 round cannot decide, at least 6 are needed", ""},
		"efficient": {steady(6, 6), EfficiencyAtLeast("efficiency", "multi", 2800*time.Millisecond, 0.7).From("profile quick"), Pass, true,
			"efficiency: demanded at least 0.7, measured 0.8 (0.8 to 0.8, 6 rounds): passes", ""},
		"inefficient": {steady(6, 6), EfficiencyAtLeast("efficiency", "multi", 1400*time.Millisecond, 0.7).From("profile quick"), Fail, true,
			"efficiency: demanded at least 0.7, measured 0.4 (0.4 to 0.4, 6 rounds): fails", "the download of multi took 2.5 times its best possible time"},
		"faster than possible": {steady(6, 6), EfficiencyAtLeast("efficiency", "multi", 4*time.Second, 0.7).From("profile quick"), Invalid, true,
			"efficiency: demanded at least 0.7, measured 1.14 (1.14 to 1.14, 6 rounds): invalid, faster than the link allows", "look first at the link"},
	} {
		t.Run(name, func(t *testing.T) {
			verdict := judge(t, c.samples, c.claim)
			assert.Equal(t, c.outcome, verdict.Outcome)
			assert.Equal(t, c.outcome.ExitCode(), verdict.ExitCode)
			assert.Equal(t, c.complete, verdict.Complete)
			require.Len(t, verdict.Claims, 1)
			assert.Equal(t, c.reason, verdict.Claims[0].Reason)
			assert.Contains(t, verdict.Reasons, c.reason)
			if c.hint == "" {
				assert.Empty(t, verdict.Claims[0].Hints)
			} else {
				require.Len(t, verdict.Claims[0].Hints, 1)
				assert.Contains(t, verdict.Claims[0].Hints[0], c.hint)
			}
		})
	}
}

// Is a bound that meets the limit exactly on the right side? Six rounds of
// exactly 3, once as 9 s to 3 s, whose logarithms do not give log 3 exactly.
func TestLimitMetExactly(t *testing.T) {
	for _, multi := range []time.Duration{time.Second, 3 * time.Second, 3331 * time.Millisecond, 70 * time.Millisecond} {
		var samples []Sample
		for round := 1; round <= 6; round++ {
			samples = append(samples, Sample{Round: round, Arm: "multi", Time: multi}, Sample{Round: round, Arm: "single", Time: 3 * multi})
		}
		assert.Equal(t, Pass, judge(t, samples, speedUp(3)).Outcome, "%v", multi)
		atMost := SpeedUpAtMost("at most", "multi", "single", 3).From("test")
		assert.Equal(t, Pass, judge(t, samples, atMost).Outcome, "%v", multi)
	}
}

// Does one disagreeing round of six keep the first look from deciding, and the
// second look decide it?
func TestLooksDecideInTurn(t *testing.T) {
	samples := rounds(3.2, 3.3, 2.99, 3.25, 3.35, 3.4, 3.31, 3.28, 3.22)
	early := judge(t, samples[:12], speedUp(3))
	assert.Equal(t, Inconclusive, early.Outcome)
	assert.False(t, early.Complete)
	assert.Contains(t, early.Reasons, "incomplete: 6 rounds recorded, the next look is at 9")

	between := judge(t, samples[:16], speedUp(3))
	assert.Equal(t, 8, between.Rounds)
	assert.Equal(t, 6, between.Claims[0].Rounds, "rounds after a look wait for the next one")
	assert.Equal(t, early.Claims, between.Claims)

	late := judge(t, samples, speedUp(3))
	assert.Equal(t, Pass, late.Outcome)
	assert.Equal(t, 9, late.Claims[0].Rounds)
}

// Does a decided claim stay decided when later rounds, measured for another
// claim, say the opposite?
func TestDecidedStaysDecided(t *testing.T) {
	samples := rounds(3.2, 3.3, 3.1, 3.25, 3.35, 3.4, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1)
	verdict := judge(t, samples, speedUp(3))
	assert.Equal(t, Pass, verdict.Outcome)
	assert.Equal(t, 6, verdict.Claims[0].Rounds)
	assert.Equal(t, 12, verdict.Rounds)
}

// Are all claims judged, and does the worst one win whatever its place?
func TestEveryClaimIsJudged(t *testing.T) {
	failing := SpeedUpAtLeast("far", "multi", "single", 9).From("test")
	passing := SpeedUpAtLeast("near", "multi", "single", 3).From("test")
	impossible := SpeedUpAtLeast("never", "multi", "single", 9).From("test").WithBest(8)
	for _, claims := range [][]Claim{{failing, passing}, {passing, failing}} {
		verdict := judge(t, steady(6, 6), claims...)
		assert.Equal(t, Fail, verdict.Outcome)
		require.Len(t, verdict.Claims, 2)
		for _, result := range verdict.Claims {
			assert.NotNil(t, result.Lower)
		}
		assert.Len(t, verdict.Reasons, 2)
	}
	assert.Equal(t, Invalid, judge(t, steady(6, 6), passing, impossible, failing).Outcome)
}

// Is the caller's slice left as it was?
func TestJudgeLeavesSamplesAlone(t *testing.T) {
	samples := steady(6, 6)
	samples[0], samples[11] = samples[11], samples[0]
	before := append([]Sample(nil), samples...)
	judge(t, samples, speedUp(3))
	assert.Equal(t, before, samples)
}

// Is an invalid recovery neither dropped nor replaced? Whichever recovery it
// is, of an arm of the claim, of another arm, or in an unfinished round, the
// verdict is invalid and names it.
func TestInvalidRecoveryIsNeverDropped(t *testing.T) {
	clean := steady(12, 6)
	for i := range clean {
		samples := append([]Sample(nil), clean...)
		samples[i].Invalid = []string{"limiter at 40mb"}
		samples[i].Time = 0
		verdict := judge(t, samples, speedUp(3))
		assert.Equal(t, Invalid, verdict.Outcome)
		assert.Contains(t, verdict.Reasons[0], "limiter at 40mb")
		assert.Nil(t, verdict.Claims[0].Estimate, "no number is made of a claim with an invalid recovery")
	}
	for _, extra := range []Sample{
		{Round: 2, Arm: "other", Time: time.Second, Invalid: []string{"wrong setting"}},
		{Round: 13, Arm: "multi", Invalid: []string{"cut link"}},
	} {
		for _, rounds := range []int{12, extra.Round - 1} {
			verdict := judge(t, append(steady(rounds, 6), extra), speedUp(3))
			assert.Equal(t, Invalid, verdict.Outcome)
			assert.True(t, verdict.Complete, "no round would change it")
			assert.Contains(t, verdict.Reasons[0], extra.Invalid[0])
		}
	}
}

// Is a killed run judged as far as it goes? After a kill in round 4 there are
// three rounds and a single recovery.
func TestKilledRun(t *testing.T) {
	verdict := judge(t, steady(4, 6)[:7], speedUp(3))
	assert.Equal(t, Inconclusive, verdict.Outcome)
	assert.False(t, verdict.Complete)
	assert.Equal(t, 3, verdict.Rounds)
	assert.Equal(t, 3, verdict.Claims[0].Rounds)
}

// Is a speed-up of a speed-up judged as one number? The candidate is 4.5 times
// as fast as its base, the reference 5 times: kept 0.9. Both share one base in
// the second claim, where it cancels out.
func TestSpeedUpKept(t *testing.T) {
	var samples []Sample
	for round := 1; round <= 6; round++ {
		drift := time.Duration(round) * time.Millisecond
		for arm, at := range map[string]time.Duration{"new-1": 45 * drift, "new-8": 10 * drift, "old-1": 60 * drift, "old-8": 12 * drift} {
			samples = append(samples, Sample{Round: round, Arm: arm, Time: at})
		}
	}
	kept := SpeedUpKept("kept", SpeedUp{"new-8", "new-1"}, SpeedUp{"old-8", "old-1"}, 0.85).From("test")
	verdict := judge(t, samples, kept)
	assert.Equal(t, Pass, verdict.Outcome)
	assert.InDelta(t, 0.9, *verdict.Claims[0].Estimate, 1e-6)
	kept.Limit = 0.95
	failed := judge(t, samples, kept)
	assert.Equal(t, Fail, failed.Outcome)
	assert.Contains(t, failed.Claims[0].Hints[0], "which arm's time moved")

	shared := SpeedUpKept("shared", SpeedUp{"new-8", "old-1"}, SpeedUp{"old-8", "old-1"}, 1.1).From("test")
	assert.Equal(t, []Term{{"new-8", -1}, {"old-8", 1}}, shared.Terms)
	assert.InDelta(t, 1.2, *judge(t, samples, shared).Claims[0].Estimate, 1e-6)
}

// Is a record that contradicts itself refused with one clear line?
func TestJudgeRefusesRecords(t *testing.T) {
	for want, samples := range map[string][]Sample{
		"round 2 has two recoveries of arm multi":                        append(steady(6, 6), Sample{Round: 2, Arm: "multi", Time: time.Second}),
		"round 3 is recorded, but round 2 has no recovery of arm single": append(steady(1, 6), Sample{Round: 2, Arm: "multi", Time: time.Second}, Sample{Round: 3, Arm: "multi", Time: time.Second}),
		"round is 0, allowed are 1 to 60":                                {{Round: 0, Arm: "multi", Time: time.Second}},
		"round is 61, allowed are 1 to 60":                               {{Round: 61, Arm: "multi", Time: time.Second}},
		"round 1 has a recovery without an arm":                          {{Round: 1, Time: time.Second}},
		"round 1, arm multi: time is 0s, allowed are times above 0":      {{Round: 1, Arm: "multi"}},
	} {
		_, err := Judge(samples, []Claim{speedUp(3)}, DefaultLooks())
		assert.EqualError(t, err, "judge recoveries: "+want)
	}
}

// Is an efficiency judged by the time of the download, a speed-up by that of the whole recovery, and
// is a download that nobody saw no answer?
func TestClocks(t *testing.T) {
	samples := steady(6, 6)
	for i := range samples {
		samples[i].Download = samples[i].Time / 2
	}
	efficiency := EfficiencyAtLeast("efficiency", "multi", 1400*time.Millisecond, 0.7).From("profile quick")
	v := judge(t, samples, efficiency, speedUp(3))
	assert.InDelta(t, 0.8, *v.Claims[0].Estimate, 1e-6)
	assert.InDelta(t, 6.02, *v.Claims[1].Estimate, 0.01)

	efficiency.Clock = Total // as bundles have it that were made before there was a choice
	assert.InDelta(t, 0.4, *judge(t, samples, efficiency).Claims[0].Estimate, 1e-6)

	efficiency.Clock = Download
	for i := range samples {
		if samples[i].Round == 4 {
			samples[i].Download = 0
		}
	}
	v = judge(t, samples, efficiency)
	assert.Equal(t, Invalid, v.Outcome)
	assert.Equal(t, []string{"efficiency: not judged, the download of round 4, arm multi, was not seen"}, v.Reasons)

	efficiency.Clock = "wall"
	assert.ErrorContains(t, efficiency.Validate(), `clock is "wall", allowed are none and download`)
}
