// Package await is bounded polling: ask until something holds, a limit passes or the wait is called off. Its errors say
// what was awaited, for how long, and what was seen last, because "timed out" alone sends people to the logs.
//
// What does not belong here: what to ask. Probes live with what they ask about. Retrying a call that should succeed the
// first time is another thing, too; it wants growing pauses (cenkalti/backoff), where polling wants even ones.
package await

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// ErrLimit is the cause of an Error whose limit passed.
var ErrLimit = errors.New("limit passed")

// Probe asks once. It returns whether the wait is over and what it saw, in a few words ("yellow, 3 of 4 shards"). An
// error means that it could not ask this time: the wait goes on, whatever done says, unless the error is wrapped by
// Stop. It must respect ctx, which ends with the wait: a probe that does not return cannot be bounded.
type Probe func(ctx context.Context) (done bool, state string, err error)

// Stop marks an error as final, so that Until ends at once instead of asking again: the container is gone, the index
// does not exist. Stop(nil) is nil.
func Stop(err error) error {
	if err == nil {
		return nil
	}
	return &stopped{err}
}

type stopped struct{ err error }

func (s *stopped) Error() string { return s.err.Error() }
func (s *stopped) Unwrap() error { return s.err }

// Error is a wait that ended without its condition. errors.Is sees both Cause and Last through it.
type Error struct {
	What   string        // what was awaited
	After  time.Duration // how long it was
	Probes int           // how often it was asked
	State  string        // what was seen last, empty when no probe said
	Cause  error         // ErrLimit, the cause of the cancelled context, or what was given to Stop
	Last   error         // the error of the last probe, nil when it had none or is the Cause
}

// Error is one line: "await green index: limit passed after 30s, 60 probes; last seen: yellow; last error: …".
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "await %s: %v after %v, %d probes", e.What, e.Cause, e.After.Round(time.Millisecond), e.Probes)
	if e.State != "" {
		fmt.Fprintf(&b, "; last seen: %s", e.State)
	}
	if e.Last != nil {
		fmt.Fprintf(&b, "; last error: %v", e.Last)
	}
	return b.String()
}

// Unwrap gives errors.Is and errors.As the cause and the last error.
func (e *Error) Unwrap() []error {
	if e.Last == nil {
		return []error{e.Cause}
	}
	return []error{e.Cause, e.Last}
}

// Until asks at once and then again after each pause of every, until a probe is done (nil), an error is final (Stop),
// limit has passed, or ctx ends. The pause starts when a probe returns: probes never overlap, however slow they are.
// A probe that is done counts even if the limit passed while it was asking. All other endings are an *Error.
func Until(ctx context.Context, what string, limit, every time.Duration, probe Probe) error {
	if limit <= 0 || every <= 0 {
		return fmt.Errorf("await %s: limit %v, every %v: want both above 0", what, limit, every)
	}
	start := time.Now()
	bounded, cancel := context.WithTimeoutCause(ctx, limit, ErrLimit)
	defer cancel()
	seen := &Error{What: what}
	for bounded.Err() == nil {
		done, state, err := probe(bounded)
		if done && err == nil {
			return nil
		}
		seen.Probes++
		if final := seen.note(bounded, state, err); final != nil {
			return seen.end(start, final)
		}
		pause(bounded, every)
	}
	return seen.end(start, context.Cause(bounded))
}

// note keeps what a probe saw and returns the cause if its error is final.
func (e *Error) note(ctx context.Context, state string, err error) error {
	if state != "" {
		e.State = state
	}
	var final *stopped
	if errors.As(err, &final) {
		e.Last = nil
		// What wraps the Stop is kept: it says where the final error was met.
		return err
	}
	// A probe cut off by the end of the wait knows only that; what an earlier one met says more.
	if cutOff := err != nil && ctx.Err() != nil; !cutOff || e.Last == nil {
		e.Last = err
	}
	return nil
}

// end completes the error.
func (e *Error) end(start time.Time, cause error) error {
	e.After, e.Cause = time.Since(start), cause
	return e
}

// pause waits for d or the end of ctx.
func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
