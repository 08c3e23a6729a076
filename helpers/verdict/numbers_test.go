package verdict

import (
	"encoding/json"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Are numbers that mean nothing absent? One round has no scatter, and rounds
// before the first look have no bounds even when there are enough for some.
func TestAbsentNumbers(t *testing.T) {
	one := judge(t, steady(1, 6), speedUp(3)).Claims[0]
	assert.NotNil(t, one.Estimate)
	assert.Nil(t, one.Scatter)

	early, err := Judge(steady(7, 6), []Claim{speedUp(3)}, Looks{Rounds: []int{9, 12}, Alpha: 0.05})
	require.NoError(t, err)
	assert.Equal(t, Inconclusive, early.Outcome)
	result := early.Claims[0]
	assert.Equal(t, 7, result.Rounds)
	assert.Nil(t, result.Lower)
	assert.Nil(t, result.Upper)
	assert.Nil(t, result.Detectable)
	assert.Contains(t, result.Reason, "7 rounds cannot decide, at least 9 are needed")
}

// Is the number of rounds needed more than the rounds that were not enough?
// Eleven rounds are 10 % above the limit and one is even further below it: the
// formula says that 12 rounds do, and yet the last look could not decide.
func TestRoundsNeededIsMoreThanThereWere(t *testing.T) {
	samples := rounds(3.301, 3.302, 2.65, 3.303, 3.304, 3.305, 3.306, 3.307, 3.308, 3.309, 3.311, 3.312)
	result := judge(t, samples, speedUp(3)).Claims[0]
	require.Equal(t, Inconclusive, result.Outcome)
	require.NotNil(t, result.RoundsNeeded)
	assert.Equal(t, 13, *result.RoundsNeeded)
	assert.Contains(t, result.Reason, "takes about 13 rounds")
}

// Does judging again give the same bytes, from samples in another order and
// from a question that went through JSON, as it does in a bundle?
func TestJudgingAgainGivesTheSameBytes(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 9))
	samples := noisyRun(random, 12, 3.05, 0.05)
	for i := range samples {
		samples[i].Download = samples[i].Time * 9 / 10
	}
	claims := []Claim{speedUp(3).WithBest(7.7), EfficiencyAtLeast("efficiency > 0.7", "multi", time.Second, 0.7).From("profile quick")}
	first, err := judge(t, samples, claims...).JSON()
	require.NoError(t, err)
	assert.Contains(t, string(first), "\"schema_version\": 1,\n")

	assert.Contains(t, string(first), "efficiency > 0.7: demanded", "a person can read it")

	stored, err := json.Marshal(struct {
		Samples []Sample
		Claims  []Claim
		Looks   Looks
	}{samples, claims, DefaultLooks()})
	require.NoError(t, err)
	for range 20 {
		var read struct {
			Samples []Sample
			Claims  []Claim
			Looks   Looks
		}
		require.NoError(t, json.Unmarshal(stored, &read))
		random.Shuffle(len(read.Samples), func(i, j int) {
			read.Samples[i], read.Samples[j] = read.Samples[j], read.Samples[i]
		})
		again, err := Judge(read.Samples, read.Claims, read.Looks)
		require.NoError(t, err)
		bytes, err := again.JSON()
		require.NoError(t, err)
		require.Equal(t, string(first), string(bytes))
	}

	var back Verdict
	require.NoError(t, json.Unmarshal(first, &back))
	assert.Equal(t, judge(t, samples, claims...), back, "the JSON holds everything")
}
