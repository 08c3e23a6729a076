package main

import (
	"encoding/json"
	"os"
	"os/exec"
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

// Does the doctor say what is wrong with the engine, end with 1 and take seconds? No engine,
// and one that is too old, each in a process of its own.
func TestDoctorWithoutEngine(t *testing.T) {
	for name, c := range map[string]struct{ host, words string }{
		"none": {"unix:///nowhere/docker.sock", "no container engine answers"},
		"old":  {fakeEngine(t, "1.24"), "speaks API 1.24, 1.40 is the least"},
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

// Does the doctor's exit code say whether streamgate can work here? All is well with the fake
// engine but what each row spoils: nothing; an engine that is older than any that was tried; a
// disk that is too small for the corpus that is asked for; a setting that is none.
func TestDoctorExitCodes(t *testing.T) {
	const small = "STREAMGATE_HEAP=512MiB"
	for name, c := range map[string]struct {
		api, setting string
		code         int
		line         string
	}{
		"healthy":       {"1.45", small, 0, `(?m)^ok       engine     Fake Engine 26\.1\.5, API 1\.45$`},
		"old engine":    {"1.40", small, 0, `(?m)^warning  engine     Fake Engine 26\.1\.5, API 1\.40\n +-> streamgate was tried with API 1\.41`},
		"no disk":       {"1.45", "STREAMGATE_CORPUS_SIZE=1TB", unfit, `(?m)^stop     disk       .* free where the engine .*\n +-> free some: the profile's corpus of 1TB`},
		"wrong setting": {"1.45", "STREAMGATE_ROUNDS=0", unfit, `(?m)^stop     settings   STREAMGATE_ROUNDS`},
		"no memory":     {"1.45", "STREAMGATE_HEAP=32GiB STREAMGATE_DATA_NODES=8", unfit, `(?m)^stop     memory     .* available\n +-> a stack of 8 nodes`},
		"two stacks":    {"1.45", "STREAMGATE_HEAP=32GiB STREAMGATE_DATA_NODES=8 STREAMGATE_BASE=maven:3.6.0", unfit, `-> two stacks of 8 nodes`},
	} {
		t.Run(name, func(t *testing.T) {
			environ := append(strings.Fields(c.setting), "DOCKER_HOST="+fakeEngine(t, c.api))
			code, out, errs := process(t, environ, "doctor")
			assert.Equal(t, c.code, code, out)
			assert.Empty(t, errs)
			assert.Regexp(t, c.line, out)
		})
	}
}

// Is a folder outside of any checkout named as what is wrong, and nothing else blamed for it?
func TestDoctorOutsideOfTheRepository(t *testing.T) {
	t.Chdir(t.TempDir())
	code, out, _ := process(t, []string{"DOCKER_HOST=" + fakeEngine(t, "1.45")}, "doctor")
	assert.Equal(t, unfit, code)
	assert.Regexp(t, `(?m)^stop     repository +find the repository:`, out)
	assert.Contains(t, out, "change into the folder of a checkout")
	assert.NotContains(t, out, "docker images")
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
