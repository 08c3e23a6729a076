package doctor_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"streamgate/fixtures/engine"
	"streamgate/helpers/cmd/streamgate/doctor"
	"streamgate/helpers/config"
)

// healthy is a machine on which nothing is wrong.
func healthy(t *testing.T) doctor.Facts {
	t.Helper()
	settings, err := config.Load(nil)
	require.NoError(t, err)
	return doctor.Facts{
		Config:       settings,
		Engine:       doctor.Engine{Name: "Docker Engine", Version: "26.1.5", APIVersion: "1.45", FreeBytes: 50e9},
		Images:       doctor.Images{Base: true},
		OutFreeBytes: 50e9, MemoryFreeBytes: 16 << 30, Cores: 4, MaxMapCount: 65530, OpenFiles: 1 << 20,
	}
}

// Is each thing that is wrong with a machine found, in the right state, with what to do, and
// nothing else with it? Each row spoils one fact of a healthy machine.
func TestJudge(t *testing.T) {
	registry := errors.New("dial tcp: lookup registry: no such host")
	for name, c := range map[string]struct {
		spoil  func(*doctor.Facts)
		check  string
		state  doctor.State
		found  string
		advice string
	}{
		"no engine": {
			func(f *doctor.Facts) { f.Engine = doctor.Engine{Fault: fmt.Errorf("%w (refused)", engine.ErrNoEngine)} },
			"engine", doctor.Stop, "no container engine answers", "make engine",
		},
		"another engine than the one named": {
			func(f *doctor.Facts) {
				f.Engine = doctor.Engine{Fault: errors.New("no container engine answers at DOCKER_HOST=tcp://x")}
			},
			"engine", doctor.Stop, "DOCKER_HOST=tcp://x", "docker version",
		},
		"engine too old": {
			func(f *doctor.Facts) {
				f.Engine = doctor.Engine{Fault: engine.ErrNoEngine, APIVersion: "1.24"}
			},
			"engine", doctor.Stop, "speaks API 1.24, 1.40 is the least", "update the engine",
		},
		"engine older than tried": {
			func(f *doctor.Facts) { f.Engine.APIVersion = "1.40" }, "engine", doctor.Warning, "API 1.40", "tried with API 1.41",
		},
		"no disk": {
			func(f *doctor.Facts) { f.Engine.FreeBytes = 150e6 }, "disk", doctor.Stop, "150MB free", "needs 4 times its size, 200MB",
		},
		"no disk to build on": {
			func(f *doctor.Facts) { f.Engine.FreeBytes, f.Images.Missing = 2e9, nil }, "", doctor.OK, "", "",
		},
		"no engine folder here": {
			func(f *doctor.Facts) { f.Engine.FreeBytes = -1 }, "", doctor.OK, "", "",
		},
		"image missing": {
			func(f *doctor.Facts) { f.Images.Missing = []string{"streamgate/minio:1"} }, "images", doctor.Warning, "missing: streamgate/minio:1", "the first run builds them",
		},
		"registry out of reach": {
			func(f *doctor.Facts) { f.Images.Asked, f.Images.Registry = true, registry },
			"registry", doctor.Warning, "no such host", "as root on Debian or Ubuntu",
		},
		"registry out of reach of root": {
			func(f *doctor.Facts) { f.Images.Asked, f.Images.Registry, f.Root = true, registry, true }, "", doctor.OK, "", "",
		},
		"a kept stack": {
			func(f *doctor.Facts) { f.Engine.Leftovers = []engine.Leftover{{Kept: true}} }, "leftovers", doctor.Warning, "1 containers", "streamgate down",
		},
		"an orphan": {
			func(f *doctor.Facts) { f.Engine.Leftovers = []engine.Leftover{{Orphan: true}} }, "leftovers", doctor.Warning, "have died", "streamgate clean",
		},
		"a live run": {
			func(f *doctor.Facts) { f.Engine.Leftovers = []engine.Leftover{{}} }, "", doctor.OK, "", "",
		},
		"no room for bundles": {
			func(f *doctor.Facts) { f.OutFreeBytes = 1e6 }, "bundles", doctor.Warning, "1MB free", "STREAMGATE_OUT",
		},
		"no memory": {
			func(f *doctor.Facts) { f.MemoryFreeBytes = 2 << 30 }, "memory", doctor.Stop, "2GiB available", "needs 3GiB at least",
		},
		"little memory": {
			func(f *doctor.Facts) { f.MemoryFreeBytes = 3500 << 20 }, "memory", doctor.Warning, "available", "better off with 4GiB",
		},
		"memory for one stack, not for two": {
			func(f *doctor.Facts) {
				f.Config, _ = config.Load([]string{"STREAMGATE_BASE=maven:3.6.0"})
				f.MemoryFreeBytes = 5 << 30
			}, "memory", doctor.Stop, "5GiB available", "two stacks of 2 nodes with 1GiB of heap each need 6GiB at least",
		},
		"disk for one stack, not for two": {
			func(f *doctor.Facts) {
				f.Config, _ = config.Load([]string{"STREAMGATE_CANDIDATE=maven:3.6.0"})
				f.Engine.FreeBytes = 350e6
			}, "disk", doctor.Stop, "350MB free", "needs 8 times its size, 400MB",
		},
		"one core": {
			func(f *doctor.Facts) { f.Cores = 1 }, "cores", doctor.Warning, "1 core", "use 2 or more",
		},
		"no loopback": {
			func(f *doctor.Facts) { f.Loopback = errors.New("cannot assign") }, "ports", doctor.Stop, "cannot assign", "loopback",
		},
		"few open files": {
			func(f *doctor.Facts) { f.OpenFiles = 1024 }, "kernel", doctor.Warning, "1024 files", "4096",
		},
		"no limits to read": {
			func(f *doctor.Facts) { f.OpenFiles, f.MaxMapCount, f.MemoryFreeBytes, f.OutFreeBytes = -1, -1, -1, -1 }, "", doctor.OK, "", "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			facts := healthy(t)
			c.spoil(&facts)
			findings := doctor.Judge(facts)
			assert.Equal(t, c.state, doctor.Worst(findings))
			for _, f := range findings {
				if f.Check != c.check {
					assert.Equal(t, doctor.OK, f.State, "%+v", f)
					assert.Empty(t, f.Advice, f.Check)
					assert.NotEmpty(t, f.Found, f.Check)
					continue
				}
				assert.Equal(t, c.state, f.State)
				assert.Contains(t, f.Found, c.found)
				assert.Contains(t, f.Advice, c.advice)
			}
			if c.check != "" {
				assert.Contains(t, checks(findings), c.check)
			}
		})
	}
}

// Do wrong settings stop, and is the rest still looked at?
func TestJudgeWrongSettings(t *testing.T) {
	facts := healthy(t)
	facts.Config, facts.ConfigFault = config.Load([]string{"STREAMGATE_ROUNDS=0"})
	findings := doctor.Judge(facts)
	assert.Equal(t, doctor.Stop, findings[0].State)
	assert.Contains(t, findings[0].Found, "STREAMGATE_ROUNDS")
	for _, f := range findings[1:] {
		assert.NotEqual(t, doctor.Stop, f.State, "%+v", f)
	}
}

// Without the repository, is that the one thing that stops, and are the images not blamed?
func TestJudgeWithoutRepository(t *testing.T) {
	facts := healthy(t)
	facts.RepositoryFault = errors.New("find the repository: nowhere")
	findings := doctor.Judge(facts)
	assert.Equal(t, doctor.Finding{
		Check: "repository", State: doctor.Stop, Found: "find the repository: nowhere",
		Advice: "change into the folder of a checkout of streamgate",
	}, findings[1])
	for _, f := range append(findings[:1:1], findings[2:]...) {
		assert.NotEqual(t, doctor.Stop, f.State, "%+v", f)
	}
}

// Is disk for building only asked for when something is to be built?
func TestJudgeDiskForBuilding(t *testing.T) {
	facts := healthy(t)
	facts.Engine.FreeBytes, facts.Images.Missing = 2e9, []string{"streamgate/minio:1"}
	states := map[string]doctor.State{}
	for _, f := range doctor.Judge(facts) {
		states[f.Check] = f.State
	}
	assert.Equal(t, doctor.Warning, states["disk"])
}

// Does looking work here, whatever this machine is, and does a bad setting end up in it?
func TestLook(t *testing.T) {
	facts := doctor.Look(t.Context(), []string{"STREAMGATE_SEGMENTS=none"})
	require.ErrorContains(t, facts.ConfigFault, "STREAMGATE_SEGMENTS")
	assert.Positive(t, facts.Cores)
	assert.Positive(t, facts.MemoryFreeBytes)
	require.NoError(t, facts.Loopback)
}

func checks(findings []doctor.Finding) string {
	var names []string
	for _, f := range findings {
		names = append(names, f.Check)
	}
	return strings.Join(names, " ")
}
