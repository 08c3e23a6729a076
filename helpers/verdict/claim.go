package verdict

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"
)

// Direction says on which side of its limit a claim wants to be.
type Direction string

// The two directions.
const (
	// AtLeast wants the quantity at the limit or above.
	AtLeast Direction = "at-least"
	// AtMost wants the quantity at the limit or below.
	AtMost Direction = "at-most"
)

// A claim is bounded so that no value of it can leave the range of a float64:
// a difference of two speed-ups has four terms, and an arm in both parts of it
// has power 2.
const (
	maxTerms = 8
	maxPower = 2
	minValue = 1e-9
	maxValue = 1e9
)

// Term is one arm's time, raised to a power: 1 above the line of a fraction,
// -1 below it.
type Term struct {
	Arm   string `json:"arm"`
	Power int    `json:"power"`
}

// Clock says which time of a recovery a claim is about.
type Clock string

// The two clocks.
const (
	// Total is the time of the whole recovery, as the recovery API counts it.
	Total Clock = ""
	// Download is the time in which the bytes came from the store. What lies before and after it
	// (metadata, peer phase, translog, finalize) takes the same third of a second at any size, and
	// longer on a slow processor; neither is the link's, nor the streams'.
	Download Clock = "download"
)

// Claim is what must hold: a product of powers of the arms' times is at least,
// or at most, a limit. On a log scale that is a contrast, a weighted sum of
// logarithms, one value per round. The constructors make the usual ones.
type Claim struct {
	Name string `json:"name"`
	// Quantity says in words what is judged: "speed-up of multi over single".
	Quantity  string    `json:"quantity"`
	Direction Direction `json:"direction"`
	Limit     float64   `json:"limit"`
	// Origin says where the limit comes from: "profile quick".
	Origin string `json:"origin"`
	Terms  []Term `json:"terms"`
	// Clock is the time that the terms stand for.
	Clock Clock `json:"clock,omitempty"`
	// BestSeconds is multiplied to the product when it is not 0: the best
	// possible time of an efficiency. With it the powers add up to -1, without
	// it to 0, so that the quantity has no unit.
	BestSeconds float64 `json:"best_seconds,omitempty"`
	// BestPossible is the best value the corpus and the link can show
	// (helpers/bound), 0 when it is not known.
	BestPossible float64 `json:"best_possible,omitempty"`
}

// SpeedUpAtLeast claims that arm is at least limit times as fast as base:
// time(base)/time(arm) >= limit.
func SpeedUpAtLeast(name, arm, base string, limit float64) Claim {
	return Claim{
		Name: name, Quantity: fmt.Sprintf("speed-up of %s over %s", arm, base),
		Direction: AtLeast, Limit: limit, Terms: []Term{{base, 1}, {arm, -1}},
	}
}

// SpeedUpAtMost claims that arm is at most limit times as fast as base:
// time(base)/time(arm) <= limit.
func SpeedUpAtMost(name, arm, base string, limit float64) Claim {
	claim := SpeedUpAtLeast(name, arm, base, limit)
	claim.Direction = AtMost
	return claim
}

// EfficiencyAtLeast claims that the best possible time of arm, from
// helpers/bound, is at least limit of the time that its download took, limit
// being 0 to 1. The bound is one of the download alone, so the rest of the
// recovery is left out: counted in, the best efficiency of a healthy machine
// would fall with the size of the corpus, 0.77 at 200 MB and 0.46 at 50 MB.
func EfficiencyAtLeast(name, arm string, best time.Duration, limit float64) Claim {
	return Claim{
		Name: name, Quantity: fmt.Sprintf("efficiency of %s", arm),
		Direction: AtLeast, Limit: limit, Terms: []Term{{arm, -1}},
		Clock: Download, BestSeconds: best.Seconds(), BestPossible: 1,
	}
}

// SpeedUp names the two arms of one speed-up: time(Base)/time(Arm).
type SpeedUp struct{ Arm, Base string }

// SpeedUpKept claims that the candidate's speed-up is at least limit times the
// reference's, 0.9 for "lost no more than a tenth". The arms of both belong to
// the same rounds; an arm of both cancels out.
func SpeedUpKept(name string, candidate, reference SpeedUp, limit float64) Claim {
	claim := Claim{
		Name: name, Direction: AtLeast, Limit: limit,
		Quantity: fmt.Sprintf("speed-up of %s over %s, divided by that of %s over %s",
			candidate.Arm, candidate.Base, reference.Arm, reference.Base),
	}
	for _, term := range []Term{{candidate.Base, 1}, {candidate.Arm, -1}, {reference.Base, -1}, {reference.Arm, 1}} {
		claim.add(term)
	}
	return claim
}

// From returns the claim with the origin of its limit.
func (c Claim) From(origin string) Claim {
	c.Origin = origin
	return c
}

// WithBest returns the claim with the best possible value of its quantity.
func (c Claim) WithBest(best float64) Claim {
	c.BestPossible = best
	return c
}

func (c *Claim) add(term Term) {
	for i := range c.Terms {
		if c.Terms[i].Arm == term.Arm {
			c.Terms[i].Power += term.Power
			if c.Terms[i].Power == 0 {
				c.Terms = append(c.Terms[:i], c.Terms[i+1:]...)
			}
			return
		}
	}
	c.Terms = append(c.Terms, term)
}

// Validate says what is wrong with a claim. Call it before anything is
// measured.
func (c Claim) Validate() error {
	if err := c.check(); err != nil {
		return fmt.Errorf("check claim %q: %w", c.Name, err)
	}
	return nil
}

func (c Claim) check() error {
	switch {
	case strings.TrimSpace(c.Name) == "":
		return errors.New("no name")
	case strings.TrimSpace(c.Quantity) == "":
		return errors.New("no words for its quantity")
	case strings.TrimSpace(c.Origin) == "":
		return errors.New("no origin of its limit")
	case c.Direction != AtLeast && c.Direction != AtMost:
		return fmt.Errorf("direction is %q, allowed are %s and %s", c.Direction, AtLeast, AtMost)
	case c.Clock != Total && c.Clock != Download:
		return fmt.Errorf("clock is %q, allowed are none and %s", c.Clock, Download)
	case !inRange(c.Limit):
		return fmt.Errorf("limit is %g, allowed are %g to %g", c.Limit, minValue, maxValue)
	case c.BestPossible != 0 && !inRange(c.BestPossible):
		return fmt.Errorf("best possible is %g, allowed are %g to %g", c.BestPossible, minValue, maxValue)
	case c.BestSeconds != 0 && !inRange(c.BestSeconds):
		return fmt.Errorf("best time is %g s, allowed are %g to %g", c.BestSeconds, minValue, maxValue)
	}
	return c.checkTerms()
}

func (c Claim) checkTerms() error {
	if len(c.Terms) == 0 || len(c.Terms) > maxTerms {
		return fmt.Errorf("%d different arms, allowed are 1 to %d", len(c.Terms), maxTerms)
	}
	seen, sum := map[string]bool{}, 0
	for _, term := range c.Terms {
		if term.Arm == "" || term.Power == 0 || max(term.Power, -term.Power) > maxPower || seen[term.Arm] {
			return fmt.Errorf("terms are %v, allowed are different arms with powers from -%d to %d and not 0", c.Terms, maxPower, maxPower)
		}
		seen[term.Arm] = true
		sum += term.Power
	}
	want := 0
	if c.BestSeconds != 0 {
		want = -1
	}
	if sum != want {
		return fmt.Errorf("powers add up to %d, allowed is %d (0, or -1 with a best time)", sum, want)
	}
	return nil
}

// Showable is an error when the best possible value does not reach the limit:
// the corpus and the link cannot show the claim, whatever OpenSearch does. Ask
// before measuring; Judge calls such a claim invalid.
func (c Claim) Showable() error {
	if c.BestPossible == 0 || c.holds(c.BestPossible) {
		return nil
	}
	return fmt.Errorf("%s: demanded %s %s, best possible is %s: the corpus and the link cannot show it",
		c.Name, c.Direction.words(), plain(c.Limit), plain(significant(c.BestPossible)))
}

// holds is true when a value is on the right side of the limit, or on it.
func (c Claim) holds(value float64) bool {
	if c.Direction == AtMost {
		return value <= c.Limit
	}
	return value >= c.Limit
}

// logarithm is the value of one round on the log scale; round has every arm.
func (c Claim) logarithm(round map[string]times) float64 {
	var sum float64
	if c.BestSeconds != 0 {
		sum = math.Log(c.BestSeconds)
	}
	for _, term := range c.Terms {
		sum += float64(term.Power) * math.Log(round[term.Arm][c.Clock])
	}
	return sum
}

// LacksBest says that the claim is about a best possible time and has none: whoever made it
// does not know the link. It cannot be judged.
func (c Claim) LacksBest() bool {
	sum := 0
	for _, term := range c.Terms {
		sum += term.Power
	}
	return sum == -1 && c.BestSeconds == 0
}

func (c Claim) needs(arm string) bool {
	for _, term := range c.Terms {
		if term.Arm == arm {
			return true
		}
	}
	return false
}

func inRange(x float64) bool { return x >= minValue && x <= maxValue }
