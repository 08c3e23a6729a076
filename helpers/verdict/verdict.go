// Package verdict decides what a run has shown: recoveries and claims go in,
// pass, fail, inconclusive or invalid come out, with reasons in plain words.
//
// # The rule
//
// A claim is about a product of powers of the arms' times, for a speed-up
// time(base)/time(arm). Every round gives one value of it. At each planned
// look, after 6, 9 and 12 rounds, the Hodges–Lehmann estimate and the exact
// one-sided bounds of helpers/stats are taken over all rounds so far, at
// alpha/3 with alpha = 0.05:
//
//   - the bounds lie on the right side of the limit, or on it: pass;
//   - the bounds lie on the wrong side: fail;
//   - neither: go on to the next look, after the last one inconclusive.
//
// The first look that decides a claim has decided it; later rounds, measured
// for other claims, do not change it. Three looks at a third of alpha each
// (Bonferroni) keep the chance of a false pass and that of a false fail at
// most alpha, however the looks depend on each other.
//
// What they find, when every recovery scatters by 5 %: a speed-up that lost a
// tenth fails in 99 % of runs, one whose arm takes a tenth longer (a loss of
// 9.1 %) in 97 %. A claim on two speed-ups has twice the variance and needs
// quieter rounds: it finds a loss of a tenth in 86 %. All this is simulated.
//
// The errors hold for each claim. A false pass of the whole verdict is no likelier
// than that, because all claims must pass; a false fail of the whole can reach
// alpha times the number of claims, so claims should be few.
//
// A claim's value must scatter symmetrically about the truth on a log scale.
// For ratios of arms with alike noise it always does. For an efficiency the
// truth meant is the pseudo-median of the arm's own times, and when a tenth of
// the recoveries of only one arm are far too slow, the false fails reach some
// 6 %: such an arm deserves a look, not a wider bound.
//
// # What is never done
//
// An invalid recovery is neither dropped nor replaced: the verdict is invalid
// and says why. Nothing is rerun, and no bound moves. Numbers are rounded to
// six significant digits before they are compared with the limit, so the
// numbers in the verdict are those that decided, and the last bit of a
// logarithm never does.
//
// What does not belong here: measuring, proofs of a recovery (they arrive as
// words in Sample.Invalid), files, rendering, containers, testing.
package verdict

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// SchemaVersion is the version of the JSON form of a Verdict. It changes when
// a field changes its meaning or goes away.
const SchemaVersion = 1

// Verdict is the answer of a run. The same recoveries, claims and looks always
// give the same bytes, see JSON.
type Verdict struct {
	SchemaVersion int     `json:"schema_version"`
	Outcome       Outcome `json:"outcome"`
	ExitCode      int     `json:"exit_code"`
	// Complete is true when no further round could change the answer: every
	// claim is decided or has had its last look, or the verdict is invalid.
	Complete bool `json:"complete"`
	// Rounds counts the rounds in which every claimed arm has a recovery.
	Rounds int   `json:"rounds"`
	Looks  Looks `json:"looks"`
	// Reasons are one line each, the most important first.
	Reasons []string `json:"reasons"`
	Claims  []Result `json:"claims"`
	// Unproven is what nobody could look at where it was measured, one line each. Judge leaves
	// it empty: whoever knows the place fills it in. It does not change the outcome, and goes
	// wherever the outcome goes, see Words.
	Unproven []string `json:"unproven,omitempty"`
}

// Words is the outcome as a reader is to take it: "pass", or "pass, as far as proven".
func (v Verdict) Words() string {
	if len(v.Unproven) == 0 {
		return string(v.Outcome)
	}
	return string(v.Outcome) + ", as far as proven"
}

// Result is the answer to one claim. Numbers that do not exist are absent:
// there are no bounds before the first look, and no numbers at all when a
// recovery of the claim is invalid.
type Result struct {
	Claim   Claim   `json:"claim"`
	Outcome Outcome `json:"outcome"`
	// Final is true when further rounds would not change this answer.
	Final bool `json:"final"`
	// Estimate, Lower and Upper are values of the claim's quantity, for a
	// speed-up the factor.
	Estimate *float64 `json:"estimate,omitempty"`
	Lower    *float64 `json:"lower,omitempty"`
	Upper    *float64 `json:"upper,omitempty"`
	// Confidence is that of each bound, one-sided, over all looks together.
	Confidence float64 `json:"confidence"`
	// Rounds is the number of rounds the numbers are made of: those up to the
	// look that decided.
	Rounds int `json:"rounds"`
	// Scatter is the standard deviation of the rounds' values as a share, 0.05
	// for 5 %.
	Scatter *float64 `json:"scatter,omitempty"`
	// OfBest is Estimate divided by the best possible value.
	OfBest *float64 `json:"of_best,omitempty"`
	// Detectable is the smallest distance from the limit, as a share of it and
	// on its wrong side, that this look finds in 9 of 10 runs.
	Detectable *float64 `json:"detectable,omitempty"`
	// RoundsNeeded is how many rounds would tell the estimate from the limit
	// in 9 of 10 runs, when the last look could not; absent above 60.
	RoundsNeeded *int `json:"rounds_needed,omitempty"`
	// Reason is one line that begins with the claim's name.
	Reason string `json:"reason"`
	// Hints say what to look at first.
	Hints []string `json:"hints"`
}

// JSON is the verdict as indented JSON with a newline at its end, the content
// of verdict.json.
func (v Verdict) JSON() ([]byte, error) {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(v); err != nil {
		return nil, fmt.Errorf("encode verdict: %w", err)
	}
	return buffer.Bytes(), nil
}
