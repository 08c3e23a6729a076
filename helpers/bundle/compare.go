package bundle

import (
	"math"
	"slices"

	"streamgate/helpers/recovery"
	"streamgate/helpers/verdict"
)

// Difference is one condition in which two runs differ.
type Difference struct {
	Condition string
	A, B      string
}

// Change is how much a number moved from one run to the other.
type Change struct {
	Name string
	// A and B are the medians of both runs: seconds of an arm, or a claim's quantity.
	A, B float64
	// Shift is the factor from A to B, see Shift.
	Shift Shift
}

// Comparison is what can be said about two runs.
type Comparison struct {
	// Unlike are the conditions that must be the same and are not. With any of them there
	// are no changes: numbers of unlike runs are not compared.
	Unlike []Difference
	// Noted are the conditions that may differ, and do: what is compared, usually.
	Noted []Difference
	// Times are by arm, Ratios by claim.
	Times  []Change
	Ratios []Change
}

// Compare holds run b against run a. Rounds of different runs are no pairs, so the changes
// are those of two independent samples.
func Compare(a, b Run) Comparison {
	comparison := Comparison{Unlike: unlike(a, b), Noted: noted(a, b)}
	if len(comparison.Unlike) > 0 {
		return comparison
	}
	for _, arm := range a.Environment.Arms {
		comparison.add(&comparison.Times, arm.Name, Seconds(a.Recoveries, arm.Name), Seconds(b.Recoveries, arm.Name))
	}
	for _, claim := range a.Environment.Claims {
		other := claimNamed(b.Environment.Claims, claim.Name)
		comparison.add(&comparison.Ratios, claim.Quantity, numbers(Values(claim, a.Recoveries)), numbers(Values(other, b.Recoveries)))
	}
	return comparison
}

func (c *Comparison) add(to *[]Change, name string, a, b []float64) {
	if len(a) == 0 || len(b) == 0 {
		return
	}
	*to = append(*to, Change{Name: name, A: Median(a), B: Median(b), Shift: NewShift(a, b)})
}

// claimNamed finds the claim; unlike has made sure that it is there.
func claimNamed(claims []verdict.Claim, name string) verdict.Claim {
	return claims[slices.IndexFunc(claims, func(c verdict.Claim) bool { return c.Name == name })]
}

// Seconds are the judged times of an arm's valid recoveries, without warm-ups.
func Seconds(recoveries []recovery.Recovery, arm string) []float64 {
	var seconds []float64
	for _, r := range recoveries {
		if !r.WarmUp && len(r.Invalid) == 0 && r.Arm.Name == arm {
			seconds = append(seconds, r.Total.Seconds())
		}
	}
	return seconds
}

func numbers(values []Value) []float64 {
	list := make([]float64, len(values))
	for i, value := range values {
		list[i] = value.Value
	}
	return list
}

// Median is the middle number, or the mean of the two in the middle; NaN without any.
func Median(list []float64) float64 {
	sorted := slices.Sorted(slices.Values(list))
	n := len(sorted)
	switch {
	case n == 0:
		return math.NaN()
	case n%2 == 1:
		return sorted[n/2]
	}
	return sorted[n/2-1]/2 + sorted[n/2]/2
}
