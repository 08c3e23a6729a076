package verdict

import (
	"errors"
	"fmt"
	"math"

	"streamgate/helpers/stats"
)

// power is how likely an effect called detectable is found: 9 of 10 runs.
const power = 0.9

// impossible is the efficiency above which the link, not OpenSearch, must be
// wrong. Calibration lets the rate be 5 % off, so 1 itself is too strict.
const impossible = 1.05

// Judge answers every claim from the samples of a run, whose order does not
// matter, and gives the worst answer as the verdict. An error means that the
// question or the record makes no sense: a malformed claim or plan, two
// recoveries of one arm in one round, a hole in the rounds, a time of zero.
func Judge(samples []Sample, claims []Claim, looks Looks) (Verdict, error) {
	if err := checkQuestion(claims, looks); err != nil {
		return Verdict{}, fmt.Errorf("judge recoveries: %w", err)
	}
	recorded, err := tabulate(samples, claims)
	if err != nil {
		return Verdict{}, fmt.Errorf("judge recoveries: %w", err)
	}
	verdict := Verdict{
		SchemaVersion: SchemaVersion, Rounds: len(recorded.rounds), Looks: looks,
		Outcome: Pass, Complete: true, Reasons: []string{},
	}
	for _, sample := range recorded.invalid {
		verdict.Outcome = Invalid
		verdict.Reasons = append(verdict.Reasons, sample.words())
	}
	for _, claim := range claims {
		result, err := judgeClaim(claim, recorded, looks)
		if err != nil {
			return Verdict{}, fmt.Errorf("judge recoveries: %w", err)
		}
		verdict.Outcome = Worst(verdict.Outcome, result.Outcome)
		verdict.Complete = verdict.Complete && result.Final
		verdict.Claims = append(verdict.Claims, result)
		verdict.Reasons = append(verdict.Reasons, result.Reason)
	}
	// Whatever the other claims would still have said, invalid stays invalid.
	verdict.Complete = verdict.Complete || verdict.Outcome == Invalid
	if !verdict.Complete {
		verdict.Reasons = append(verdict.Reasons, incompleteWords(verdict.Rounds, looks))
	}
	verdict.ExitCode = verdict.Outcome.ExitCode()
	return verdict, nil
}

func checkQuestion(claims []Claim, looks Looks) error {
	if err := looks.Validate(); err != nil {
		return err
	}
	if len(claims) == 0 {
		return errors.New("no claims")
	}
	names := map[string]bool{}
	for _, claim := range claims {
		if err := claim.Validate(); err != nil {
			return err
		}
		if names[claim.Name] {
			return fmt.Errorf("two claims are named %q", claim.Name)
		}
		names[claim.Name] = true
	}
	return nil
}

// judgeClaim looks at one claim, look after look, until one decides.
func judgeClaim(claim Claim, recorded table, looks Looks) (Result, error) {
	result := Result{Claim: claim, Confidence: significant(1 - looks.Alpha), Hints: []string{}}
	if reason := unanswerable(claim, recorded); reason != "" {
		result.Outcome, result.Final, result.Reason = Invalid, true, reason
		return result, nil
	}
	values := make([]float64, len(recorded.rounds))
	for i, round := range recorded.rounds {
		values[i] = claim.logarithm(round)
	}
	result.Outcome = Inconclusive
	if len(values) > 0 && len(values) < looks.Rounds[0] {
		if err := result.measure(values, looks.alpha()); err != nil {
			return Result{}, err
		}
		// Bounds outside the plan would be one more look.
		result.Lower, result.Upper, result.Detectable = nil, nil, nil
	}
	for _, look := range looks.Rounds {
		if look > len(values) {
			break
		}
		if err := result.measure(values[:look], looks.alpha()); err != nil {
			return Result{}, err
		}
		result.Outcome = result.decide()
		if result.Outcome != Inconclusive {
			break
		}
	}
	result.Final = result.Outcome != Inconclusive || len(values) >= looks.Last()
	if result.Outcome == Inconclusive && result.Final && result.Lower != nil {
		result.countRounds(looks.alpha())
	}
	result.explain(looks)
	return result, nil
}

// unanswerable says why no number can answer the claim, "" when one can.
func unanswerable(claim Claim, recorded table) string {
	if err := claim.Showable(); err != nil {
		return err.Error()
	}
	for _, sample := range recorded.invalid {
		if claim.needs(sample.Arm) {
			return claim.Name + ": not judged, " + sample.words()
		}
	}
	for i, round := range recorded.rounds {
		for _, term := range claim.Terms {
			if !(round[term.Arm][claim.Clock] > 0) {
				return fmt.Sprintf("%s: not judged, the download of round %d, arm %s, was not seen", claim.Name, i+1, term.Arm)
			}
		}
	}
	return ""
}

// measure fills in the numbers of a look.
func (r *Result) measure(values []float64, alpha float64) error {
	sample, err := stats.New(values)
	if err != nil {
		return fmt.Errorf("measure %s: %w", r.Claim.Name, err)
	}
	r.Rounds = sample.N()
	r.Estimate = rounded(math.Exp(sample.HodgesLehmann()))
	if r.Rounds > 1 {
		r.Scatter = rounded(math.Expm1(sample.StandardDeviation()))
	}
	if r.Claim.BestPossible != 0 {
		r.OfBest = rounded(*r.Estimate / r.Claim.BestPossible)
	}
	lower, ok := sample.Lower(alpha)
	if !ok {
		return nil
	}
	upper, _ := sample.Upper(alpha)
	r.Lower, r.Upper = rounded(math.Exp(lower.Value)), rounded(math.Exp(upper.Value))
	effect, _ := stats.DetectableEffect(sample.N(), sample.StandardDeviation(), alpha, power)
	if r.Claim.Direction == AtLeast {
		effect = -effect
	}
	r.Detectable = rounded(math.Abs(math.Expm1(effect)))
	return nil
}

// decide compares the bounds with the limit. Both bounds on the right side is
// the same as the nearer one on the right side.
func (r *Result) decide() Outcome {
	if r.Lower == nil {
		return Inconclusive
	}
	lower, upper := r.Claim.holds(*r.Lower), r.Claim.holds(*r.Upper)
	switch {
	case r.Claim.BestSeconds != 0 && *r.Lower > impossible:
		return Invalid
	case lower && upper:
		return Pass
	case !lower && !upper:
		return Fail
	}
	return Inconclusive
}

// countRounds says how many rounds would tell the estimate from the limit. It
// is more than there were, whatever the formula says: those did not do.
func (r *Result) countRounds(alpha float64) {
	distance := math.Log(*r.Estimate / r.Claim.Limit)
	if rounds, ok := stats.RoundsNeeded(distance, math.Log1p(*r.Scatter), alpha, power); ok {
		rounds = max(rounds, r.Rounds+1)
		r.RoundsNeeded = &rounds
	}
}

func rounded(x float64) *float64 {
	x = significant(x)
	return &x
}
