package verdict

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"streamgate/helpers/stats"
)

// Sample is what the verdict needs of one recovery. Warm-ups are not samples.
type Sample struct {
	// Round counts from 1.
	Round int    `json:"round"`
	Arm   string `json:"arm"`
	// Time is the time of the whole recovery, above 0 unless the recovery is invalid.
	Time time.Duration `json:"time_ns"`
	// Download is the time of its download alone, 0 when nobody saw it.
	Download time.Duration `json:"download_ns,omitempty"`
	// Invalid holds one line for each proof that failed, none when all held.
	Invalid []string `json:"invalid,omitempty"`
}

// table is the recoveries by round.
type table struct {
	// rounds[i] are the times of round i+1 by arm, of complete rounds only.
	rounds []map[string]times
	// invalid are the samples with a failed proof, by round and arm.
	invalid []Sample
}

// times are the seconds of one recovery, by clock.
type times map[Clock]float64

// tabulate sorts the samples into rounds. Its errors are contradictions in the
// record: such a record is refused, not judged.
func tabulate(samples []Sample, claims []Claim) (table, error) {
	samples = slices.Clone(samples)
	slices.SortStableFunc(samples, func(a, b Sample) int {
		return cmp.Or(cmp.Compare(a.Round, b.Round), cmp.Compare(a.Arm, b.Arm))
	})
	var result table
	rounds := map[int]map[string]times{}
	for i, sample := range samples {
		if err := sample.check(); err != nil {
			return table{}, err
		}
		if i > 0 && samples[i-1].Round == sample.Round && samples[i-1].Arm == sample.Arm {
			return table{}, fmt.Errorf("round %d has two recoveries of arm %s", sample.Round, sample.Arm)
		}
		if len(sample.Invalid) > 0 {
			result.invalid = append(result.invalid, sample)
		}
		if rounds[sample.Round] == nil {
			rounds[sample.Round] = map[string]times{}
		}
		rounds[sample.Round][sample.Arm] = times{Total: sample.Time.Seconds(), Download: sample.Download.Seconds()}
	}
	for round := 1; ; round++ {
		missing, complete := missingArm(rounds[round], claims)
		if complete {
			result.rounds = append(result.rounds, rounds[round])
			continue
		}
		// A killed run leaves its last round unfinished; a hole before a later
		// round is something else.
		if last := lastRound(samples); last > round {
			return table{}, fmt.Errorf("round %d is recorded, but round %d has no recovery of arm %s", last, round, missing)
		}
		return result, nil
	}
}

func (s Sample) check() error {
	switch {
	case s.Round < 1 || s.Round > stats.MaxPairs:
		return fmt.Errorf("round is %d, allowed are 1 to %d", s.Round, stats.MaxPairs)
	case s.Arm == "":
		return fmt.Errorf("round %d has a recovery without an arm", s.Round)
	case s.Time <= 0 && len(s.Invalid) == 0:
		return fmt.Errorf("round %d, arm %s: time is %v, allowed are times above 0", s.Round, s.Arm, s.Time)
	}
	return nil
}

// missingArm is the first arm of the claims that a round does not have.
func missingArm(round map[string]times, claims []Claim) (arm string, complete bool) {
	for _, claim := range claims {
		for _, term := range claim.Terms {
			if _, ok := round[term.Arm]; !ok {
				return term.Arm, false
			}
		}
	}
	return "", true
}

// lastRound is the last round of samples sorted by round, 0 without any.
func lastRound(samples []Sample) int {
	if len(samples) == 0 {
		return 0
	}
	return samples[len(samples)-1].Round
}

// words is one line on an invalid sample.
func (s Sample) words() string {
	return fmt.Sprintf("round %d, arm %s is invalid: %s", s.Round, s.Arm, strings.Join(s.Invalid, "; "))
}
