// Package stats says what paired measurements show, with exact small-sample
// methods and without assuming a normal distribution.
//
// A run has six to twelve rounds, recovery times have a long tail, and one
// number per round (a logarithm of a ratio of times) is all there is. The
// methods are those for one sample of symmetric differences: the
// Hodges–Lehmann estimate and the Wilcoxon signed-rank test with its exact
// distribution. They are described in Hollander, Wolfe and Chicken,
// "Nonparametric Statistical Methods", 3rd edition 2014, sections 3.1 (test),
// 3.2 (estimate) and 3.3 (bounds), cited below as HWC.
//
// What they assume: rounds are independent, and the differences are symmetric
// about the true value. The difference of two arms with the same kind of noise
// is symmetric whatever that noise looks like, because swapping the arms only
// turns the sign.
//
// golang.org/x/perf/benchmath, and the go-moremath library under it, are not
// used here: they have the U test for two unpaired samples and sign-test
// intervals of a median, but neither pairs nor the signed-rank distribution.
// Pairing by round is what removes the slow drift of a shared machine.
//
// What does not belong here: arms, claims, limits, looks, words for people.
// Those are helpers/verdict.
package stats

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// MaxPairs is the most differences a sample may hold. Up to here every count
// of the exact distribution (at most 2^60) fits an integer without rounding.
const MaxPairs = 60

// tieTolerance is the distance below which two differences are the same
// number. Differences are logarithms of measured times: the clock's
// millisecond moves them by 1e-5 or more, rounding by some 1e-15.
const tieTolerance = 1e-12

// Sample holds the paired differences of a run, one per round. Make it with
// New; it does not change afterwards.
type Sample struct {
	differences []float64
	walsh       []float64
}

// New makes a sample of 1 to MaxPairs finite differences. The slice is copied.
func New(differences []float64) (Sample, error) {
	if len(differences) == 0 {
		return Sample{}, errors.New("make sample: no differences")
	}
	if len(differences) > MaxPairs {
		return Sample{}, fmt.Errorf("make sample: %d differences, allowed are at most %d", len(differences), MaxPairs)
	}
	for i, d := range differences {
		if math.IsNaN(d) || math.IsInf(d, 0) {
			return Sample{}, fmt.Errorf("make sample: difference %d is %g, allowed are finite numbers", i+1, d)
		}
	}
	own := slices.Clone(differences)
	return Sample{differences: own, walsh: walshAverages(own)}, nil
}

// N is the number of differences.
func (s Sample) N() int { return len(s.differences) }

// HodgesLehmann is the median of all Walsh averages (HWC 3.2): the shift that,
// taken off every difference, makes the signed-rank test see nothing. Nearly
// three in ten rounds may be wild before it breaks; a mean breaks at one.
func (s Sample) HodgesLehmann() float64 {
	middle := len(s.walsh) / 2
	if len(s.walsh)%2 == 1 {
		return s.walsh[middle]
	}
	return s.walsh[middle-1]/2 + s.walsh[middle]/2
}

// StandardDeviation is the usual estimate with n-1 in the denominator, 0 for a
// single difference.
func (s Sample) StandardDeviation() float64 {
	n := float64(len(s.differences))
	if n < 2 {
		return 0
	}
	var mean float64
	for _, d := range s.differences {
		mean += d / n
	}
	var squares float64
	for _, d := range s.differences {
		squares += (d - mean) * (d - mean)
	}
	return math.Sqrt(squares / (n - 1))
}

// walshAverages returns (d[i]+d[j])/2 for all i <= j, in rising order.
func walshAverages(differences []float64) []float64 {
	n := len(differences)
	averages := make([]float64, 0, n*(n+1)/2)
	for i, a := range differences {
		for _, b := range differences[i:] {
			averages = append(averages, a/2+b/2)
		}
	}
	slices.Sort(averages)
	return averages
}
