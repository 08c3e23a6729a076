package bundle

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"streamgate/helpers/recovery"
	"streamgate/helpers/verdict"
)

// Judge gives the verdict of a run from what its bundle holds, and from nothing else: the
// test that measured and `streamgate judge` both call it. A link that is not the nominal
// one, a download that was faster than its connections and a warm-up whose proof failed make the
// verdict invalid, whatever the rounds say; what could not be proven where it
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
	for _, r := range slices.Backward(recoveries) {
		if r.WarmUp && len(r.Invalid) > 0 {
			invalidate(&result, fmt.Sprintf("warm-up, arm %s is invalid: %s", r.Arm.Name, strings.Join(r.Invalid, "; ")))
		}
		if fault := tooFast(environment, r); fault != "" && len(r.Invalid) == 0 {
			invalidate(&result, fmt.Sprintf("%s, arm %s is invalid: %s", placeOf(r), r.Arm.Name, fault))
		}
	}
	if faults := environment.LinkFaults(); len(faults) > 0 {
		invalidate(&result, faults...)
	}
	return result, nil
}

// placeOf is where in a run a recovery stands, in words.
func placeOf(r recovery.Recovery) string {
	if r.WarmUp {
		return "warm-up"
	}
	return fmt.Sprintf("round %d", r.Round)
}

// invalidate makes a verdict invalid, with the reasons before those that it has.
func invalidate(v *verdict.Verdict, reasons ...string) {
	v.Outcome = verdict.Worst(v.Outcome, verdict.Invalid)
	v.ExitCode = v.Outcome.ExitCode()
	// No further round mends it, so no word of the next look either.
	if !v.Complete {
		v.Complete, v.Reasons = true, v.Reasons[:len(v.Reasons)-1]
	}
	v.Reasons = append(slices.Clone(reasons), v.Reasons...)
}

// Samples are the recoveries as helpers/verdict wants them, without warm-ups.
func Samples(recoveries []recovery.Recovery) []verdict.Sample {
	var samples []verdict.Sample
	for _, r := range recoveries {
		if !r.WarmUp {
			samples = append(samples, verdict.Sample{Round: r.Round, Arm: r.Arm.Name, Time: r.Total, Download: r.Download, Invalid: r.Invalid})
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
		seconds[r.Round][r.Arm.Name] = timeOf(r, claim.Clock).Seconds()
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

// timeOf is the time of a recovery that a clock stands for.
func timeOf(r recovery.Recovery, clock verdict.Clock) time.Duration {
	if clock == verdict.Download {
		return r.Download
	}
	return r.Total
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
