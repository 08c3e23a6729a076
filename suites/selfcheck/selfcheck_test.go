// Package selfcheck gates the gate: a gate that cannot fail proves nothing. Each test
// brings about what a verdict must not overlook, on a small corpus and a real stack.
package selfcheck

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"streamgate/fixtures/corpus"
	"streamgate/fixtures/gate"
	"streamgate/fixtures/link"
	"streamgate/fixtures/machine"
	"streamgate/fixtures/stack"
	"streamgate/fixtures/suite"
	"streamgate/helpers/config"
	"streamgate/helpers/recovery"
	"streamgate/helpers/verdict"
)

func TestMain(m *testing.M) { suite.Main(m) }

// demanded is less than the gate's: the corpus is small.
const demanded = 2.5

var shape = link.Shape{RateBytes: 6_000_000}

// own is a corpus that recovers in a second or two: four files for each of 8 streams.
func own(c *config.Config) {
	c.CorpusBytes, c.Segments = 6_000_000, 12
	c.LinkRateBytes, c.MinSpeedup = shape.RateBytes, demanded
}

// Time that the two choices take, with the images built.
const (
	quickTime = 2 * time.Minute
	allTime   = 4 * time.Minute
)

// All checks use one stack, one after the other, each with the link as it wants it. Those that are
// not quick are played with STREAMGATE_SCENARIOS=all.
func TestGateIsNotFooled(t *testing.T) {
	all := suite.Config(t).AllScenarios()
	needs := suite.Needs{Corpus: true, Link: true, Time: suite.Fixed(quickTime), Own: own}
	if all {
		needs.Time = suite.Fixed(allTime)
	}
	ctx, run := suite.Begin(t, needs)
	working := machine.Working(ctx, t)
	s := stack.Start(ctx, t, run.Spec())
	placed := corpus.Place(ctx, t, s, "so-selfcheck", run.Corpus, corpus.Layout{Segments: run.Config.Segments})
	working()
	machine.MeasuringRoughly(ctx, t)
	check := checks{ctx: ctx, bench: gate.Bench{Run: run, Stack: s, Placed: placed}}
	for _, q := range questions {
		if q.Quick || all {
			t.Run(q.Name, func(t *testing.T) { q.ask(check, t) })
		}
	}
}

// questions are the checks, in their order.
var questions = []struct {
	suite.Choice
	ask func(checks, *testing.T)
}{
	{suite.Choice{Name: "slow candidate", Quick: true}, checks.slowCandidate},
	{suite.Choice{Name: "silent fallback", Quick: true}, checks.silentFallback},
	{suite.Choice{Name: "link slower than it says", Quick: true}, checks.slowLink},
	{suite.Choice{Name: "equal arms"}, checks.equalArms},
	{suite.Choice{Name: "limiter left alone"}, checks.limiterLeftAlone},
}

// Does suites/README.md say which of them each choice plays?
func TestChoices(t *testing.T) {
	suite.Uncached(t)
	var choices []suite.Choice
	for _, q := range questions {
		choices = append(choices, q.Choice)
	}
	suite.Choices(t, "selfcheck", choices)
}

type checks struct {
	ctx   context.Context //nolint:containedctx // the test's, handed to its parts
	bench gate.Bench
}

// judge runs the gate's experiment with two arms: the second must be demanded times as
// fast as the first.
func (c checks) judge(t *testing.T, name string, base, arm recovery.Arm, disturb func() error) verdict.Verdict {
	t.Helper()
	t.Cleanup(func() { require.NoError(t, c.bench.Stack.Link.Clear()) })
	return gate.Measure(c.ctx, t, c.bench, gate.Experiment{
		Suite: "selfcheck-" + name, Arms: []recovery.Arm{base, arm}, Shape: shape, Looks: verdict.DefaultLooks(), Disturb: disturb,
		Claims: func(best gate.Best) []verdict.Claim {
			return []verdict.Claim{gate.SpeedUp(best, arm, base, demanded, "selfcheck")}
		},
	})
}

// reason wants a verdict of that outcome whose first reason has the words: another reason would
// make the check green for something that it is not about.
func reason(t *testing.T, v verdict.Verdict, outcome verdict.Outcome, words string) {
	t.Helper()
	require.Equal(t, outcome, v.Outcome, v.Reasons)
	require.NotEmpty(t, v.Reasons)
	require.Contains(t, v.Reasons[0], words, strings.Join(v.Reasons, "\n"))
}

// Do two arms of 8 streams ever pass as a speed-up? They must fail, around 1.
func (c checks) equalArms(t *testing.T) {
	t.Helper()
	v := c.judge(t, "equal", recovery.Unlimited("eight", 8), recovery.Unlimited("also eight", 8), nil)
	require.Equal(t, verdict.Fail, v.Outcome, v.Reasons)
	require.Less(t, *v.Claims[0].Lower, 1.1)
	require.Greater(t, *v.Claims[0].Upper, 0.9)
}

// Is a candidate found that lost most of its streams? With 2 instead of 8 it must fail.
func (c checks) slowCandidate(t *testing.T) {
	t.Helper()
	v := c.judge(t, "slow", recovery.Unlimited("single", 1), recovery.Unlimited("multi", 2), nil)
	require.Equal(t, verdict.Fail, v.Outcome, v.Reasons)
	require.Less(t, *v.Claims[0].Upper, demanded)
}

// Is a download that failed and became a copy from the primary's node found out? A link
// that cuts each connection ends green, and fast.
func (c checks) silentFallback(t *testing.T) {
	t.Helper()
	// A sixth of a segment: OpenSearch's S3 client resumes a file that breaks off, a few times.
	const cutAfterBytes = 85_000
	v := c.judge(t, "fallback", recovery.Unlimited("single", 1), recovery.Unlimited("multi", 8), func() error {
		return c.bench.Stack.Link.Cut(cutAfterBytes)
	})
	reason(t, v, verdict.Invalid, "warm-up, arm single is invalid: the download was given up for a peer copy")
}

// Is a rate limit found that an arm forgot to lift? It must be named.
func (c checks) limiterLeftAlone(t *testing.T) {
	t.Helper()
	forgetful := recovery.Arm{Name: "multi", Streams: 8, Settings: map[string]string{recovery.SettingStreams: "8"}}
	v := c.judge(t, "limiter", recovery.Unlimited("single", 1), forgetful, nil)
	reason(t, v, verdict.Invalid, "warm-up, arm multi is invalid: the rate limit "+recovery.SettingLimiter)
}

// Is a link found that gives a third of what it says? Nothing is measured then.
func (c checks) slowLink(t *testing.T) {
	t.Helper()
	require.NoError(t, c.bench.Stack.Link.Slow(shape.RateBytes/3))
	v := c.judge(t, "link", recovery.Unlimited("single", 1), recovery.Unlimited("multi", 8), nil)
	reason(t, v, verdict.Invalid, "link: with 1 at once, a connection carries ")
	var carried float64
	_, err := fmt.Sscanf(v.Reasons[0], "link: with 1 at once, a connection carries %g MB/s", &carried)
	require.NoError(t, err)
	// The slowed link's rate is the most that there can be, but for what a token bucket lets through at
	// once; a busy machine gave 3.94 MB/s. A link that was not slowed gave 10.98 there.
	require.Less(t, carried, 1.5*float64(shape.RateBytes)/3/1e6)
}
