package harness

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"regexp"
	"sync"
	"testing"
	"time"

	"github.com/moby/moby/client"
	"github.com/stretchr/testify/require"

	"streamgate/fixtures/engine"
	"streamgate/helpers/await"
)

// childLimit bounds every child, whatever is done to it.
const childLimit = 3 * time.Minute

// child is a smallest run in a process of its own: this test binary, started again.
type child struct {
	command *exec.Cmd
	output  *output
	ended   chan struct{}
	err     error
}

// output is what a child has said so far.
type output struct {
	mutex sync.Mutex
	text  bytes.Buffer
}

// Write takes more.
func (o *output) Write(p []byte) (int, error) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return o.text.Write(p)
}

// String is all of it.
func (o *output) String() string {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return o.text.String()
}

// startChild starts the smallest run, which holds its stack for a while, with some variables
// on top of this process's own. It does not outlive the test.
func startChild(ctx context.Context, t *testing.T, hold time.Duration, variables ...string) *child {
	t.Helper()
	c := &child{output: &output{}, ended: make(chan struct{})}
	c.command = exec.CommandContext(ctx, os.Args[0],
		"-test.run=^TestSmallestRun$", "-test.v", "-test.timeout="+childLimit.String(), "-child", "-hold="+hold.String())
	c.command.Env = append(os.Environ(), variables...)
	c.command.Stdout, c.command.Stderr = c.output, c.output
	require.NoError(t, c.command.Start())
	go func() {
		c.err = c.command.Wait()
		close(c.ended)
	}()
	t.Cleanup(func() {
		_ = c.command.Process.Kill() // it has ended, unless the test failed
		<-c.ended
	})
	return c
}

// wait waits for the child's end, at most for limit, and returns its exit code; -1 is a signal's.
func (c *child) wait(t *testing.T, limit time.Duration) int {
	t.Helper()
	select {
	case <-c.ended:
	case <-time.After(limit):
		t.Fatalf("the run has not ended within %s; it said:\n%s", limit, c.output)
	}
	var exit *exec.ExitError
	if !errors.As(c.err, &exit) {
		require.NoError(t, c.err)
	}
	return c.command.ProcessState.ExitCode()
}

// says waits until the child has said something that matches, and returns the first group.
func (c *child) says(ctx context.Context, t *testing.T, pattern *regexp.Regexp, limit time.Duration) string {
	t.Helper()
	var found []string
	err := await.Until(ctx, "the run says "+pattern.String(), limit, 50*time.Millisecond, func(context.Context) (bool, string, error) {
		found = pattern.FindStringSubmatch(c.output.String())
		return found != nil, "", nil
	})
	require.NoError(t, err, c.output.String())
	return found[1]
}

var (
	saysRun = regexp.MustCompile(`(?m)^\s*run ([0-9a-f]{8})$`)
	saysUp  = regexp.MustCompile(`(the stack is up)`)
)

// containers are the ids of those that a run has, whatever their state.
func containers(ctx context.Context, t *testing.T, run string) []string {
	t.Helper()
	api, err := engine.Connect()
	require.NoError(t, err)
	list, err := api.ContainerList(ctx, client.ContainerListOptions{
		All: true, Filters: make(client.Filters).Add("label", "streamgate.run="+run),
	})
	require.NoError(t, err)
	var ids []string
	for _, c := range list.Items {
		ids = append(ids, c.ID)
	}
	return ids
}
