package verdict

import (
	"fmt"
	"strings"
)

// Step says how a run goes on after a round.
type Step struct {
	// Final is true when the answer is final: stop measuring.
	Final bool
	// Rounds is the number of rounds to have at the next look, or the number
	// there is when the answer is final.
	Rounds int
	// Reason is one line on why.
	Reason string
}

// Next is asked between rounds. It goes on while any claim is open, even when
// another one has failed already, because a run answers all its claims; it
// stops at once when the verdict can only be invalid. Without samples it says
// whether to begin at all. Errors are those of Judge.
func Next(samples []Sample, claims []Claim, looks Looks) (Step, error) {
	verdict, err := Judge(samples, claims, looks)
	if err != nil {
		return Step{}, err
	}
	if verdict.Complete {
		return Step{Final: true, Rounds: verdict.Rounds, Reason: fmt.Sprintf("the answer is final: %s", verdict.Outcome)}, nil
	}
	var open []string
	for _, result := range verdict.Claims {
		if !result.Final {
			open = append(open, result.Claim.Name)
		}
	}
	look, _ := looks.after(verdict.Rounds)
	return Step{Rounds: look, Reason: fmt.Sprintf("open after %s: %s; next look at %d rounds",
		countWords(verdict.Rounds), strings.Join(open, ", "), look)}, nil
}
