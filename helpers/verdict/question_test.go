package verdict

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Is a question that makes no sense refused before anything is measured?
func TestJudgeRefusesQuestions(t *testing.T) {
	with := func(change func(*Claim)) []Claim {
		claim := speedUp(3)
		change(&claim)
		return []Claim{claim}
	}
	for want, claims := range map[string][]Claim{
		"no claims":                                         nil,
		`two claims are named "speed-up"`:                   {speedUp(3), speedUp(2)},
		`check claim "": no name`:                           with(func(c *Claim) { c.Name = "" }),
		`check claim "speed-up": no words for its quantity`: with(func(c *Claim) { c.Quantity = " " }),
		`check claim "speed-up": no origin of its limit`:    with(func(c *Claim) { c.Origin = "" }),
		`check claim "speed-up": direction is "above", allowed are at-least and at-most`:                                  with(func(c *Claim) { c.Direction = "above" }),
		`check claim "speed-up": limit is NaN, allowed are 1e-09 to 1e+09`:                                                with(func(c *Claim) { c.Limit = math.NaN() }),
		`check claim "speed-up": limit is 0, allowed are 1e-09 to 1e+09`:                                                  with(func(c *Claim) { c.Limit = 0 }),
		`check claim "speed-up": best possible is -1, allowed are 1e-09 to 1e+09`:                                         with(func(c *Claim) { c.BestPossible = -1 }),
		`check claim "speed-up": best time is +Inf s, allowed are 1e-09 to 1e+09`:                                         with(func(c *Claim) { c.BestSeconds = math.Inf(1) }),
		`check claim "speed-up": 0 different arms, allowed are 1 to 8`:                                                    with(func(c *Claim) { c.Terms = nil }),
		`check claim "speed-up": powers add up to 1, allowed is 0 (0, or -1 with a best time)`:                            with(func(c *Claim) { c.Terms = []Term{{"multi", 1}} }),
		`check claim "speed-up": powers add up to 0, allowed is -1 (0, or -1 with a best time)`:                           with(func(c *Claim) { c.BestSeconds = 2 }),
		`check claim "speed-up": terms are [{a 1} {a -1}], allowed are different arms with powers from -2 to 2 and not 0`: with(func(c *Claim) { c.Terms = []Term{{"a", 1}, {"a", -1}} }),
		`check claim "speed-up": terms are [{a 3} {b -3}], allowed are different arms with powers from -2 to 2 and not 0`: with(func(c *Claim) { c.Terms = []Term{{"a", 3}, {"b", -3}} }),
	} {
		_, err := Judge(nil, claims, DefaultLooks())
		assert.EqualError(t, err, "judge recoveries: "+want)
	}
	// The two arms of a speed-up are the same arm: it would always be 1.
	assert.Error(t, SpeedUpAtLeast("self", "multi", "multi", 1).From("test").Validate())
	assert.NoError(t, speedUp(3).Validate())
	assert.NoError(t, EfficiencyAtLeast("e", "multi", time.Second, 0.7).From("test").Validate())
}

// Are the plans of a run what they say, and impossible ones refused?
func TestLooks(t *testing.T) {
	for rounds, want := range map[int][]int{
		1: {1}, 3: {3}, 6: {6}, 7: {6, 7}, 9: {6, 9}, 10: {6, 9, 10}, 12: {6, 9, 12}, 13: {6, 9, 13}, 24: {12, 18, 24}, 60: {30, 45, 60},
	} {
		looks, err := LooksUpTo(rounds)
		require.NoError(t, err)
		assert.Equal(t, want, looks.Rounds, "%d rounds", rounds)
		assert.InDelta(t, 0.05, looks.Alpha, 0)
	}
	for _, rounds := range []int{-1, 0, 61} {
		_, err := LooksUpTo(rounds)
		assert.ErrorContains(t, err, "allowed are rising numbers from 1 to 60", "%d rounds", rounds)
	}
	for want, looks := range map[string]Looks{
		"check looks: no looks": {nil, 0.05},
		"check looks: alpha is 0.5, allowed is more than 0 and less than 0.5":    {[]int{6}, 0.5},
		"check looks: alpha is NaN, allowed is more than 0 and less than 0.5":    {[]int{6}, math.NaN()},
		"check looks: rounds are [6 6], allowed are rising numbers from 1 to 60": {[]int{6, 6}, 0.05},
	} {
		_, err := Judge(nil, []Claim{speedUp(3)}, looks)
		assert.EqualError(t, err, "judge recoveries: "+want)
	}
}

// Is a run planned with three rounds complete but never significant?
func TestPlanOfThreeRounds(t *testing.T) {
	looks, err := LooksUpTo(3)
	require.NoError(t, err)
	verdict, err := Judge(steady(3, 6), []Claim{speedUp(3)}, looks)
	require.NoError(t, err)
	assert.Equal(t, Inconclusive, verdict.Outcome)
	assert.True(t, verdict.Complete)
	assert.Nil(t, verdict.Claims[0].RoundsNeeded, "without bounds there is nothing to plan with")
	assert.Equal(t, []string{"speed-up: demanded at least 3, measured 6.03 (no interval, 3 rounds): inconclusive, 3 rounds cannot decide, at least 5 are needed"}, verdict.Reasons)
}

// Does the worst outcome win, and has each its own code?
func TestOutcomes(t *testing.T) {
	rising := []Outcome{Pass, Inconclusive, Fail, Invalid}
	codes := map[int]bool{}
	for i, worse := range rising {
		for _, better := range rising[:i+1] {
			assert.Equal(t, worse, Worst(better, worse))
			assert.Equal(t, worse, Worst(worse, better))
		}
		codes[worse.ExitCode()] = true
	}
	assert.Equal(t, map[int]bool{0: true, 1: true, 3: true, 4: true}, codes)
	assert.Zero(t, Pass.ExitCode())
	assert.Equal(t, Invalid, Worst())
	assert.Equal(t, Invalid, Worst(Pass, "tampered"))
}
