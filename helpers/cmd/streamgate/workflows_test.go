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
	"go.yaml.in/yaml/v3"

	"streamgate/helpers/bundle/bundletest"
	"streamgate/helpers/cmd/streamgate/github/actiontest"
	"streamgate/helpers/config"
	"streamgate/helpers/source"
)

const actionFile = ".github/actions/gate/action.yml"

func repository(t *testing.T) string {
	t.Helper()
	root, err := config.Root()
	require.NoError(t, err)
	return root
}

// textOf reads a file of the repository.
func textOf(t *testing.T, path string) string {
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
	texts := map[string]string{actionFile: textOf(t, actionFile)}
	for _, path := range paths {
		name := ".github/workflows/" + filepath.Base(path)
		texts[name] = textOf(t, name)
	}
	require.Len(t, texts, 4)
	return texts
}

// targets are the Makefile's that `make` lists.
func targets(t *testing.T) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	for _, match := range regexp.MustCompile(`(?m)^([a-z-]+):.* ## `).FindAllStringSubmatch(textOf(t, "Makefile"), -1) {
		found[match[1]] = true
	}
	require.NotEmpty(t, found)
	return found
}

var runLine = regexp.MustCompile(`(?m)^\s*(?:- )?run: (.*)$`)

// example is the workflow that OpenSearch's own repository may take.
const example = ".github/examples/opensearch-pull-request.yml"

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
	texts := workflows(t)
	texts[example] = textOf(t, example)
	for name, text := range texts {
		for _, match := range regexp.MustCompile(`(?m)^\s*(?:- )?uses: (.*)$`).FindAllStringSubmatch(text, -1) {
			assert.Regexp(t, `^(\./.*|[a-z/-]+@[0-9a-f]{40} # v[\d.]+|OWNER/streamgate/.*@[0-9a-f]{40})$`, match[1], name)
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

// call is what a workflow hands to another, or to the action.
type call struct {
	Uses string
	With map[string]string
}

// workflow is a workflow as far as these tests ask.
type workflow struct {
	On struct {
		Call struct {
			Inputs, Outputs map[string]any
		} `yaml:"workflow_call"`
		Dispatch struct {
			Inputs map[string]any
		} `yaml:"workflow_dispatch"`
	}
	Jobs map[string]struct {
		call     `yaml:",inline"`
		Needs    any
		Outputs  map[string]string
		Steps    []call
		Strategy struct {
			Matrix struct{ Version []string }
		}
	}
}

func readWorkflow(t *testing.T, path string) workflow {
	t.Helper()
	var read workflow
	require.NoError(t, yaml.Unmarshal([]byte(textOf(t, path)), &read))
	return read
}

// Does the workflow hand every input on to the action, and every output of it back, and does the
// README name them all? The distribution alone is the workflow's own: it becomes a source.
func TestGateWorkflowKeepsUpWithTheAction(t *testing.T) {
	action, err := actiontest.Read(filepath.Join(repository(t), actionFile))
	require.NoError(t, err)
	gate := readWorkflow(t, ".github/workflows/gate.yml")
	steps := gate.Jobs["gate"].Steps
	given := steps[len(steps)-1]
	require.Equal(t, "./.github/actions/gate", given.Uses)
	called, byHand := gate.On.Call.Inputs, gate.On.Dispatch.Inputs
	for name := range action.Inputs {
		assert.Contains(t, called, name)
		assert.Contains(t, given.With[name], "inputs."+name)
		if name != "artifact" {
			assert.Contains(t, byHand, name)
		}
	}
	assert.Len(t, called, len(action.Inputs)+1)
	assert.Contains(t, given.With["opensearch"], "inputs.distribution-artifact && format('dist:{0}/streamgate-distribution', runner.temp)")
	assert.Equal(t, "${{ runner.temp }}/streamgate-distribution", steps[len(steps)-2].With["path"])
	for name := range action.Outputs {
		assert.Contains(t, gate.On.Call.Outputs, name)
		assert.Equal(t, "${{ steps.gate.outputs."+name+" }}", gate.Jobs["gate"].Outputs[name])
	}
	assert.Len(t, gate.On.Call.Outputs, len(action.Outputs))

	_, section, found := strings.Cut(textOf(t, "README.md"), "\n## In GitHub Actions\n")
	require.True(t, found)
	section, _, _ = strings.Cut(section, "\n## ")
	rows := strings.Join(regexp.MustCompile(`(?m)^\| (`+"`[^|]*`"+`) \|`).FindAllString(section, -1), "\n")
	for _, names := range []map[string]any{called, gate.On.Call.Outputs} {
		for name := range names {
			assert.Contains(t, rows, "`"+name+"`", "the README's tables")
		}
	}
}

// Does the night measure the releases that `make matrix` does, today's default among them, and
// does each leave an artifact that the history finds?
func TestNightlyVersions(t *testing.T) {
	night := readWorkflow(t, ".github/workflows/nightly.yml")
	versions := night.Jobs["gate"].Strategy.Matrix.Version
	assert.Contains(t, textOf(t, "Makefile"), "$${STREAMGATE_VERSIONS:-"+strings.Join(versions, ",")+"}")
	for _, version := range versions {
		from, err := source.Parse("maven:" + version)
		require.NoError(t, err)
		assert.Empty(t, from.Release().Bad)
	}
	assert.Contains(t, versions, source.Default.Value)
	assert.Equal(t, "bundles-gate-${{ matrix.version }}", night.Jobs["gate"].With["artifact"])
	assert.Equal(t, "maven:${{ matrix.version }}", night.Jobs["gate"].With["opensearch"])
	assert.ElementsMatch(t, []any{"gate", "noise"}, night.Jobs["history"].Needs)
	for _, step := range night.Jobs["history"].Steps {
		if strings.HasPrefix(step.Uses, "actions/download-artifact@") {
			assert.Equal(t, "bundles-*", step.With["pattern"])
		}
	}
}

// Does the example for OpenSearch's own repository call the gate with inputs that it has, with the
// artifact that its build leaves, and use outputs that there are? (make lint lets actionlint see
// the same and more.)
func TestExampleCallsTheGate(t *testing.T) {
	gate, calls := readWorkflow(t, ".github/workflows/gate.yml"), 0
	built := readWorkflow(t, example)
	for name, job := range built.Jobs {
		if !strings.HasPrefix(job.Uses, "OWNER/streamgate/.github/workflows/gate.yml@") {
			continue
		}
		calls++
		for input := range job.With {
			assert.Contains(t, gate.On.Call.Inputs, input, name)
		}
		steps := built.Jobs["build"].Steps
		assert.Equal(t, steps[len(steps)-1].With["name"], job.With["distribution-artifact"], name)
		if base := job.With["base"]; base != "" {
			assert.Equal(t, source.Default.String(), base, "the last release")
		}
	}
	assert.Equal(t, 2, calls)
	outputs := regexp.MustCompile(`needs\.(?:gate|compare)\.outputs\.(\w+)`).FindAllStringSubmatch(textOf(t, example), -1)
	require.NotEmpty(t, outputs)
	for _, output := range outputs {
		assert.Contains(t, gate.On.Call.Outputs, output[1])
	}
}

// Is a broken example refused, with a word about what is wrong? The real actionlint is make
// lint's: here a program stands in that only says what it was given.
func TestExamplesScript(t *testing.T) {
	m := newRunner(t, "", "0")
	lint := filepath.Join(m.temp, "lint")
	require.NoError(t, os.WriteFile(lint, []byte("#!/bin/sh\nls .git .github/actions > /dev/null && grep -h ' uses: ./' \"$@\"\n"), 0o755)) //nolint:gosec // a program
	code, output := m.step(filepath.Join(repository(t), ".ci", "examples") + " " + lint)
	assert.Zero(t, code, output)
	assert.Equal(t, strings.Repeat("    uses: ./.github/workflows/gate.yml\n", 2)+"examples: checked 1\n", output)

	require.NoError(t, os.WriteFile(lint, []byte("#!/bin/sh\nexit 3\n"), 0o755)) //nolint:gosec // a program
	code, _ = m.step(filepath.Join(repository(t), ".ci", "examples") + " " + lint)
	assert.Equal(t, 3, code)
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
