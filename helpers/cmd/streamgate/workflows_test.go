package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"streamgate/helpers/bundle"
	"streamgate/helpers/bundle/bundletest"
	"streamgate/helpers/config"
)

const actionFile = ".github/actions/gate/action.yml"

func repository(t *testing.T) string {
	t.Helper()
	root, err := config.Root()
	require.NoError(t, err)
	return root
}

// source reads a file of the repository.
func source(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(repository(t), filepath.FromSlash(path)))
	require.NoError(t, err)
	return string(content)
}

// workflows are the texts of every workflow and of the action, by path.
func workflows(t *testing.T) map[string]string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(repository(t), ".github", "workflows", "*.yml"))
	require.NoError(t, err)
	texts := map[string]string{actionFile: source(t, actionFile)}
	for _, path := range paths {
		name := ".github/workflows/" + filepath.Base(path)
		texts[name] = source(t, name)
	}
	require.Len(t, texts, 4)
	return texts
}

// targets are the Makefile's that `make` lists.
func targets(t *testing.T) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	for _, match := range regexp.MustCompile(`(?m)^([a-z]+):.* ## `).FindAllStringSubmatch(source(t, "Makefile"), -1) {
		found[match[1]] = true
	}
	require.NotEmpty(t, found)
	return found
}

var runLine = regexp.MustCompile(`(?m)^\s*(?:- )?run: (.*)$`)

// Is each `run` of a workflow one line, without an expression that a pull request could fill,
// and a make target or a script that is there?
func TestWorkflowsOnlyRunScripts(t *testing.T) {
	known, commands := targets(t), 0
	for name, text := range workflows(t) {
		for _, match := range runLine.FindAllStringSubmatch(text, -1) {
			commands++
			line := strings.TrimPrefix(match[1], "$GITHUB_ACTION_PATH/../../../")
			assert.NotContains(t, line, "${{", name)
			if target, found := strings.CutPrefix(line, "make "); found {
				assert.True(t, known[target], "%s runs make %s, which is no target", name, target)
				continue
			}
			require.Regexp(t, `^\.ci/[a-z]+( [a-z]+)?$`, line, name)
			info, err := os.Stat(filepath.Join(repository(t), strings.Fields(line)[0]))
			require.NoError(t, err)
			assert.NotZero(t, info.Mode()&0o100, "%s can be run", line)
		}
	}
	assert.Greater(t, commands, 10)
}

// Is each action pinned by a commit, does each workflow have the least permissions, a
// concurrency group, and a time limit for each of its own jobs, and is no secret named?
func TestWorkflowsAreSafe(t *testing.T) {
	for name, text := range workflows(t) {
		for _, match := range regexp.MustCompile(`(?m)^\s*(?:- )?uses: (.*)$`).FindAllStringSubmatch(text, -1) {
			assert.Regexp(t, `^(\./.*|[a-z/-]+@[0-9a-f]{40} # v[\d.]+)$`, match[1], name)
		}
		assert.NotContains(t, text, "secrets.", name)
		assert.NotContains(t, text, "pull_request_target", name)
		assert.NotContains(t, text, ": write", name)
		if name == actionFile {
			continue
		}
		assert.Contains(t, text, "\npermissions:\n  contents: read\n", name)
		assert.Contains(t, text, "\nconcurrency:\n", name)
		assert.Equal(t, strings.Count(text, "runs-on:"), strings.Count(text, "timeout-minutes:"), name)
		assert.Equal(t, strings.Count(text, "actions/checkout@"), strings.Count(text, "persist-credentials: false"), name)
	}
}

// runner is a fake of all that the scripts call outside of this repository: an action's
// runner with its files, and programs that write down how they were called.
type runner struct {
	t    *testing.T
	temp string
	env  []string
}

// newRunner has a `make gate` that leaves the given bundle and ends with that code.
func newRunner(t *testing.T, leaves string, code string) runner {
	t.Helper()
	temp := t.TempDir()
	bin := filepath.Join(temp, "bin")
	require.NoError(t, os.Mkdir(bin, 0o755))
	for name, script := range map[string]string{
		"make":   `case $* in *gate*) [ -z "$LEAVES" ] || cp -r "$LEAVES" "$STREAMGATE_OUT/"; exit ` + code + ` ;; esac`,
		"docker": `[ "$1" = load ] || echo images > "$3"`,
		"gh":     `case $1 in api) echo "$HISTORY_RUN" ;; *) cp "$TEMP/old.ndjson" "${9:?folder}/history.ndjson" ;; esac`,
	} {
		text := "#!/usr/bin/env bash\nset -eu\necho \"" + name + " $*\" >> \"$TEMP/calls\"\n" + script + "\n"
		require.NoError(t, os.WriteFile(filepath.Join(bin, name), []byte(text), 0o755)) //nolint:gosec // a program
	}
	env := append(os.Environ(),
		"PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "TEMP="+temp, "LEAVES="+leaves,
		"RUNNER_TEMP="+temp, "GITHUB_STEP_SUMMARY="+filepath.Join(temp, "summary"), "GITHUB_OUTPUT="+filepath.Join(temp, "output"),
		"GITHUB_ACTION_PATH="+filepath.Join(repository(t), ".github", "actions", "gate"), "GITHUB_REPOSITORY=example/streamgate",
	)
	return runner{t, temp, env}
}

// step runs one line of a workflow as GitHub does, in a folder that is not the repository.
func (m runner) step(line string, environ ...string) (code int, output string) {
	m.t.Helper()
	command := exec.CommandContext(m.t.Context(), "bash", "-e", "-o", "pipefail", "-c", line)
	command.Dir, command.Env = m.temp, append(m.env, environ...)
	text, err := command.CombinedOutput()
	if err != nil {
		var ended *exec.ExitError
		require.ErrorAs(m.t, err, &ended)
	}
	return command.ProcessState.ExitCode(), string(text)
}

func (m runner) file(name string) string {
	m.t.Helper()
	content, err := os.ReadFile(filepath.Join(m.temp, name))
	require.NoError(m.t, err)
	return string(content)
}

// output is the last value of a step's output.
func (m runner) output(name string) string {
	m.t.Helper()
	values := regexp.MustCompile(`(?m)^`+name+`=(.*)$`).FindAllStringSubmatch(m.file("output"), -1)
	require.NotEmpty(m.t, values, name)
	return values[len(values)-1][1]
}

// Do the action's steps, taken from its file and run one after the other with a fake GitHub,
// end as they should? Everything is real but make, docker and GitHub: the summary is
// rendered, the outputs are set, and only the last step is red.
func TestActionSteps(t *testing.T) {
	for name, c := range map[string]struct {
		bundle  func() bundle.Run
		runCode string
		verdict string
		code    int
		errors  int
	}{
		"pass":             {bundletest.Run, "0", "pass", 0, 0},
		"pass, run failed": {bundletest.Run, "2", "pass", 1, 0},
		"fail":             {slower, "2", "fail", 1, 2},
		"no bundle":        {nil, "2", "none", 1, 1},
	} {
		t.Run(name, func(t *testing.T) {
			leaves := ""
			if c.bundle != nil {
				leaves = written(t, c.bundle(), true)
			}
			m := newRunner(t, leaves, c.runCode)
			var steps []string
			for _, match := range runLine.FindAllStringSubmatch(source(t, actionFile), -1) {
				steps = append(steps, match[1])
			}
			last := len(steps) - 1
			require.Regexp(t, "gate verdict$", steps[last], "the verdict comes last")
			annotations := ""
			for _, step := range steps[:last] {
				code, output := m.step(step)
				if strings.HasSuffix(step, "gate check") { // as this machine is
					assert.Contains(t, []int{0, unfit}, code, output)
					assert.Regexp(t, `(?m)^(ok|stop|warning) +engine `, output)
					continue
				}
				assert.Zero(t, code, "%s: %s", step, output)
				if strings.HasSuffix(step, "gate annotate") {
					annotations = output
				}
			}
			code, output := m.step(steps[last], "GATE_CODE="+m.output("code"))
			assert.Equal(t, c.code, code, output)

			assert.Equal(t, c.runCode, m.output("code"))
			assert.Equal(t, c.verdict, m.output("verdict"))
			assert.Equal(t, c.errors, strings.Count(annotations, "::error "), annotations)
			assert.Contains(t, m.file("summary"), c.verdict)
			if c.bundle != nil {
				assert.Equal(t, filepath.Base(leaves), m.output("bundle"))
				assert.NotEmpty(t, m.output("ratio"))
			}
			assert.Regexp(t, `(?m)^docker save --output .*streamgate-images\.tar streamgate/opensearch:\w+ streamgate/minio:\w+ streamgate/toxiproxy:\w+$`, m.file("calls"))
			assert.Regexp(t, `^streamgate-images-\w+-[0-9a-f]{16}$`, m.output("key"))
		})
	}
}

// Are the steps in the order in which a red run still leaves all it has, and does each that
// must come after a red one say so?
func TestActionOrder(t *testing.T) {
	text := source(t, actionFile)
	at := -1
	for _, name := range []string{"Run", "Summary", "Upload the bundle", "Annotations", "Verdict"} {
		next := strings.Index(text, "- name: "+name+"\n")
		require.Greater(t, next, at, name)
		at = next
		if name != "Run" {
			step, _, _ := strings.Cut(text[next+2:], "- name: ")
			assert.Contains(t, step, "if: always()\n", name)
		}
	}
	assert.NotContains(t, text[at+2:], "- name: ")
}

// Is a file of images that the cache had loaded, and removed for the sake of the disk?
func TestImagesLoad(t *testing.T) {
	m := newRunner(t, "", "0")
	load := filepath.Join(repository(t), ".ci", "images") + " load"
	_, output := m.step(load)
	assert.Contains(t, output, "none cached")
	require.NoError(t, os.WriteFile(filepath.Join(m.temp, "streamgate-images.tar"), []byte("images"), 0o600))
	code, output := m.step(load)
	assert.Zero(t, code, output)
	assert.Contains(t, m.file("calls"), "docker load --quiet --input "+m.temp)
	assert.NoFileExists(t, filepath.Join(m.temp, "streamgate-images.tar"))
}

// Does a night's history begin where there is none, and go on where there is one?
func TestHistorySteps(t *testing.T) {
	m := newRunner(t, "", "0")
	history := filepath.Join(repository(t), ".ci", "history")
	code, output := m.step(history+" fetch", "HISTORY_RUN=")
	assert.Zero(t, code, output)
	assert.Contains(t, output, "it begins with this run")

	code, output = m.step(history + " append")
	assert.Equal(t, 1, code)
	assert.Contains(t, output, "no job has left a bundle")

	require.NoError(t, os.WriteFile(filepath.Join(m.temp, "old.ndjson"), []byte(`{"bundle":"old","start":"2026-11-01T00:00:00Z","suite":"multistream"}`+"\n"), 0o600))
	code, output = m.step(history+" fetch", "HISTORY_RUN=7")
	assert.Zero(t, code, output)
	assert.Contains(t, m.file("calls"), "gh run download 7 --repo example/streamgate --name streamgate-history")

	artifact := filepath.Join(m.temp, "streamgate-bundles", "bundles-gate")
	require.NoError(t, os.MkdirAll(artifact, 0o755))
	require.NoError(t, os.CopyFS(filepath.Join(artifact, "bundle"), os.DirFS(written(t, bundletest.Run(), true))))
	code, output = m.step(history + " append")
	assert.Zero(t, code, output)
	assert.Equal(t, 2, strings.Count(m.file("streamgate-history/history.ndjson"), "\n"))
	assert.Contains(t, m.file("summary"), "## Change over time")
}

// Does each script refuse a step that it does not have?
func TestScriptsRefuse(t *testing.T) {
	m := newRunner(t, "", "0")
	for _, script := range []string{"gate", "images", "history"} {
		code, output := m.step(filepath.Join(repository(t), ".ci", script) + " nonsense")
		assert.Equal(t, 2, code)
		assert.Contains(t, output, script+": nonsense: want ")
	}
}

// Is a browser that is there used, and is one that cannot be had no failure?
func TestBrowser(t *testing.T) {
	bin := t.TempDir()
	for _, name := range []string{"bash", "dirname", "id", "grep", "env"} {
		path, err := exec.LookPath(name)
		require.NoError(t, err)
		require.NoError(t, os.Symlink(path, filepath.Join(bin, name)))
	}
	run := func() string {
		command := exec.CommandContext(t.Context(), filepath.Join(repository(t), ".ci", "browser"))
		command.Env = []string{"PATH=" + bin, "BROWSER_OS_RELEASE=" + filepath.Join(bin, "no-such-file")}
		output, err := command.CombinedOutput()
		require.NoError(t, err, string(output))
		return string(output)
	}
	assert.Contains(t, run(), "browser: none, the report page is not looked at")
	require.NoError(t, os.WriteFile(filepath.Join(bin, "chromium"), []byte("#!/bin/sh\n"), 0o755)) //nolint:gosec // a program
	assert.Equal(t, "browser: using "+filepath.Join(bin, "chromium")+"\n", run())
}
