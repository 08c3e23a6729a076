package harness

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/moby/moby/client"
	"github.com/stretchr/testify/require"

	"streamgate/fixtures/engine"
	"streamgate/fixtures/stack"
	"streamgate/fixtures/suite"
	"streamgate/helpers/await"
)

// leakRounds is how many stacks are started and stopped one after the other. One more comes
// before the first count: a client's first connections stay open.
const leakRounds = 20

// leftovers are things that a run could leave, counted.
type leftovers struct {
	containers, networks, volumes, goroutines, descriptors, temporaryFiles int
}

// Does anything pile up over runs? Stacks are started and stopped in this process; containers,
// networks, volumes, goroutines, descriptors and temporary files are counted before and after.
func nothingPilesUp(t *testing.T, ctx context.Context, run *suite.Run) {
	t.Helper()
	once := func() {
		s, err := stack.Up(ctx, smallest(run))
		stopErr := s.Stop(context.WithoutCancel(ctx))
		require.NoError(t, err)
		require.NoError(t, stopErr)
	}
	once()
	before := count(ctx, t, run.ID)
	for range leakRounds {
		once()
	}
	// A connection that idles goes away a moment later.
	err := await.Until(ctx, "nothing has piled up", 20*time.Second, 500*time.Millisecond, func(ctx context.Context) (bool, string, error) {
		after := count(ctx, t, run.ID)
		return after.within(before), fmt.Sprintf("%+v, before %+v", after, before), nil
	})
	require.NoError(t, err)
}

// within tells whether nothing has grown.
func (l leftovers) within(before leftovers) bool {
	return l.containers <= before.containers && l.networks <= before.networks && l.volumes <= before.volumes &&
		l.goroutines <= before.goroutines && l.descriptors <= before.descriptors && l.temporaryFiles <= before.temporaryFiles
}

// count counts what this process and its run have; what others of this machine have is left
// out where it can be told apart.
func count(ctx context.Context, t *testing.T, run string) leftovers {
	t.Helper()
	api, err := engine.Connect()
	require.NoError(t, err)
	networks, err := api.NetworkList(ctx, client.NetworkListOptions{})
	require.NoError(t, err)
	volumes, err := api.VolumeList(ctx, client.VolumeListOptions{})
	require.NoError(t, err)
	temporary, err := filepath.Glob(filepath.Join(os.TempDir(), "testcontainers*"))
	require.NoError(t, err)
	ours, err := filepath.Glob(filepath.Join(os.TempDir(), "streamgate*"))
	require.NoError(t, err)
	descriptors, err := os.ReadDir("/dev/fd")
	require.NoError(t, err)
	return leftovers{
		containers: len(containers(ctx, t, run)), networks: len(networks.Items), volumes: len(volumes.Items),
		goroutines: runtime.NumGoroutine(), descriptors: len(descriptors), temporaryFiles: len(temporary) + len(ours),
	}
}
