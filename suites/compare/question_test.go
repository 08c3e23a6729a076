// Package compare asks whether a change made recovery slower: two releases or builds of
// OpenSearch, each on a stack of its own, measured in the same rounds.
//
//	STREAMGATE_BASE=maven:3.6.0 STREAMGATE_CANDIDATE=maven:3.8.0 make compare
//
// Two stacks and four recoveries a round are too much beside the other suites: only make
// compare, with the build tag of that name, measures. What is asked, and whether the answer
// follows from it, is tested with every go test.
package compare

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"streamgate/fixtures/suite"
	"streamgate/helpers/config"
	"streamgate/helpers/recovery"
	"streamgate/helpers/verdict"
)

func TestMain(m *testing.M) { suite.Main(m) }

// kept is what a candidate has to keep of its base's speed: at most a tenth slower.
const kept = 0.9

// The arms: one stream and several, of each side.
const (
	baseSingle      = "base-single"
	baseMulti       = "base-multi"
	candidateSingle = "candidate-single"
	candidateMulti  = "candidate-multi"
)

// arms are those of a comparison; the candidate's are the last two.
func arms(cfg config.Config) []recovery.Arm {
	streams := cfg.MultiStreams
	if cfg.CandidateStreams > 0 {
		streams = cfg.CandidateStreams
	}
	return []recovery.Arm{
		recovery.Unlimited(baseSingle, cfg.SingleStreams), recovery.Unlimited(baseMulti, cfg.MultiStreams),
		recovery.Unlimited(candidateSingle, cfg.SingleStreams), recovery.Unlimited(candidateMulti, streams),
	}
}

// claims are what a candidate has to show. The third is a ratio of ratios: a candidate whose
// arms both became a little slower passes it, one that only lost its streams does not.
func claims() []verdict.Claim {
	const origin = "suites/compare"
	return []verdict.Claim{
		verdict.SpeedUpAtLeast("single keeps up", candidateSingle, baseSingle, kept).From(origin),
		verdict.SpeedUpAtLeast("multi keeps up", candidateMulti, baseMulti, kept).From(origin),
		verdict.SpeedUpKept("speed-up kept",
			verdict.SpeedUp{Arm: candidateMulti, Base: candidateSingle},
			verdict.SpeedUp{Arm: baseMulti, Base: baseSingle}, kept).From(origin),
	}
}

// rounds are the recoveries of a comparison that never happened: seconds by arm, each scattered
// by a share.
func rounds(n int, seconds map[string]float64, scatter float64) []verdict.Sample {
	random := rand.New(rand.NewPCG(7, 7))
	var samples []verdict.Sample
	for round := 1; round <= n; round++ {
		for _, arm := range []string{baseSingle, baseMulti, candidateSingle, candidateMulti} {
			took := seconds[arm] * (1 + scatter*(2*random.Float64()-1))
			samples = append(samples, verdict.Sample{Round: round, Arm: arm, Time: time.Duration(took * float64(time.Second))})
		}
	}
	return samples
}

// Do the claims say what they mean? Twelve rounds with a scatter of 3 % each way, like those of
// a quiet machine: a candidate that is the same passes all; one whose streams were cut from 8 to
// 6 loses its speed-up and its multi arm; one that lost a fifth everywhere keeps its ratio.
func TestQuestion(t *testing.T) {
	suite.Uncached(t)
	for name, c := range map[string]struct {
		single, multi float64 // the candidate's, in seconds; the base's are 9.2 and 1.8
		want          [3]verdict.Outcome
	}{
		"the same":          {9.2, 1.8, [3]verdict.Outcome{verdict.Pass, verdict.Pass, verdict.Pass}},
		"faster":            {7.0, 1.4, [3]verdict.Outcome{verdict.Pass, verdict.Pass, verdict.Pass}},
		"six streams":       {9.2, 2.2, [3]verdict.Outcome{verdict.Pass, verdict.Fail, verdict.Fail}},
		"a fifth slower":    {11.5, 2.25, [3]verdict.Outcome{verdict.Fail, verdict.Fail, verdict.Pass}},
		"only multi faster": {9.2, 1.4, [3]verdict.Outcome{verdict.Pass, verdict.Pass, verdict.Pass}},
	} {
		t.Run(name, func(t *testing.T) {
			seconds := map[string]float64{baseSingle: 9.2, baseMulti: 1.8, candidateSingle: c.single, candidateMulti: c.multi}
			v, err := verdict.Judge(rounds(12, seconds, 0.03), claims(), verdict.DefaultLooks())
			require.NoError(t, err)
			require.Len(t, v.Claims, len(c.want))
			for i, want := range c.want {
				assert.Equal(t, want, v.Claims[i].Outcome, fmt.Sprint(v.Claims[i].Claim.Name, ": ", v.Claims[i].Reason))
				require.NotNil(t, v.Claims[i].Lower, "no interval")
			}
		})
	}
}

// Are both sides' arms alike, unless the candidate is given other streams on purpose?
func TestArms(t *testing.T) {
	cfg, err := config.Load(nil)
	require.NoError(t, err)
	alike := arms(cfg)
	assert.Equal(t, alike[0].Settings, alike[2].Settings)
	assert.Equal(t, alike[1].Settings, alike[3].Settings)
	assert.Equal(t, 8, alike[3].Streams)

	cfg, err = config.Load([]string{"STREAMGATE_CANDIDATE_STREAMS=6"})
	require.NoError(t, err)
	assert.Equal(t, 8, arms(cfg)[1].Streams)
	assert.Equal(t, 6, arms(cfg)[3].Streams)
	assert.Equal(t, 1, arms(cfg)[2].Streams)
}
