// Package experiment runs the rounds: every arm once in each, in an order drawn from a
// recorded seed, until the claims are answered or the plan's last look is over.
//
// How one recovery is measured is helpers/recovery's, what the rounds answer
// helpers/verdict's. Results are recorded as they are made, before anyone judges them.
package experiment

import (
	"context"
	"fmt"
	"time"

	"streamgate/helpers/bundle"
	"streamgate/helpers/recovery"
	"streamgate/helpers/verdict"
)

// Plan is what is measured, how often, and what it has to answer.
type Plan struct {
	Arms   []recovery.Arm
	Claims []verdict.Claim
	Looks  verdict.Looks
	// Seed draws the order of the arms; the same seed draws the same orders.
	Seed uint64
}

// Measure makes one recovery with an arm.
type Measure func(ctx context.Context, arm recovery.Arm) (recovery.Recovery, error)

// Observer is told how a run goes on.
type Observer struct {
	// Record keeps a recovery; the run ends when it cannot.
	Record func(recovery.Recovery) error
	// Say prints a line of progress.
	Say func(string)
}

// Run makes a warm-up recovery with each arm, then rounds until the answer is final.
//
// An invalid recovery is recorded like any other, neither dropped nor replaced. The
// verdict is invalid then, and the run ends at once. A warm-up is not judged by its time,
// but its proof has to hold: what it shows of the arm holds for the rounds.
func Run(ctx context.Context, plan Plan, measure Measure, observer Observer) ([]recovery.Recovery, error) {
	r := &runner{plan: plan, measure: measure, observer: observer, start: time.Now()}
	for _, arm := range plan.Arms {
		if err := r.recover(ctx, 0, arm); err != nil {
			return r.done, err
		}
		if r.invalid() {
			observer.Say("the answer is final: a warm-up is invalid")
			return r.done, nil
		}
	}
	for round := 1; ; round++ {
		step, err := verdict.Next(bundle.Samples(r.done), plan.Claims, plan.Looks)
		if err != nil {
			return r.done, fmt.Errorf("look at the rounds: %w", err)
		}
		if step.Final {
			observer.Say(step.Reason)
			return r.done, nil
		}
		r.expect(round, step)
		for _, arm := range recovery.Order(plan.Arms, plan.Seed, round) {
			if err := r.recover(ctx, round, arm); err != nil {
				return r.done, err
			}
			if r.invalid() {
				break // nothing that follows can mend the verdict
			}
		}
	}
}

type runner struct {
	plan     Plan
	measure  Measure
	observer Observer
	start    time.Time
	done     []recovery.Recovery
}

// recover measures one recovery, records it and says how it was.
func (r *runner) recover(ctx context.Context, round int, arm recovery.Arm) error {
	measured, err := r.measure(ctx, arm)
	if err != nil {
		return fmt.Errorf("%s, arm %s: %w", roundName(round), arm.Name, err)
	}
	measured.Round, measured.WarmUp = round, round == 0
	if err := r.observer.Record(measured); err != nil {
		return err
	}
	r.done = append(r.done, measured)
	r.observer.Say(line(measured))
	return nil
}

// invalid tells of the last recovery.
func (r *runner) invalid() bool { return len(r.done[len(r.done)-1].Invalid) > 0 }

// expect says how long the rounds up to the next look will take, from those there are.
func (r *runner) expect(round int, step verdict.Step) {
	if round > 1 && step.Rounds >= round {
		perRound := time.Since(r.start) / time.Duration(round) // the warm-up counts as one
		left := time.Duration(step.Rounds-round+1) * perRound
		r.observer.Say(fmt.Sprintf("round %d of %d, about %s left", round, step.Rounds, left.Round(time.Second)))
	}
}

func roundName(round int) string {
	if round == 0 {
		return "warm-up"
	}
	return fmt.Sprintf("round %d", round)
}

// line is one recovery in one line.
func line(r recovery.Recovery) string {
	streams := "streams not seen"
	if r.Evidence.Threads > 0 {
		streams = fmt.Sprintf("streams: %d", r.Evidence.Threads)
	}
	bytes := fmt.Sprintf("all %d", r.Evidence.WantBytes)
	if r.Evidence.DownloadedBytes != r.Evidence.WantBytes {
		bytes = fmt.Sprintf("%d of %d", r.Evidence.DownloadedBytes, r.Evidence.WantBytes)
	}
	text := fmt.Sprintf("%-8s %-12s %7.3f s  %5.1f MB/s  %s bytes, files: %d, %s",
		roundName(r.Round), r.Arm.Name, r.Total.Seconds(), r.BytesPerSecond()/1e6, bytes, r.Evidence.WantFiles, streams)
	if len(r.Invalid) > 0 {
		text += "  INVALID: " + r.Invalid[0]
	}
	return text
}
