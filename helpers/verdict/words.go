package verdict

import (
	"fmt"
	"strconv"

	"streamgate/helpers/stats"
)

// sameTime is the speed-up below which two arms take about the same time.
const sameTime = 1.2

// nearBest is the share of the best possible value above which the corpus and
// the link, and not OpenSearch, are what holds a speed-up back.
const nearBest = 0.8

func (d Direction) words() string {
	if d == AtMost {
		return "at most"
	}
	return "at least"
}

// explain fills in the reason and the hints.
func (r *Result) explain(looks Looks) {
	demanded := fmt.Sprintf("%s: demanded %s %s, ", r.Claim.Name, r.Claim.Direction.words(), plain(r.Claim.Limit))
	if r.Estimate == nil {
		r.Reason = demanded + "nothing measured: no complete round"
		return
	}
	r.Reason = demanded + "measured " + r.measuredWords() + ": " + r.outcomeWords(looks)
	r.Hints = append(r.Hints, r.hints()...)
}

// measuredWords is the estimate with its interval, in as many digits as it
// takes to tell each number from the limit.
func (r *Result) measuredWords() string {
	if r.Lower == nil {
		return fmt.Sprintf("%s (no interval, %s)", figures(r.Claim.Limit, *r.Estimate)[0], countWords(r.Rounds))
	}
	numbers := figures(r.Claim.Limit, *r.Estimate, *r.Lower, *r.Upper)
	return fmt.Sprintf("%s (%s to %s, %s)", numbers[0], numbers[1], numbers[2], countWords(r.Rounds))
}

func (r *Result) outcomeWords(looks Looks) string {
	switch r.Outcome {
	case Pass:
		return "passes"
	case Fail:
		return "fails"
	case Invalid:
		return "invalid, faster than the link allows"
	}
	if r.Lower == nil {
		return fmt.Sprintf("inconclusive, %s cannot decide, at least %d are needed", countWords(r.Rounds), leastRounds(looks))
	}
	if !r.Final {
		look, _ := looks.after(r.Rounds)
		return fmt.Sprintf("inconclusive so far, the next look is at %d rounds", look)
	}
	needed := fmt.Sprintf("more than %d rounds", stats.MaxPairs)
	if r.RoundsNeeded != nil {
		needed = fmt.Sprintf("about %d rounds", *r.RoundsNeeded)
	}
	return fmt.Sprintf("inconclusive, %.1f %% off the limit would have been found in 9 of 10 runs; to tell the measured value from the limit takes %s",
		100**r.Detectable, needed)
}

// leastRounds is the first number of rounds that could have decided: the first
// look that has enough, or what one look needs when the plan has none.
func leastRounds(looks Looks) int {
	least := stats.MinPairs(looks.alpha())
	for _, look := range looks.Rounds {
		if look >= least {
			return look
		}
	}
	return least
}

// hints say what to look at first; a pass needs none.
func (r *Result) hints() []string {
	switch {
	case r.Outcome == Invalid:
		return []string{"look first at the link: is it shaped as calibrated, and did the files really pass it?"}
	case r.Outcome == Inconclusive && r.Lower != nil:
		return []string{fmt.Sprintf("the rounds scatter by %.1f %%: look first at what else ran on the machine, then at the rounds that stand out", 100**r.Scatter)}
	case r.Outcome != Fail || r.Claim.Direction == AtMost:
		return nil
	case r.Claim.BestSeconds != 0:
		return []string{fmt.Sprintf("the download of %s took %s times its best possible time: look first at the streams really used, then at the CPU of the host",
			r.Claim.Terms[0].Arm, shorten(1 / *r.Estimate, 2))}
	case len(r.Claim.Terms) != 2:
		return []string{"look first at which arm's time moved: the times per round and arm tell whether the candidate got slower or its base faster"}
	case r.Claim.Limit <= 1:
		return []string{"the arm is slower than the claim allows: look first at the streams it really used, then at the bytes-over-time curves of both arms"}
	case *r.Upper < sameTime:
		return []string{"the arms take about the same time: look first at indices.recovery.max_bytes_per_sec (at its default it holds every arm back), then at the streams each arm really used"}
	case r.OfBest != nil && *r.OfBest >= nearBest:
		return []string{fmt.Sprintf("%.0f %% of the best possible %s is reached: look first at the number of files and the largest one",
			100**r.OfBest, plain(significant(r.Claim.BestPossible)))}
	}
	return []string{"look first at the streams really used (setting, remote_recovery pool, number of files), then at the bytes-over-time curves of both arms, then at the CPU of the host"}
}

func incompleteWords(rounds int, looks Looks) string {
	look, _ := looks.after(rounds)
	return fmt.Sprintf("incomplete: %s recorded, the next look is at %d", countWords(rounds), look)
}

func countWords(rounds int) string {
	if rounds == 1 {
		return "1 round"
	}
	return fmt.Sprintf("%d rounds", rounds)
}

// figures writes numbers with three significant digits, or with as many as it
// takes, up to six, so that none that differs from the limit looks like it.
func figures(limit float64, numbers ...float64) []string {
	words := make([]string, len(numbers))
	for digits := 3; digits <= 6; digits++ {
		distinct := true
		for i, number := range numbers {
			words[i] = shorten(number, digits)
			if number != limit && words[i] == shorten(limit, digits) {
				distinct = false
			}
		}
		if distinct {
			break
		}
	}
	return words
}

// shorten rounds to significant digits and writes the number.
func shorten(x float64, digits int) string { return plain(round(x, digits)) }

// significant rounds to six significant digits.
func significant(x float64) float64 { return round(x, 6) }

// round goes through the decimal form, so that the result is the float64
// nearest to the printed digits, on every platform.
func round(x float64, digits int) float64 {
	short, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', digits, 64), 64)
	if err != nil {
		// Only a number at the end of the range can round out of it.
		return x
	}
	return short
}

// plain writes a number without an exponent and without needless zeros.
func plain(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
