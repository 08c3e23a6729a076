package stats

import (
	"fmt"
	"sync"
)

// Distribution is the exact distribution of the signed-rank statistic T+, the
// sum of the ranks of the positive differences, when each sign is a fair coin.
// It is symmetric about half of its largest value.
type Distribution struct {
	// cumulative[s] counts the sign patterns with T+ <= s/2. Ranks are doubled
	// so that the mid-ranks of ties (2.5 and the like) stay integers.
	cumulative []uint64
	patterns   uint64
}

// SignedRank is the distribution for n differences without ties, n from 1 to
// MaxPairs.
func SignedRank(n int) (Distribution, error) {
	if n < 1 || n > MaxPairs {
		return Distribution{}, fmt.Errorf("count signed ranks: n is %d, allowed are 1 to %d", n, MaxPairs)
	}
	return untied(n), nil
}

// untied is SignedRank for an n that is known to be allowed.
func untied(n int) Distribution { return untiedTable()[n] }

// untiedTable holds the distributions without ties for n = 0 to MaxPairs. They
// never change, and a search for the rounds needed asks for all of them.
var untiedTable = sync.OnceValue(func() []Distribution {
	table := make([]Distribution, MaxPairs+1)
	for n := range table {
		doubled := make([]int, n)
		for i := range doubled {
			doubled[i] = 2 * (i + 1)
		}
		table[n] = count(doubled)
	}
	return table
})

// count counts, for every sum, the subsets of the doubled ranks that have it:
// each rank is either positive and adds itself, or negative and adds nothing.
func count(doubledRanks []int) Distribution {
	total := 0
	for _, rank := range doubledRanks {
		total += rank
	}
	counts := make([]uint64, total+1)
	counts[0] = 1
	for _, rank := range doubledRanks {
		// Downwards, so that one rank is not added twice.
		for sum := total; sum >= rank; sum-- {
			counts[sum] += counts[sum-rank]
		}
	}
	for sum := 1; sum <= total; sum++ {
		counts[sum] += counts[sum-1]
	}
	return Distribution{cumulative: counts, patterns: counts[total]}
}

// AtMost is P(T+ <= t), exact.
func (d Distribution) AtMost(t float64) float64 {
	doubled := int(2 * t)
	switch {
	case t < 0:
		return 0
	case doubled >= len(d.cumulative):
		return 1
	}
	return float64(d.cumulative[doubled]) / float64(d.patterns)
}

// Critical is the largest whole t with P(T+ <= t) <= alpha: the value printed
// in tables. It is false when even t = 0 is likelier than alpha, which means
// that there are too few differences for that alpha.
func (d Distribution) Critical(alpha float64) (t int, ok bool) {
	if d.AtMost(0) > alpha {
		return 0, false
	}
	for 2*(t+1) < len(d.cumulative) && d.AtMost(float64(t+1)) <= alpha {
		t++
	}
	return t, true
}

// MinPairs is the least number of differences with which a one-sided test at
// alpha can ever decide: all n must agree, which chance does once in 2^n.
// It is MaxPairs+1 when no allowed number is enough.
func MinPairs(alpha float64) int {
	chance := 1.0
	for n := 1; n <= MaxPairs; n++ {
		chance /= 2
		if chance <= alpha {
			return n
		}
	}
	return MaxPairs + 1
}
