package harness

import (
	"context"
	"math/rand/v2"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"streamgate/fixtures/suite"
)

const (
	// cleanLimit is how long a run that was told to end may take to remove its containers.
	cleanLimit = 15 * time.Second
	// signalWithin is the stretch of a run in which a signal comes: from its first line until
	// well after the stack is up.
	signalWithin = 12 * time.Second
)

func oneSignal(t *testing.T, ctx context.Context, run *suite.Run) {
	t.Helper()
	signals(t, ctx, run, 1)
}

func tenSignals(t *testing.T, ctx context.Context, run *suite.Run) {
	t.Helper()
	signals(t, ctx, run, 10)
}

// Does a run clean up when it is told to end, whenever that is? Runs get SIGINT and SIGTERM in
// turn, each at a moment drawn at random; the process must end with the signal's code and
// leave no container.
func signals(t *testing.T, ctx context.Context, run *suite.Run, rounds int) {
	t.Helper()
	random := rand.New(rand.NewPCG(run.Config.Seed, 0))
	for round := range rounds {
		number := []syscall.Signal{syscall.SIGINT, syscall.SIGTERM}[round%2]
		c := startChild(ctx, t, time.Minute)
		id := c.says(ctx, t, saysRun, startLimit)
		after := time.Duration(random.Int64N(int64(signalWithin)))
		pause(ctx, after)
		require.NoError(t, c.command.Process.Signal(number))
		code := c.wait(t, cleanLimit)
		run.Say(number.String() + " after " + after.Round(time.Millisecond).String())
		assert.Equal(t, 128+int(number), code, c.output)
		assert.NotContains(t, c.output.String(), "\nPASS")
		assert.Empty(t, containers(ctx, t, id), "after %s at %s", number, after)
	}
}

// Is what a killed run has left removed by the next one, and by nobody while it lives? kill -9
// lets nothing clean up.
func killAndSweep(t *testing.T, ctx context.Context, _ *suite.Run) {
	t.Helper()
	c := startChild(ctx, t, time.Minute)
	id := c.says(ctx, t, saysRun, startLimit)
	c.says(ctx, t, saysUp, startLimit)
	require.Len(t, containers(ctx, t, id), 3) // link, MinIO, node-1

	require.NoError(t, c.command.Process.Kill())
	assert.Equal(t, -1, c.wait(t, time.Second*5))
	require.Len(t, containers(ctx, t, id), 3, "nobody could have removed them yet")
	require.Zero(t, startChild(ctx, t, 0).wait(t, childLimit), "the next run")
	require.Empty(t, containers(ctx, t, id))
}

// Do two runs that start in the same moment get along? Both must pass, under ids of their own,
// and leave nothing.
func twoRunsAtOnce(t *testing.T, ctx context.Context, _ *suite.Run) {
	t.Helper()
	first, second := startChild(ctx, t, 0), startChild(ctx, t, 0)
	ids := []string{first.says(ctx, t, saysRun, startLimit), second.says(ctx, t, saysRun, startLimit)}
	require.NotEqual(t, ids[0], ids[1])
	assert.Zero(t, first.wait(t, childLimit), first.output)
	assert.Zero(t, second.wait(t, childLimit), second.output)
	for _, id := range ids {
		assert.Empty(t, containers(ctx, t, id))
	}
}
