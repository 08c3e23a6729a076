package bundle

import (
	"math"
	"slices"
)

// ShiftConfidence is the confidence of a Shift's interval, both sides together.
const ShiftConfidence = 0.95

// Shift is the factor that leads from one sample of positive numbers to another.
//
// Factor is the Hodges–Lehmann estimate for two independent samples on a log scale: the
// median of all ratios of a number of the second to one of the first. Lower and Upper are
// Moses' interval from the exact Mann–Whitney distribution. Both are in Hollander, Wolfe
// and Chicken, "Nonparametric Statistical Methods", 3rd edition 2014, sections 4.2 and 4.3.
// golang.org/x/perf/benchmath has the test that belongs to them, but no interval.
type Shift struct {
	Factor, Lower, Upper float64
	// Known is false when the samples are too small for an interval, which then is absent.
	Known bool
}

// NewShift computes the shift from a to b, both positive and not empty.
func NewShift(a, b []float64) Shift {
	ratios := make([]float64, 0, len(a)*len(b))
	for _, x := range a {
		for _, y := range b {
			ratios = append(ratios, math.Log(y/x))
		}
	}
	slices.Sort(ratios)
	shift := Shift{Factor: math.Exp(Median(ratios))}
	if c, ok := critical(len(a), len(b)); ok {
		shift.Lower, shift.Upper, shift.Known = math.Exp(ratios[c]), math.Exp(ratios[len(ratios)-1-c]), true
	}
	return shift
}

// critical is the largest U of the Mann–Whitney test whose lower tail is no likelier than
// half of what the interval may miss; false when even U = 0 is too likely. Ties need no
// treatment: the ends of the interval are ratios, not ranks.
func critical(n, m int) (c int, ok bool) {
	ways := rankSums(n, m)
	var all float64
	for _, w := range ways {
		all += w
	}
	tail := 0.0
	for u, w := range ways {
		if tail += w; tail > all*(1-ShiftConfidence)/2 {
			return u - 1, u > 0
		}
	}
	return 0, false
}

// rankSums counts, for each U from 0 to n*m, the ways to choose n of n+m ranks whose sum
// is U above the least one. The counts are floats: of 60 and 60 there are some 1e35, and
// their share is all that matters.
func rankSums(n, m int) []float64 {
	least := n * (n + 1) / 2
	// ways[k][s] is for k ranks chosen so far, with sum s.
	ways := make([][]float64, n+1)
	for k := range ways {
		ways[k] = make([]float64, least+n*m+1)
	}
	ways[0][0] = 1
	for rank := 1; rank <= n+m; rank++ {
		for k := n; k >= 1; k-- {
			for s := len(ways[k]) - 1; s >= rank; s-- {
				ways[k][s] += ways[k-1][s-rank]
			}
		}
	}
	return ways[n][least:]
}
