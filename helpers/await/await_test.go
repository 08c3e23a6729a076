package await_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"streamgate/helpers/await"
)

// All tests run in a bubble of testing/synctest: time is faked, stands still while code runs and jumps while it waits,
// so that durations can be compared exactly and nothing sleeps.

var errRefused = errors.New("connection refused")

// answer is one scripted reply of a probe.
type answer struct {
	done  bool
	state string
	err   error
}

// script makes a probe that gives its answers in turn and then its last one for ever.
func script(answers ...answer) (await.Probe, *int) {
	calls := new(int)
	return func(context.Context) (bool, string, error) {
		a := answers[min(*calls, len(answers)-1)]
		*calls++
		return a.done, a.state, a.err
	}, calls
}

// When does a wait end that ends well? The script says at which probe; the fake clock says how long it took.
func TestUntilEndsWhenDone(t *testing.T) {
	for _, c := range []struct {
		name    string
		answers []answer
		took    time.Duration
	}{
		{"at the first probe, without a pause", []answer{{done: true}}, 0},
		{"at the third", []answer{{state: "red"}, {state: "yellow"}, {done: true}}, 2 * time.Second},
		{"after errors", []answer{{err: errRefused}, {err: errRefused}, {err: errRefused}, {done: true}}, 3 * time.Second},
		{"not by done beside an error", []answer{{done: true, err: errRefused}, {done: true}}, time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				probe, calls := script(c.answers...)
				start := time.Now()
				require.NoError(t, await.Until(t.Context(), "green", time.Minute, time.Second, probe))
				assert.Equal(t, c.took, time.Since(start))
				assert.Equal(t, len(c.answers), *calls)
			})
		})
	}
}

// What does the error say when the limit passes? Compared word for word, because this line is what people get.
func TestUntilLimit(t *testing.T) {
	for _, c := range []struct {
		name    string
		answers []answer
		message string
		last    error
	}{
		{"value only", []answer{{state: "red"}, {state: "yellow"}},
			"await green: limit passed after 10s, 4 probes; last seen: yellow", nil},
		{"error only", []answer{{err: errRefused}},
			"await green: limit passed after 10s, 4 probes; last error: connection refused", errRefused},
		{"value before errors is kept", []answer{{state: "yellow"}, {err: errRefused}},
			"await green: limit passed after 10s, 4 probes; last seen: yellow; last error: connection refused", errRefused},
		{"error that went away is forgotten", []answer{{err: errRefused}, {state: "yellow"}},
			"await green: limit passed after 10s, 4 probes; last seen: yellow", nil},
		{"nothing seen", []answer{{}}, "await green: limit passed after 10s, 4 probes", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				probe, calls := script(c.answers...)
				start := time.Now()
				err := await.Until(t.Context(), "green", 10*time.Second, 3*time.Second, probe)
				require.EqualError(t, err, c.message)
				require.ErrorIs(t, err, await.ErrLimit)
				if c.last != nil {
					require.ErrorIs(t, err, c.last)
				}
				assert.Equal(t, 10*time.Second, time.Since(start), "the limit cuts the last pause short")
				assert.Equal(t, 4, *calls, "probes at 0, 3, 6 and 9 s")
			})
		})
	}
}

// Does the limit reach into a probe that hangs, and does its error not hide what was wrong before? The second probe
// waits for its context, as a call to a node that accepts and never answers does.
func TestUntilCutsProbeOff(t *testing.T) {
	for name, first := range map[string]error{"context deadline exceeded": nil, "connection refused": errRefused} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				calls := 0
				err := await.Until(t.Context(), "green", 10*time.Second, time.Second, func(ctx context.Context) (bool, string, error) {
					if calls++; calls == 1 {
						return false, "", first
					}
					<-ctx.Done()
					return false, "", ctx.Err()
				})
				require.EqualError(t, err, "await green: limit passed after 10s, 2 probes; last error: "+name)
			})
		})
	}
}

// Does a done that comes after the limit count? It is true, so a wait that has it must not fail.
func TestUntilLateDone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		err := await.Until(t.Context(), "green", time.Second, time.Second, func(context.Context) (bool, string, error) {
			time.Sleep(5 * time.Second)
			return true, "", nil
		})
		require.NoError(t, err)
	})
}

// Do probes keep their pause when they are slow? Each takes two seconds with a pause of one, so the starts are three
// apart; a ticker would have made them two.
func TestUntilPausesAfterProbe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin, starts := time.Now(), []time.Duration(nil)
		err := await.Until(t.Context(), "green", time.Minute, time.Second, func(context.Context) (bool, string, error) {
			starts = append(starts, time.Since(begin))
			time.Sleep(2 * time.Second)
			return len(starts) == 3, "", nil
		})
		require.NoError(t, err)
		assert.Equal(t, []time.Duration{0, 3 * time.Second, 6 * time.Second}, starts)
	})
}

// Does the caller's context end the wait at once and with its cause? It is cancelled in the middle of a long pause.
func TestUntilCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cause := errors.New("interrupted by the user")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(5*time.Second, func() { cancel(cause) })
		probe, calls := script(answer{state: "yellow"})
		start := time.Now()
		err := await.Until(ctx, "green", time.Hour, time.Minute, probe)
		require.EqualError(t, err, "await green: interrupted by the user after 5s, 1 probes; last seen: yellow")
		require.ErrorIs(t, err, cause)
		require.NotErrorIs(t, err, await.ErrLimit)
		assert.Equal(t, 5*time.Second, time.Since(start))

		err = await.Until(ctx, "green", time.Hour, time.Minute, probe)
		require.ErrorIs(t, err, cause)
		assert.Equal(t, 1, *calls, "a context that has ended lets no probe start")
	})
}

// Does a final error end the wait at once, found through wrapping as well, and is an old error left out?
func TestUntilStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gone := errors.New("container exited with code 137")
		probe, calls := script(answer{err: errRefused}, answer{state: "exited", err: fmt.Errorf("node-2: %w", await.Stop(gone))})
		start := time.Now()
		err := await.Until(t.Context(), "green", time.Hour, time.Second, probe)
		require.EqualError(t, err, "await green: node-2: container exited with code 137 after 1s, 2 probes; last seen: exited")
		require.ErrorIs(t, err, gone)
		assert.Equal(t, 2, *calls)
		assert.Equal(t, time.Second, time.Since(start))

		var details *await.Error
		require.ErrorAs(t, err, &details)
		assert.Equal(t, "exited", details.State)
	})
	assert.NoError(t, await.Stop(nil), "a nil error must not become one")
}

// Is a wait without bounds refused before it asks?
func TestUntilRefusesUnbounded(t *testing.T) {
	for _, c := range []struct{ limit, every time.Duration }{{0, time.Second}, {time.Second, 0}, {-1, time.Second}, {time.Second, -1}} {
		probe, calls := script(answer{done: true})
		require.ErrorContains(t, await.Until(t.Context(), "green", c.limit, c.every, probe), "want both above 0")
		assert.Zero(t, *calls)
	}
}
