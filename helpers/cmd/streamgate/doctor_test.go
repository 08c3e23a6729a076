package main

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"streamgate/helpers/cmd/streamgate/doctor"
)

// asMain makes a run of this test binary the command itself, for questions that need a process
// of their own: the engine is looked for once for each.
const asMain = "STREAMGATE_TEST_AS_MAIN"

func TestMain(m *testing.M) {
	if os.Getenv(asMain) != "" {
		if err := os.Unsetenv(asMain); err != nil { // else the settings would know no such variable
			panic(err)
		}
		main()
	}
	os.Exit(m.Run())
}

// process runs the command in a process of its own, under an environment of its own.
func process(t *testing.T, environ []string, arguments ...string) (code int, out, errs string) {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	command := exec.CommandContext(t.Context(), self, arguments...)
	command.Env = append([]string{asMain + "=1", "PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir()}, environ...)
	var o, e strings.Builder
	command.Stdout, command.Stderr = &o, &e
	if err := command.Run(); err != nil {
		var ended *exec.ExitError
		require.ErrorAs(t, err, &ended)
	}
	return command.ProcessState.ExitCode(), o.String(), e.String()
}

// oldEngine answers a ping as a Docker of 2016 would, on a socket of its own.
func oldEngine(t *testing.T) (host string) {
	t.Helper()
	dir, err := os.MkdirTemp("", "sg") // t.TempDir's path can be too long for a socket
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, os.RemoveAll(dir)) })
	socket := filepath.Join(dir, "docker.sock")
	var config net.ListenConfig
	listener, err := config.Listen(t.Context(), "unix", socket)
	require.NoError(t, err)
	server := &http.Server{ReadHeaderTimeout: time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Api-Version", "1.24")
		if !strings.HasSuffix(r.URL.Path, "/_ping") {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = fmt.Fprint(w, `{"message": "client is newer than server"}`)
		}
	})}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	return "unix://" + socket
}

// Does the doctor say what is wrong with the engine, end with 1 and take seconds? No engine,
// and one that is too old, each in a process of its own.
func TestDoctorWithoutEngine(t *testing.T) {
	for name, c := range map[string]struct{ host, words string }{
		"none": {"unix:///nowhere/docker.sock", "no container engine answers"},
		"old":  {oldEngine(t), "speaks API 1.24, 1.40 is the least"},
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			code, out, errs := process(t, []string{"DOCKER_HOST=" + c.host}, "doctor")
			assert.Equal(t, unfit, code)
			assert.Empty(t, errs)
			assert.Regexp(t, `(?m)^stop     engine  `, out)
			assert.Contains(t, out, c.words)
			assert.Contains(t, out, "-> ")
			assert.Regexp(t, `(?m)^ok       cores  `, out, "the rest is looked at all the same")
			assert.Less(t, time.Since(start), 15*time.Second)

			code, out, _ = process(t, []string{"DOCKER_HOST=" + c.host}, "doctor", "--json")
			assert.Equal(t, unfit, code)
			var findings []doctor.Finding
			require.NoError(t, json.Unmarshal([]byte(out), &findings))
			assert.Equal(t, doctor.Stop, doctor.Worst(findings))
		})
	}
}

// Does up refuse to begin where the doctor says stop, and leave nothing behind?
func TestUpWithoutEngine(t *testing.T) {
	code, out, errs := process(t, []string{"DOCKER_HOST=unix:///nowhere/docker.sock"}, "up")
	assert.Equal(t, refused, code)
	assert.Empty(t, out)
	assert.Regexp(t, `^streamgate: engine: no container engine answers.*streamgate doctor shows all\n$`, errs)
}

// Do down and clean say in one line that there is no engine?
func TestDownAndCleanWithoutEngine(t *testing.T) {
	for _, command := range []string{"down", "clean"} {
		code, out, errs := process(t, []string{"DOCKER_HOST=unix:///nowhere/docker.sock"}, command)
		assert.Equal(t, refused, code)
		assert.Empty(t, out)
		assert.Regexp(t, `^streamgate: no container engine answers at DOCKER_HOST=.*\n$`, errs)
	}
}

// Does every line of the doctor fit on a terminal, with its advice below what was found?
func TestPrintFindings(t *testing.T) {
	var out strings.Builder
	long := strings.Repeat("some words of a fault ", 12)
	require.NoError(t, printFindings(&out, []doctor.Finding{
		{Check: "engine", State: doctor.Stop, Found: long, Advice: long},
		{Check: "leftovers", State: doctor.Warning, Found: "2 containers", Advice: "streamgate clean"},
	}, false))
	for line := range strings.Lines(out.String()) {
		assert.LessOrEqual(t, len(line), 80+1, line)
		assert.NotRegexp(t, ` \n$`, line)
	}
	assert.Contains(t, out.String(), "warning  leftovers  2 containers\n                    -> streamgate clean\n")
}
