package verdict

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func next(t *testing.T, samples []Sample, claims ...Claim) Step {
	t.Helper()
	step, err := Next(samples, claims, DefaultLooks())
	require.NoError(t, err)
	return step
}

// How does a run go on in each situation?
func TestNext(t *testing.T) {
	open := rounds(2.8, 3.3, 2.9, 3.2, 3.1, 2.95, 3.05, 3.25, 2.85, 3.15, 2.9, 3.3)
	assert.Equal(t, Step{false, 6, "open after 0 rounds: speed-up; next look at 6 rounds"}, next(t, nil, speedUp(3)))
	assert.Equal(t, Step{false, 6, "open after 1 round: speed-up; next look at 6 rounds"}, next(t, open[:2], speedUp(3)))
	assert.Equal(t, Step{false, 9, "open after 6 rounds: speed-up; next look at 9 rounds"}, next(t, open[:12], speedUp(3)))
	assert.Equal(t, Step{false, 9, "open after 8 rounds: speed-up; next look at 9 rounds"}, next(t, open[:16], speedUp(3)))
	assert.Equal(t, Step{true, 12, "the answer is final: inconclusive"}, next(t, open, speedUp(3)))
	assert.Equal(t, Step{true, 6, "the answer is final: pass"}, next(t, steady(6, 6), speedUp(3)))

	cannotShow := speedUp(3).WithBest(2)
	assert.Equal(t, Step{true, 0, "the answer is final: invalid"}, next(t, nil, cannotShow), "such a run does not begin")
	invalid := []Sample{{Round: 1, Arm: "multi", Invalid: []string{"peer copy"}}}
	assert.Equal(t, Step{true, 0, "the answer is final: invalid"}, next(t, invalid, speedUp(3)))

	// One claim has failed, the other is open: go on, to answer both.
	failed := SpeedUpAtLeast("far", "multi", "single", 9).From("test")
	assert.Equal(t, Step{false, 9, "open after 6 rounds: speed-up; next look at 9 rounds"}, next(t, open[:12], failed, speedUp(3)))
	_, err := Next(nil, nil, DefaultLooks())
	assert.EqualError(t, err, "judge recoveries: no claims")
}

// Does a run that asks Next after every round end, at a look, with the verdict
// that all twelve rounds would have got?
func TestNextStopsWhereJudgeDecides(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 11))
	stops := map[int]int{}
	for range 300 {
		ratio := 2.6 + random.Float64()
		samples := noisyRun(random, 12, ratio, 0.05)
		taken := 0
		for !next(t, samples[:2*taken], speedUp(3)).Final {
			taken++
			require.LessOrEqual(t, taken, 12)
		}
		stops[taken]++
		assert.Equal(t, judge(t, samples, speedUp(3)).Claims, judge(t, samples[:2*taken], speedUp(3)).Claims)
	}
	assert.Len(t, stops, 3, "stops at 6, 9 and 12 all happen: %v", stops)
	assert.Equal(t, 300, stops[6]+stops[9]+stops[12])
}

// noisyRun is a run whose true speed-up is ratio and whose recoveries scatter
// log-normally, each by noise.
func noisyRun(random *rand.Rand, rounds int, ratio, noise float64) []Sample {
	return makeRun(rounds, ratio, func() float64 { return noise * random.NormFloat64() })
}

// makeRun is a run with true speed-up ratio; each recovery's time is shifted
// by one draw of noise on the log scale.
func makeRun(rounds int, ratio float64, noise func() float64) []Sample {
	samples := make([]Sample, 0, 2*rounds)
	for round := 1; round <= rounds; round++ {
		samples = append(samples,
			Sample{Round: round, Arm: "multi", Time: scaled(1, noise())},
			Sample{Round: round, Arm: "single", Time: scaled(ratio, noise())})
	}
	return samples
}
