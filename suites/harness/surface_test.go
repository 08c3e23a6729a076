package harness

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/moby/moby/client"
	"github.com/shirou/gopsutil/v4/net"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"streamgate/fixtures/engine"
	"streamgate/fixtures/stack"
	"streamgate/fixtures/suite"
)

// Does a run show its credentials, or let anybody in from outside? On a running stack: the
// engine's account of each container, its processes' arguments and its log are searched for
// the credentials; the engine's port table and this machine's listening sockets are read. No
// address is connected to.
func secretsAndSurface(t *testing.T, ctx context.Context, run *suite.Run) {
	t.Helper()
	s := stack.Start(ctx, t, smallest(run))
	secrets := s.Store.Secrets()
	require.Len(t, secrets, 2)
	for _, secret := range secrets {
		_, err := hex.DecodeString(secret)
		require.NoError(t, err)
		require.GreaterOrEqual(t, len(secret), 16)
	}
	ids := containers(ctx, t, run.ID)
	require.Len(t, ids, 3)
	for _, id := range ids {
		showsNone(t, "the engine's account", account(ctx, t, id), secrets)
		showsNone(t, "the list of processes", processes(ctx, t, id), secrets)
	}
	onLoopback(ctx, t, published(ctx, t, ids))

	kept := t.TempDir()
	s.KeepLogs(func(part string) string { return filepath.Join(kept, part+".log") })
	require.NoError(t, s.Stop(ctx))
	logs, err := filepath.Glob(filepath.Join(kept, "*.log"))
	require.NoError(t, err)
	require.Len(t, logs, 3)
	for _, path := range logs {
		content, err := os.ReadFile(path)
		require.NoError(t, err)
		require.NotEmpty(t, content, path)
		showsNone(t, filepath.Base(path), string(content), secrets)
	}
}

// showsNone fails the test when a text holds a credential; the credential is not repeated.
func showsNone(t *testing.T, where, text string, secrets []string) {
	t.Helper()
	require.NotEmpty(t, text, where)
	for _, secret := range secrets {
		shown := strings.Contains(text, secret)
		assert.False(t, shown, "%s shows a credential", where)
	}
}

// account is all that the engine tells of a container: labels, environment, arguments, mounts.
func account(ctx context.Context, t *testing.T, id string) string {
	t.Helper()
	api, err := engine.Connect()
	require.NoError(t, err)
	inspected, err := api.ContainerInspect(ctx, id, client.ContainerInspectOptions{})
	require.NoError(t, err)
	text, err := json.Marshal(inspected.Container)
	require.NoError(t, err)
	require.Contains(t, string(text), "streamgate.run", "labels are part of it")
	return string(text)
}

// processes are a container's, with their arguments.
func processes(ctx context.Context, t *testing.T, id string) string {
	t.Helper()
	api, err := engine.Connect()
	require.NoError(t, err)
	top, err := api.ContainerTop(ctx, id, client.ContainerTopOptions{Arguments: []string{"-eo", "pid,args"}})
	require.NoError(t, err)
	return fmt.Sprint(top.Processes)
}

// published are the ports that the engine publishes for the containers, by host address.
func published(ctx context.Context, t *testing.T, ids []string) map[uint16]netip.Addr {
	t.Helper()
	api, err := engine.Connect()
	require.NoError(t, err)
	ports := map[uint16]netip.Addr{}
	for _, id := range ids {
		inspected, err := api.ContainerInspect(ctx, id, client.ContainerInspectOptions{})
		require.NoError(t, err)
		for inside, bindings := range inspected.Container.NetworkSettings.Ports {
			for _, binding := range bindings {
				var number uint16
				_, err := fmt.Sscan(binding.HostPort, &number)
				require.NoError(t, err, inside)
				assert.Equal(t, "127.0.0.1", binding.HostIP.String(), "port %s is published elsewhere", inside)
				ports[number] = binding.HostIP
			}
		}
	}
	require.Len(t, ports, 4) // link, its API, MinIO, node-1
	return ports
}

// onLoopback looks at every socket of this machine that listens on one of the ports.
func onLoopback(ctx context.Context, t *testing.T, ports map[uint16]netip.Addr) {
	t.Helper()
	sockets, err := net.ConnectionsWithContext(ctx, "tcp")
	require.NoError(t, err)
	var seen int
	for _, socket := range sockets {
		if _, ours := ports[uint16(socket.Laddr.Port)]; socket.Status != "LISTEN" || !ours {
			continue
		}
		seen++
		assert.Equal(t, "127.0.0.1", socket.Laddr.IP, "port %d listens elsewhere", socket.Laddr.Port)
	}
	assert.Contains(t, []int{0, len(ports)}, seen, "all ports have a socket, or none: an engine may forward them in the kernel")
}

// incompressible is text of that length that no codec makes smaller than half.
func incompressible(length int) string {
	random := rand.New(rand.NewPCG(1, 2))
	text := make([]byte, 0, length)
	for len(text) < length {
		text = fmt.Appendf(text, "%016x ", random.Uint64())
	}
	return string(text)
}
