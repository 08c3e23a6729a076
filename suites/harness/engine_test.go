package harness

import (
	"context"
	"io"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"streamgate/fixtures/engine"
	"streamgate/fixtures/suite"
)

// Does a run say so when the engine goes away in the middle? Its engine is a socket of the
// test in front of the real one, which is cut while the stack is held; the engine itself
// runs on. The run must fail within its bound and name the socket; what it could not remove
// any more, the next run's sweep does.
func engineGone(t *testing.T, ctx context.Context, _ *suite.Run) {
	t.Helper()
	front := openFront(ctx, t)
	c := startChild(ctx, t, 2*time.Second, "DOCKER_HOST=unix://"+front.path)
	run := c.says(ctx, t, saysRun, startLimit)
	c.says(ctx, t, saysUp, startLimit)
	front.cut()

	assert.NotZero(t, c.wait(t, 2*time.Minute), "a run without an engine passed")
	said := c.output.String()
	assert.NotContains(t, said, "\nPASS")
	assert.Contains(t, said, "stop the stack: ")
	assert.Contains(t, said, front.path, "the cause is not named")
	require.NotEmpty(t, containers(ctx, t, run), "the run was without an engine, and yet its containers are gone")
	require.Zero(t, startChild(ctx, t, 0).wait(t, childLimit), "the next run")
	require.Empty(t, containers(ctx, t, run))
}

// front is a socket that carries everything to the engine until it is cut.
type front struct {
	path     string
	listener net.Listener
	mutex    sync.Mutex
	open     []net.Conn
	isCut    bool
}

// openFront opens the socket; it is cut at the latest with the test.
func openFront(ctx context.Context, t *testing.T) *front {
	t.Helper()
	api, err := engine.Connect()
	require.NoError(t, err)
	address, isUnix := strings.CutPrefix(api.DaemonHost(), "unix://")
	require.True(t, isUnix, "the engine is at %s, the test can only stand in front of a socket", api.DaemonHost())
	f := &front{path: filepath.Join(t.TempDir(), "engine.sock")}
	var listen net.ListenConfig
	f.listener, err = listen.Listen(ctx, "unix", f.path)
	require.NoError(t, err)
	t.Cleanup(f.cut)
	go f.accept(ctx, address)
	return f
}

// accept carries connections until the listener is closed.
func (f *front) accept(ctx context.Context, address string) {
	for {
		in, err := f.listener.Accept()
		if err != nil {
			return
		}
		var dialer net.Dialer
		out, err := dialer.DialContext(ctx, "unix", address)
		if err != nil || !f.keep(in, out) {
			_ = in.Close()
			continue
		}
		go carry(in, out)
		go carry(out, in)
	}
}

// keep remembers both ends; false when it is cut already.
func (f *front) keep(ends ...net.Conn) bool {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if f.isCut {
		for _, end := range ends {
			_ = end.Close()
		}
		return false
	}
	f.open = append(f.open, ends...)
	return true
}

// carry copies one direction, and passes on that it has ended.
func carry(to, from net.Conn) {
	_, _ = io.Copy(to, from)
	if half, ok := to.(*net.UnixConn); ok {
		_ = half.CloseWrite()
	}
}

// cut ends every connection and lets no new one in.
func (f *front) cut() {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.isCut = true
	_ = f.listener.Close()
	for _, end := range f.open {
		_ = end.Close()
	}
	f.open = nil
}
