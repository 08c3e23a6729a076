package stats

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func sample(t *testing.T, differences ...float64) Sample {
	t.Helper()
	s, err := New(differences)
	require.NoError(t, err)
	return s
}

// normals returns n normal differences with the given mean and deviation 1.
func normals(random *rand.Rand, n int, mean float64) []float64 {
	differences := make([]float64, n)
	for i := range differences {
		differences[i] = mean + random.NormFloat64()
	}
	return differences
}

// Does the room give the numbers of a textbook? The depression data of HWC
// (table 3.1, examples 3.1, 3.3 and 3.4): nine patients, T+ = 40 against a
// decrease, p = 0.0195, estimate -0.46, interval from -0.786 to -0.010.
func TestTextbookExample(t *testing.T) {
	before := []float64{1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30}
	after := []float64{0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29}
	change := make([]float64, len(before))
	for i := range before {
		change[i] = after[i] - before[i]
	}
	s := sample(t, change...)

	assert.InDelta(t, -0.46, s.HodgesLehmann(), 1e-9)
	assert.InDelta(t, 10.0/512, s.PLess(0), 1e-15)
	lower, ok := s.Lower(0.02)
	require.True(t, ok)
	upper, ok := s.Upper(0.02)
	require.True(t, ok)
	assert.InDelta(t, -0.786, lower.Value, 1e-9)
	assert.InDelta(t, -0.010, upper.Value, 1e-9)
	assert.InDelta(t, 1-10.0/512, lower.Level, 1e-15)
	assert.InDelta(t, 1-10.0/512, upper.Level, 1e-15)
}

// Does an independent implementation agree? scipy's p-values for recorded
// inputs, with and without ties and zeros; the file says how it was made.
func TestAgreesWithScipy(t *testing.T) {
	var recorded struct {
		Cases []struct {
			Name        string
			Differences []float64
			Null        float64
			PGreater    float64 `json:"p_greater"`
			PLess       float64 `json:"p_less"`
		}
	}
	content, err := os.ReadFile("testdata/scipy_wilcoxon.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(content, &recorded))
	require.Len(t, recorded.Cases, 16)
	for _, c := range recorded.Cases {
		t.Run(c.Name, func(t *testing.T) {
			s := sample(t, c.Differences...)
			assert.InEpsilon(t, c.PGreater, s.PGreater(c.Null), 1e-12)
			assert.InEpsilon(t, c.PLess, s.PLess(c.Null), 1e-12)
		})
	}
}

// Is the estimate the median of all pairwise means? By hand on small samples,
// with an odd and an even number of Walsh averages.
func TestHodgesLehmann(t *testing.T) {
	assert.InDelta(t, 7.0, sample(t, 7).HodgesLehmann(), 1e-15)
	assert.InDelta(t, 2.0, sample(t, 1, 3).HodgesLehmann(), 1e-15)
	// 1, 1.5, 2, 5.5, 6, 10: the middle two are 2 and 5.5.
	assert.InDelta(t, 3.75, sample(t, 10, 1, 2).HodgesLehmann(), 1e-15)
}

// Does one wild round leave the estimate alone? A mean would move by 100.
func TestHodgesLehmannIsRobust(t *testing.T) {
	s := sample(t, 1.00, 1.01, 0.99, 1.02, 0.98, 601)
	assert.InDelta(t, 1.0, s.HodgesLehmann(), 0.02)
}

// Do estimate and bounds follow a shift, a scaling and a change of sign as a
// location must? Random samples of every size.
func TestLocationProperties(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for n := 1; n <= MaxPairs; n++ {
		original := normals(random, n, 0.3)
		moved, turned := make([]float64, n), make([]float64, n)
		for i, d := range original {
			moved[i], turned[i] = 3*d+5, -d
		}
		a, b, c := sample(t, original...), sample(t, moved...), sample(t, turned...)
		assert.InDelta(t, 3*a.HodgesLehmann()+5, b.HodgesLehmann(), 1e-9)
		assert.InDelta(t, -a.HodgesLehmann(), c.HodgesLehmann(), 1e-9)
		assert.InDelta(t, a.PGreater(0.2), c.PLess(-0.2), 1e-15)

		lower, ok := a.Lower(0.02)
		require.Equal(t, n >= 6, ok, "n = %d", n)
		if !ok {
			continue
		}
		movedLower, _ := b.Lower(0.02)
		turnedUpper, _ := c.Upper(0.02)
		assert.InDelta(t, 3*lower.Value+5, movedLower.Value, 1e-9)
		assert.InDelta(t, -lower.Value, turnedUpper.Value, 1e-9)
		assert.Less(t, lower.Value, a.HodgesLehmann())
	}
}

// Are bound and test two sides of one thing? A null just below the lower bound
// must be refused at alpha, one just above must not; the same at the top.
func TestBoundsInvertTheTest(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for n := 6; n <= 25; n++ {
		s := sample(t, normals(random, n, 1)...)
		for _, alpha := range []float64{0.05 / 3, 0.05, 0.2} {
			lower, ok := s.Lower(alpha)
			require.True(t, ok)
			upper, ok := s.Upper(alpha)
			require.True(t, ok)
			assert.LessOrEqual(t, s.PGreater(lower.Value-1e-6), alpha)
			assert.Greater(t, s.PGreater(lower.Value+1e-6), alpha)
			assert.LessOrEqual(t, s.PLess(upper.Value+1e-6), alpha)
			assert.Greater(t, s.PLess(upper.Value-1e-6), alpha)
			assert.GreaterOrEqual(t, lower.Level, 1-alpha)
		}
	}
}

// Are there no bounds where they would cross or mean nothing?
func TestNoBounds(t *testing.T) {
	s := sample(t, 1, 2, 3, 4, 5, 6)
	for _, alpha := range []float64{0, 0.01, 0.5, 0.9, math.NaN()} {
		_, ok := s.Lower(alpha)
		assert.False(t, ok, "alpha = %g", alpha)
		_, ok = s.Upper(alpha)
		assert.False(t, ok, "alpha = %g", alpha)
	}
}

// Does a bound miss the truth as seldom as it says? Many samples of a
// heavy-tailed symmetric distribution: the share of misses must be the exact
// level, 1/64 at six rounds and 7/512 at nine, and not just below it.
func TestBoundsCoverTheTruth(t *testing.T) {
	const runs = 40_000
	for n, level := range map[int]float64{6: 1.0 / 64, 9: 7.0 / 512} {
		random := rand.New(rand.NewPCG(5, uint64(n)))
		missed := 0
		for range runs {
			differences := normals(random, n, 0)
			for i := range differences {
				differences[i] *= math.Exp(random.NormFloat64())
			}
			lower, ok := sample(t, differences...).Lower(0.05 / 3)
			require.True(t, ok)
			if lower.Value > 0 {
				missed++
			}
		}
		assert.InEpsilon(t, level, float64(missed)/runs, 0.15, "n = %d", n)
	}
}

// What happens at the edges of a sample: nothing known, too much, not a number.
func TestNewRefuses(t *testing.T) {
	for want, differences := range map[string][]float64{
		"make sample: no differences":                                   {},
		"make sample: 61 differences, allowed are at most 60":           make([]float64, 61),
		"make sample: difference 2 is NaN, allowed are finite numbers":  {1, math.NaN()},
		"make sample: difference 1 is +Inf, allowed are finite numbers": {math.Inf(1)},
	} {
		_, err := New(differences)
		assert.EqualError(t, err, want)
	}
}

// Does a sample keep its own numbers when the caller goes on with the slice?
func TestNewCopies(t *testing.T) {
	differences := []float64{1, 2, 3}
	s := sample(t, differences...)
	differences[0] = 100
	assert.InDelta(t, 1.0/8, s.PGreater(0.5), 1e-15)
	assert.InDelta(t, 1.0/8, s.PLess(10), 1e-15)
}

// Do differences that are equal but for the last bit count as ties, and one
// that equals the null but for the last bit as zero?
func TestRoundingDoesNotBreakTies(t *testing.T) {
	clean := sample(t, 0.3, -0.3, 0.5, 0.6, 0.7, 0)
	noisy := sample(t, 0.1+0.2, -0.3, 0.5, 0.6, 0.7, 1e-16)
	assert.InDelta(t, clean.PGreater(0), noisy.PGreater(0), 1e-15)
	// One negative difference with mid-rank 1.5 of five: 3 of 32 patterns
	// (no rank, either 1.5) are as extreme.
	assert.InDelta(t, 3.0/32, noisy.PGreater(0), 1e-15)
	assert.InDelta(t, 1.0, sample(t, 2, 2).PGreater(2), 1e-15)
}

// Is the deviation the one with n-1? 2, 4, 4, 4, 5, 5, 7, 9 has 32/7.
func TestStandardDeviation(t *testing.T) {
	assert.InDelta(t, math.Sqrt(32.0/7), sample(t, 2, 4, 4, 4, 5, 5, 7, 9).StandardDeviation(), 1e-12)
	assert.Zero(t, sample(t, 3).StandardDeviation())
}
