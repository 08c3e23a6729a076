package stats

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Are the critical values those of published tables? One-sided 0.05, 0.025,
// 0.01 and 0.005 for n = 5 to 15 as printed since Wilcoxon and Wilcox (1964);
// the 0.025 column is also OEIS A226330. -1 stands for "no value".
func TestCriticalValuesMatchTables(t *testing.T) {
	alphas := [4]float64{0.05, 0.025, 0.01, 0.005}
	table := map[int][4]int{
		5:  {0, -1, -1, -1},
		6:  {2, 0, -1, -1},
		7:  {3, 2, 0, -1},
		8:  {5, 3, 1, 0},
		9:  {8, 5, 3, 1},
		10: {10, 8, 5, 3},
		11: {13, 10, 7, 5},
		12: {17, 13, 9, 7},
		13: {21, 17, 12, 9},
		14: {25, 21, 15, 12},
		15: {30, 25, 19, 15},
	}
	for n, row := range table {
		distribution, err := SignedRank(n)
		require.NoError(t, err)
		for i, alpha := range alphas {
			critical, ok := distribution.Critical(alpha)
			if !ok {
				critical = -1
			}
			assert.Equal(t, row[i], critical, "n = %d, alpha = %g", n, alpha)
		}
	}
}

// Are the chances right where they can be counted by hand? Three ranks have
// eight sign patterns, with sums 0 1 2 3 3 4 5 6.
func TestDistributionOfThree(t *testing.T) {
	distribution, err := SignedRank(3)
	require.NoError(t, err)
	for sum, patterns := range map[float64]float64{-1: 0, 0: 1, 1: 2, 2: 3, 2.5: 3, 3: 5, 4: 6, 5: 7, 6: 8, 7: 8} {
		assert.InDelta(t, patterns/8, distribution.AtMost(sum), 1e-15, "T+ <= %g", sum)
	}
}

// Does the count agree with going through all sign patterns, ties included?
func TestDistributionAgreesWithEnumeration(t *testing.T) {
	for _, doubled := range [][]int{{2, 4, 6, 8, 10}, {3, 3, 6, 8, 10}, {5, 5, 5, 5, 10, 12}, {7, 7, 7, 7, 7, 7}} {
		total := 0
		for _, rank := range doubled {
			total += rank
		}
		distribution := count(doubled)
		for limit := 0; limit <= total; limit++ {
			within := 0
			for pattern := range 1 << len(doubled) {
				sum := 0
				for i, rank := range doubled {
					sum += rank * (pattern >> i & 1)
				}
				if sum <= limit {
					within++
				}
			}
			assert.InDelta(t, float64(within)/float64(int(1)<<len(doubled)), distribution.AtMost(float64(limit)/2), 1e-15)
		}
	}
}

// Does the largest sample still count without overflow, and is the
// distribution symmetric there?
func TestLargestDistribution(t *testing.T) {
	distribution, err := SignedRank(MaxPairs)
	require.NoError(t, err)
	assert.Equal(t, uint64(1)<<MaxPairs, distribution.patterns)
	total := MaxPairs * (MaxPairs + 1) / 2
	for sum := range total {
		assert.InDelta(t, 1, distribution.AtMost(float64(sum))+distribution.AtMost(float64(total-sum-1)), 1e-12)
	}
	for _, n := range []int{0, -1, MaxPairs + 1} {
		_, err := SignedRank(n)
		assert.ErrorContains(t, err, "allowed are 1 to 60", "n = %d", n)
	}
}

// With how many rounds can a test decide at all?
func TestMinPairs(t *testing.T) {
	assert.Equal(t, 6, MinPairs(0.05/3), "1/64 is below 0.0167, 1/32 is not")
	assert.Equal(t, 5, MinPairs(0.05))
	assert.Equal(t, 6, MinPairs(1.0/64), "met exactly is met")
	assert.Equal(t, 1, MinPairs(0.5))
	assert.Equal(t, MaxPairs+1, MinPairs(0))
	for alpha := 0.3; alpha > 1e-6; alpha /= 1.7 {
		n := MinPairs(alpha)
		assert.LessOrEqual(t, math.Pow(2, -float64(n)), alpha)
		assert.Greater(t, math.Pow(2, -float64(n-1)), alpha)
	}
}
