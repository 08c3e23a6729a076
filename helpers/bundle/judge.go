package bundle

import (
	"fmt"
	"math"
	"slices"

	"streamgate/helpers/recovery"
	"streamgate/helpers/verdict"
)

// Judge gives the verdict of a run from what its bundle holds, and from nothing else: the
// test that measured and `streamgate judge` both call it. A link that is not the nominal
// one makes the verdict invalid, whatever the rounds say; what could not be proven where it
// was measured goes with the verdict and does not change its word. An error means that the record
// contradicts itself.
func Judge(environment Environment, recoveries []recovery.Recovery) (verdict.Verdict, error) {
	if err := check(environment, recoveries); err != nil {
		return verdict.Verdict{}, err
	}
	result, err := verdict.Judge(Samples(recoveries), environment.Claims, environment.Looks)
	if err != nil {
		return verdict.Verdict{}, err
	}
	result.Unproven = environment.Unproven
	if faults := environment.LinkFaults(); len(faults) > 0 {
		result.Outcome = verdict.Worst(result.Outcome, verdict.Invalid)
		result.ExitCode = result.Outcome.ExitCode()
		// No further round mends the link, so no word of the next look either.
		if !result.Complete {
			result.Complete, result.Reasons = true, result.Reasons[:len(result.Reasons)-1]
		}
		result.Reasons = append(slices.Clone(faults), result.Reasons...)
	}
	return result, nil
}

// Samples are the recoveries as helpers/verdict wants them, without warm-ups.
func Samples(recoveries []recovery.Recovery) []verdict.Sample {
	var samples []verdict.Sample
	for _, r := range recoveries {
		if !r.WarmUp {
			samples = append(samples, verdict.Sample{Round: r.Round, Arm: r.Arm.Name, Time: r.Total, Invalid: r.Invalid})
		}
	}
	return samples
}

// Value is what a claim's quantity was in one round.
type Value struct {
	Round int
	Value float64
}

// Values are a claim's values of all rounds in which each of its arms has a valid
// recovery, by round.
func Values(claim verdict.Claim, recoveries []recovery.Recovery) []Value {
	seconds := map[int]map[string]float64{}
	last := 0
	for _, r := range recoveries {
		if r.WarmUp || len(r.Invalid) > 0 {
			continue
		}
		if seconds[r.Round] == nil {
			seconds[r.Round] = map[string]float64{}
		}
		seconds[r.Round][r.Arm.Name] = r.Total.Seconds()
		last = max(last, r.Round)
	}
	var values []Value
	for round := 1; round <= last; round++ {
		if value, ok := valueOf(claim, seconds[round]); ok {
			values = append(values, Value{round, value})
		}
	}
	return values
}

func valueOf(claim verdict.Claim, seconds map[string]float64) (float64, bool) {
	value := 1.0
	if claim.BestSeconds != 0 {
		value = claim.BestSeconds
	}
	for _, term := range claim.Terms {
		time, ok := seconds[term.Arm]
		if !ok || time <= 0 {
			return 0, false
		}
		value *= math.Pow(time, float64(term.Power))
	}
	return value, true
}

// rounds is a number of rounds in words.
func rounds(n int) string {
	if n == 1 {
		return "1 round"
	}
	return fmt.Sprintf("%d rounds", n)
}
