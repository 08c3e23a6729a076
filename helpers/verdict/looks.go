package verdict

import (
	"fmt"
	"slices"

	"streamgate/helpers/stats"
)

// Looks is the plan of a run: after which rounds the claims are looked at, and
// how often a claim may be answered wrongly. It is fixed before the first
// round; looking whenever it suits would raise the errors.
type Looks struct {
	// Rounds are the numbers of rounds, rising; the last one ends the run.
	Rounds []int `json:"rounds"`
	// Alpha is the chance of a false pass and that of a false fail of one
	// claim, over all looks. Every look gets an equal share.
	Alpha float64 `json:"alpha"`
}

// DefaultLooks looks at 6, 9 and 12 rounds with alpha 0.05. Six is the first
// number that can decide at 0.05/3, and then all six rounds must agree.
func DefaultLooks() Looks { return Looks{Rounds: []int{6, 9, 12}, Alpha: 0.05} }

// LooksUpTo is the plan for a run of at most rounds rounds, 1 to 60: the
// default looks cut off there, and for more than 12 rounds looks at a half,
// three quarters and the whole. A plan of fewer than five rounds is allowed;
// its verdict can only be inconclusive or invalid.
func LooksUpTo(rounds int) (Looks, error) {
	looks := DefaultLooks()
	if rounds > looks.Last() {
		looks.Rounds = []int{rounds / 2, rounds * 3 / 4, rounds}
	} else {
		looks.Rounds = slices.DeleteFunc(looks.Rounds, func(look int) bool { return look >= rounds })
		looks.Rounds = append(looks.Rounds, rounds)
	}
	return looks, looks.Validate()
}

// Validate says what is wrong with a plan.
func (l Looks) Validate() error {
	if len(l.Rounds) == 0 {
		return fmt.Errorf("check looks: no looks")
	}
	if !(l.Alpha > 0 && l.Alpha < 0.5) {
		return fmt.Errorf("check looks: alpha is %g, allowed is more than 0 and less than 0.5", l.Alpha)
	}
	previous := 0
	for _, look := range l.Rounds {
		if look <= previous || look > stats.MaxPairs {
			return fmt.Errorf("check looks: rounds are %v, allowed are rising numbers from 1 to %d", l.Rounds, stats.MaxPairs)
		}
		previous = look
	}
	return nil
}

// Last is the number of rounds after which there is no further look.
func (l Looks) Last() int { return l.Rounds[len(l.Rounds)-1] }

// alpha is the share of one look.
func (l Looks) alpha() float64 { return l.Alpha / float64(len(l.Rounds)) }

// after is the first look that comes after so many rounds.
func (l Looks) after(rounds int) (look int, ok bool) {
	for _, look := range l.Rounds {
		if look > rounds {
			return look, true
		}
	}
	return 0, false
}
