package verdict

// Outcome is the word of a verdict or of one claim.
type Outcome string

// The outcomes there are.
const (
	// Pass means that every claim holds.
	Pass Outcome = "pass"
	// Fail means that a claim does not hold.
	Fail Outcome = "fail"
	// Inconclusive means that the rounds do not tell.
	Inconclusive Outcome = "inconclusive"
	// Invalid means that what was measured is not what was asked about.
	Invalid Outcome = "invalid"
)

// outcomes rise in severity; an outcome's place decides which one wins.
var outcomes = []struct {
	word     Outcome
	exitCode int
}{
	{Pass, 0},
	{Inconclusive, 3},
	{Fail, 1},
	{Invalid, 4},
}

// ExitCode is what a process ends with: pass 0, fail 1, inconclusive 3,
// invalid 4. It leaves out 2, which is what Go itself ends with after a panic
// and what commands use for a wrong call: neither may look like an answer. An
// unknown word counts as invalid.
func (o Outcome) ExitCode() int { return outcomes[o.severity()].exitCode }

// Worst is the outcome that decides over several: invalid before fail before
// inconclusive before pass. Without any outcome nothing was shown: invalid.
func Worst(of ...Outcome) Outcome {
	if len(of) == 0 {
		return Invalid
	}
	worst := 0
	for _, outcome := range of {
		worst = max(worst, outcome.severity())
	}
	return outcomes[worst].word
}

func (o Outcome) severity() int {
	for severity, outcome := range outcomes {
		if outcome.word == o {
			return severity
		}
	}
	return len(outcomes) - 1
}
