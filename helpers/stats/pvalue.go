package stats

import (
	"cmp"
	"math"
	"slices"
)

// PGreater is the exact one-sided p-value for "the true value is greater than
// null": the chance of a T+ at least as large as seen if null were true.
//
// A difference equal to null says nothing about the direction; it is dropped
// and n with it, as Wilcoxon did (HWC 3.1; Conover, "Practical Nonparametric
// Statistics", 3rd edition 1999, section 5.7). Tied absolute differences share
// their mid-rank, and the distribution is the conditional one given those
// ranks, counted, not the approximation of the tables (HWC 3.1, on ties).
// When nothing is left the p-value is 1.
func (s Sample) PGreater(null float64) float64 {
	positive, distribution := s.signedRanks(null)
	// Turning every sign turns T+ into total - T+ and is equally likely.
	total := float64(len(distribution.cumulative)-1) / 2
	return distribution.AtMost(total - positive)
}

// PLess is the exact one-sided p-value for "the true value is less than null",
// with ties and zeros treated as in PGreater.
func (s Sample) PLess(null float64) float64 {
	positive, distribution := s.signedRanks(null)
	return distribution.AtMost(positive)
}

// signedRanks ranks the absolute distances from null and returns T+ and
// its distribution given the ranks.
func (s Sample) signedRanks(null float64) (positive float64, distribution Distribution) {
	distances := make([]float64, 0, len(s.differences))
	for _, d := range s.differences {
		if math.Abs(d-null) > tieTolerance {
			distances = append(distances, d-null)
		}
	}
	slices.SortFunc(distances, func(a, b float64) int {
		return cmp.Compare(math.Abs(a), math.Abs(b))
	})
	doubled := doubledMidRanks(distances)
	doubledPositive := 0
	for i, distance := range distances {
		if distance > 0 {
			doubledPositive += doubled[i]
		}
	}
	return float64(doubledPositive) / 2, count(doubled)
}

// doubledMidRanks returns twice the mid-rank of each distance; the distances
// come in rising absolute order. A group of ties from rank a to rank b has the
// mid-rank (a+b)/2.
func doubledMidRanks(distances []float64) []int {
	doubled := make([]int, len(distances))
	for first := 0; first < len(distances); {
		last := first
		for last+1 < len(distances) && math.Abs(distances[last+1])-math.Abs(distances[last]) <= tieTolerance {
			last++
		}
		for i := first; i <= last; i++ {
			doubled[i] = (first + 1) + (last + 1)
		}
		first = last + 1
	}
	return doubled
}
