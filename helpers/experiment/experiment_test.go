package experiment_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"streamgate/helpers/experiment"
	"streamgate/helpers/recovery"
	"streamgate/helpers/verdict"
)

var (
	single = recovery.Unlimited("single", 1)
	multi  = recovery.Unlimited("multi", 8)
)

// plan asks whether multi is at least three times as fast as single.
func plan() experiment.Plan {
	return experiment.Plan{
		Arms:   []recovery.Arm{single, multi},
		Claims: []verdict.Claim{verdict.SpeedUpAtLeast("speed-up", "multi", "single", 3).From("test")},
		Looks:  verdict.DefaultLooks(),
		Seed:   20261130,
	}
}

// bench stands in for a stack: it hands out recoveries and keeps what an observer is told.
type bench struct {
	recovered []string // arms in the order in which they were asked for
	recorded  []recovery.Recovery
	said      []string

	// measure makes the recovery of the n-th call, from 0; steady is used without one.
	measure func(n int, arm recovery.Arm) (recovery.Recovery, error)
	// record refuses the n-th recovery, from 0.
	record func(n int) error
}

func (b *bench) run(t *testing.T, plan experiment.Plan) ([]recovery.Recovery, error) {
	t.Helper()
	measure := b.measure
	if measure == nil {
		measure = steady(4 * time.Second)
	}
	return experiment.Run(t.Context(), plan, func(_ context.Context, arm recovery.Arm) (recovery.Recovery, error) {
		b.recovered = append(b.recovered, arm.Name)
		return measure(len(b.recovered)-1, arm)
	}, experiment.Observer{
		Record: func(r recovery.Recovery) error {
			if b.record != nil {
				if err := b.record(len(b.recorded)); err != nil {
					return err
				}
			}
			b.recorded = append(b.recorded, r)
			return nil
		},
		Say: func(line string) { b.said = append(b.said, line) },
	})
}

// steady lets single take the given time and multi 1 s, with 1 % of scatter.
func steady(slow time.Duration) func(int, recovery.Arm) (recovery.Recovery, error) {
	return func(n int, arm recovery.Arm) (recovery.Recovery, error) {
		total := time.Second
		if arm.Name == single.Name {
			total = slow
		}
		return recovery.Recovery{Arm: arm, Total: total + total*time.Duration(n%3)/100}, nil
	}
}

// rounds is what was recovered in which round, "0 single" being a warm-up.
func rounds(recoveries []recovery.Recovery) []string {
	var names []string
	for _, r := range recoveries {
		names = append(names, fmt.Sprint(r.Round, " ", r.Arm.Name))
	}
	return names
}

// Does a run begin with one warm-up of each arm, marked as such and recorded, and does it record
// everything else too, as it is made? Warm-ups are ten times as slow here: a verdict that counted
// one would not be the pass that it is.
func TestWarmUpsComeFirst(t *testing.T) {
	b := &bench{measure: func(n int, arm recovery.Arm) (recovery.Recovery, error) {
		r, err := steady(4*time.Second)(n, arm)
		if n < 2 && arm.Name == multi.Name {
			r.Total *= 10
		}
		return r, err
	}}
	done, err := b.run(t, plan())
	require.NoError(t, err)
	assert.Equal(t, []string{"single", "multi"}, b.recovered[:2])
	for i, r := range done {
		assert.Equal(t, i < 2, r.WarmUp, i)
		assert.Equal(t, i/2, r.Round, i)
		assert.Equal(t, b.recovered[i], r.Arm.Name, i)
	}
	assert.Equal(t, b.recorded, done)
	assert.Len(t, done, 2+2*6)
	assert.Contains(t, b.said[len(b.said)-1], "pass")
}

// At which look does a run end? Six rounds decide what is clear; a speed-up that scatters about
// its limit is not, and takes all twelve.
func TestRunEndsAtTheLookThatDecides(t *testing.T) {
	for name, c := range map[string]struct {
		measure func(int, recovery.Arm) (recovery.Recovery, error)
		rounds  int
		says    string
	}{
		"clearly fast enough": {steady(4 * time.Second), 6, "pass"},
		"clearly too slow":    {steady(2 * time.Second), 6, "fail"},
		"too slow but for its first round, by little": {func(n int, arm recovery.Arm) (recovery.Recovery, error) {
			if n < 4 {
				return steady(3300*time.Millisecond)(n, arm)
			}
			return steady(2*time.Second)(n, arm)
		}, 9, "fail"},
		"about the limit": {func(n int, arm recovery.Arm) (recovery.Recovery, error) {
			return steady([...]time.Duration{2800 * time.Millisecond, 3215 * time.Millisecond}[n/2%2])(0, arm)
		}, 12, "inconclusive"},
	} {
		t.Run(name, func(t *testing.T) {
			b := &bench{measure: c.measure}
			done, err := b.run(t, plan())
			require.NoError(t, err)
			assert.Equal(t, c.rounds, done[len(done)-1].Round)
			assert.Len(t, b.recovered, 2+2*c.rounds)
			assert.Contains(t, b.said[len(b.said)-1], c.says)
		})
	}
}

// Does a run go on after a recovery that failed its proof? It must not, not even with the round's
// other arm: nothing that follows can mend the verdict, and nothing may take its place.
func TestInvalidRecoveryEndsTheRun(t *testing.T) {
	b := &bench{measure: func(n int, arm recovery.Arm) (recovery.Recovery, error) {
		r, err := steady(4*time.Second)(n, arm)
		if n == 2+2*2 { // the first of round 3
			r.Invalid = []string{"8000000 bytes of downloads failed"}
		}
		return r, err
	}}
	done, err := b.run(t, plan())
	require.NoError(t, err)
	require.Len(t, done, 2+2*2+1)
	assert.Equal(t, []string{"8000000 bytes of downloads failed"}, done[len(done)-1].Invalid)
	assert.Equal(t, done, b.recorded)
	assert.Len(t, b.recovered, len(done))
	assert.Contains(t, b.said[len(b.said)-2], "INVALID: 8000000 bytes of downloads failed")
	assert.Contains(t, b.said[len(b.said)-1], "invalid")
}

// Does an error say which recovery it was, and leave what is done already to be judged?
func TestErrorNamesRoundAndArm(t *testing.T) {
	broken := errors.New("await the replica is STARTED: limit passed after 10m0s")
	p := plan()
	second := recovery.Order(p.Arms, p.Seed, 2)[1].Name
	for name, c := range map[string]struct {
		at   int
		want string
	}{
		"warm-up": {1, "warm-up, arm multi: " + broken.Error()},
		"round":   {2 + 2 + 1, "round 2, arm " + second + ": " + broken.Error()},
	} {
		t.Run(name, func(t *testing.T) {
			b := &bench{measure: func(n int, arm recovery.Arm) (recovery.Recovery, error) {
				if n == c.at {
					return recovery.Recovery{}, broken
				}
				return steady(4*time.Second)(n, arm)
			}}
			done, err := b.run(t, p)
			require.ErrorIs(t, err, broken)
			require.EqualError(t, err, c.want)
			assert.Len(t, done, c.at)
			assert.Len(t, b.recorded, c.at)
			assert.Len(t, b.recovered, c.at+1, "measured on after an error")
		})
	}
}

// Does a run whose results cannot be kept go on measuring? It must not, nor count what is lost.
func TestRecordThatFailsEndsTheRun(t *testing.T) {
	full := errors.New("append to recoveries.ndjson: no space left on device")
	for _, at := range []int{0, 5} {
		b := &bench{record: func(n int) error {
			if n == at {
				return full
			}
			return nil
		}}
		done, err := b.run(t, plan())
		require.ErrorIs(t, err, full)
		assert.Len(t, b.recovered, at+1)
		assert.Equal(t, b.recorded, done)
	}
}

// Is a plan that cannot be answered refused, by name?
func TestPlanThatMakesNoSense(t *testing.T) {
	p := plan()
	p.Claims = nil
	_, err := (&bench{}).run(t, p)
	require.ErrorContains(t, err, "look at the rounds: judge recoveries: no claims")
}

// Is the order in which a round ran the one that Order draws, also in a later process? The first
// orders of a seed are written down here, so that an old bundle's stay what they were.
func TestOrderComesFromTheSeed(t *testing.T) {
	b := &bench{measure: steady(3 * time.Second)} // at the limit: all rounds
	p := plan()
	done, err := b.run(t, p)
	require.NoError(t, err)
	want := []string{"0 single", "0 multi"}
	for round := 1; round <= done[len(done)-1].Round; round++ {
		for _, arm := range recovery.Order(p.Arms, p.Seed, round) {
			want = append(want, fmt.Sprint(round, " ", arm.Name))
		}
	}
	assert.Equal(t, want, rounds(done))

	var first []string
	for round := 1; round <= 8; round++ {
		first = append(first, recovery.Order(p.Arms, 1, round)[0].Name)
	}
	assert.Equal(t, []string{"multi", "single", "multi", "single", "multi", "single", "single", "multi"}, first)
	assert.Equal(t, []recovery.Arm{single, multi}, p.Arms, "the plan itself was shuffled")
}

// Does an arm come first, or after another, more often than chance? What drifts on a machine would
// then always meet the same arm. 6000 rounds each over many seeds and over many rounds of one
// seed; each of the six orders of three arms should come 1000 times, and 5 standard deviations
// off that, 144, is less than a chance in a million.
func TestOrderIsBalanced(t *testing.T) {
	arms := []recovery.Arm{{Name: "a"}, {Name: "b"}, {Name: "c"}}
	for name, order := range map[string]func(i int) []recovery.Arm{
		"over rounds": func(i int) []recovery.Arm { return recovery.Order(arms, 7, i+1) },
		"over seeds":  func(i int) []recovery.Arm { return recovery.Order(arms, uint64(i), 1) },
	} {
		counts := map[string]int{}
		for i := range 6000 {
			key := ""
			for _, arm := range order(i) {
				key += arm.Name
			}
			counts[key]++
		}
		assert.Len(t, counts, 6, name)
		for key, count := range counts {
			assert.InDelta(t, 1000, count, 144, "%s: %s", name, key)
		}
	}
}

// Does a warm-up whose proof fails end the run at once? It is recorded like any other.
func TestInvalidWarmUpEndsTheRun(t *testing.T) {
	b := &bench{measure: func(n int, arm recovery.Arm) (recovery.Recovery, error) {
		r, err := steady(4*time.Second)(n, arm)
		r.Invalid = []string{"the download was given up for a peer copy"}
		return r, err
	}}
	done, err := b.run(t, plan())
	require.NoError(t, err)
	assert.Equal(t, []string{"0 single"}, rounds(done))
	assert.Equal(t, b.recorded, done)
	assert.Equal(t, "the answer is final: a warm-up is invalid", b.said[len(b.said)-1])
}
