package main

import (
	"errors"
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
	"streamgate/helpers/cmd/streamgate/github/actiontest"
)

// runner is a fake of all that the scripts call outside of this repository: an action's
// runner with its files, and programs that write down how they were called.
type runner struct {
	t    *testing.T
	temp string
	env  []string
}

// newRunner has a `make gate` and a `make compare` that leave the given bundle and end with that
// code, an engine that has every image, and an event whose texts try to be commands.
func newRunner(t *testing.T, leaves string, code string) runner {
	t.Helper()
	temp := t.TempDir()
	bin := filepath.Join(temp, "bin")
	require.NoError(t, os.Mkdir(bin, 0o755))
	for name, script := range map[string]string{
		"make": `case ${!#} in gate | compare)
  env | grep '^STREAMGATE_' | sort > "$TEMP/settings"
  [ -z "$LEAVES" ] || cp -r "$LEAVES" "$STREAMGATE_OUT/"
  exit ` + code + ` ;; esac`,
		"docker": `[ "$1" = load ] || echo images > "$3"`,
		"gh":     `case $1 in api) echo "$HISTORY_RUN" ;; *) cp "$TEMP/old.ndjson" "${9:?folder}/history.ndjson" ;; esac`,
	} {
		text := "#!/usr/bin/env bash\nset -eu\necho \"" + name + " $*\" >> \"$TEMP/calls\"\n" + script + "\n"
		require.NoError(t, os.WriteFile(filepath.Join(bin, name), []byte(text), 0o755)) //nolint:gosec // a program
	}
	event := filepath.Join(temp, "event.json")
	require.NoError(t, os.WriteFile(event, []byte(`{"pull_request": {"title": "$(touch pwned) \n::error::pwned"}}`), 0o600))
	env := append(os.Environ(),
		"PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "TEMP="+temp, "LEAVES="+leaves, "DOCKER_HOST="+fakeEngine(t, "1.45"),
		"STREAMGATE_HEAP=512MiB", // so that any machine that tests are run on has the memory
		"RUNNER_TEMP="+temp, "GITHUB_STEP_SUMMARY="+filepath.Join(temp, "summary"), "GITHUB_OUTPUT="+filepath.Join(temp, "output"),
		"GITHUB_ACTION_PATH="+filepath.Join(repository(t), ".github", "actions", "gate"), "GITHUB_REPOSITORY=example/streamgate",
		"GITHUB_EVENT_NAME=pull_request", "GITHUB_EVENT_PATH="+event, "GITHUB_HEAD_REF=$(touch pwned)", "GITHUB_WORKSPACE="+temp,
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

// action runs the composite action, its steps taken from its file. A cache has nothing, and an
// upload puts what it is given into a folder.
func (m runner) action(inputs map[string]string) actiontest.Result {
	m.t.Helper()
	action, err := actiontest.Read(filepath.Join(repository(m.t), actionFile))
	require.NoError(m.t, err)
	uses := func(step actiontest.Step) (map[string]string, error) {
		switch name, _, _ := strings.Cut(step.Uses, "@"); name {
		case "actions/setup-go":
			_, err := os.Stat(step.With["go-version-file"])
			return nil, err
		case "actions/cache/restore":
			return map[string]string{"cache-hit": ""}, nil
		case "actions/cache/save":
			_, err := os.Stat(step.With["path"])
			return nil, err
		case "actions/upload-artifact":
			if _, err := os.Stat(step.With["path"]); err != nil && step.With["if-no-files-found"] == "ignore" {
				return nil, nil
			}
			return nil, os.CopyFS(filepath.Join(m.temp, "artifacts", step.With["name"]), os.DirFS(step.With["path"]))
		default:
			return nil, errors.New("no such action")
		}
	}
	result, err := action.Run(m.t.Context(), actiontest.Job{Temp: m.temp, Environ: m.env, Uses: uses}, inputs)
	require.NoError(m.t, err)
	return result
}

// ran is one step of the action.
func ran(t *testing.T, result actiontest.Result, name string) actiontest.Ran {
	t.Helper()
	step, found := result.Find(name)
	require.True(t, found, name)
	return step
}

// Does the action, its steps run one after the other with a fake GitHub, end as it should?
// Everything is real but make, the engine, other actions and GitHub: the summary is rendered, the
// outputs are set, the bundle is uploaded, and only the last step is red. Nothing of the event,
// which a fork fills, is run or repeated.
func TestAction(t *testing.T) {
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
			result := m.action(map[string]string{"profile": "quick", "seed": "7"})
			for _, step := range result.Steps[:len(result.Steps)-1] {
				assert.Zero(t, step.Code, "%s: %s", step.Step.Name, step.Output)
				assert.False(t, step.Skipped, step.Step.Name)
			}
			assert.Equal(t, c.code, ran(t, result, "Verdict").Code)
			assert.Equal(t, c.code != 0, result.Failed)

			annotations := ran(t, result, "Annotations").Output
			assert.Equal(t, c.errors, strings.Count(annotations, "::error "), annotations)
			assert.Equal(t, c.verdict, result.Outputs["verdict"])
			assert.Contains(t, result.Summary, c.verdict)
			if c.bundle != nil {
				assert.Equal(t, filepath.Base(leaves), result.Outputs["bundle"])
				assert.Equal(t, "speed-up", result.Outputs["claim"])
				for _, number := range []string{"ratio", "lower", "upper"} {
					assert.Regexp(t, `^\d+\.\d+$`, result.Outputs[number], number)
				}
				assert.FileExists(t, filepath.Join(m.temp, "artifacts", "streamgate-gate", filepath.Base(leaves), "report.html"))
			}
			assert.Equal(t, []string{"STREAMGATE_PROFILE=quick", "STREAMGATE_SEED=7"},
				regexp.MustCompile(`(?m)^STREAMGATE_(?:PROFILE|SEED)=.*$`).FindAllString(m.file("settings"), -1))
			assert.Contains(t, m.file("settings"), "STREAMGATE_BASE=\n")
			assert.Regexp(t, `(?m)^make gate$`, m.file("calls"))
			assert.Regexp(t, `(?m)^docker save --output .*streamgate-images\.tar streamgate/opensearch:\w+ streamgate/minio:\w+ streamgate/toxiproxy:\w+$`, m.file("calls"))
			assert.Regexp(t, `^streamgate-images-\w+-[0-9a-f]{16}$`, ran(t, result, "Restore the images").Step.With["key"])
			assert.NoFileExists(t, filepath.Join(m.temp, "pwned"))
			for _, step := range result.Steps {
				assert.NotContains(t, step.Output, "pwned", step.Step.Name)
			}
		})
	}
}

// Does a distribution that a build has left somewhere in the workspace reach the run, and does a
// base make a comparison of it? The folders are those of OpenSearch's build. The cache gets what
// is the same for the next pull request only.
func TestActionComparesDistribution(t *testing.T) {
	m := newRunner(t, written(t, bundletest.Run(), true), "0")
	archive := filepath.Join(m.temp, "build", "distribution", "archives", "linux-tar", "build", "distributions", "opensearch-min-3.9.0-SNAPSHOT-linux-x64.tar.gz")
	plugin := filepath.Join(m.temp, "build", "plugins", "repository-s3", "build", "distributions", "repository-s3-3.9.0-SNAPSHOT.zip")
	for _, file := range []string{archive, plugin, strings.Replace(archive, "linux-x64", "no-jdk-linux-x64", 1)} {
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte("built"), 0o600))
	}
	result := m.action(map[string]string{"opensearch": "dist:build", "base": "maven:3.6.0", "artifact": "mine"})
	assert.False(t, result.Failed, result)
	assert.Contains(t, m.file("settings"), "STREAMGATE_OPENSEARCH=dist:"+archive+"\n")
	assert.Contains(t, m.file("settings"), "STREAMGATE_BASE=maven:3.6.0\n")
	assert.FileExists(t, filepath.Join(filepath.Dir(archive), filepath.Base(plugin)), "the plugin lies beside the archive now")
	assert.Regexp(t, `(?m)^make compare$`, m.file("calls"))
	assert.NotRegexp(t, `(?m)^make gate$`, m.file("calls"))
	assert.Regexp(t, `(?m)^docker save --output \S+ streamgate/opensearch:\w+ streamgate/minio:\w+ streamgate/toxiproxy:\w+$`, m.file("calls"))
	assert.DirExists(t, filepath.Join(m.temp, "artifacts", "mine"))
}

// Does a job that cannot begin still say why, in the summary, in one error, and at last in red?
// A path without a distribution; a source that there is not; a runner that is too small.
func TestActionCannotBegin(t *testing.T) {
	for name, c := range map[string]struct {
		inputs  map[string]string
		environ string
		step    string
		words   string
		summary string
	}{
		"no distribution": {map[string]string{"opensearch": "dist:nothing"}, "", "Sources", "dist: .*/nothing is not there: want ", "no bundle"},
		"no such release": {map[string]string{"opensearch": "maven:1.0.0"}, "", "Key of the images", "STREAMGATE_OPENSEARCH.*known are", "no bundle"},
		"two lines":       {map[string]string{"base": "maven:3.8.0\nverdict=pass"}, "", "Sources", "base: line break found", "no bundle"},
		"no such profile": {map[string]string{"profile": "fast"}, "", "Check the runner", "STREAMGATE_PROFILE", "STREAMGATE_PROFILE"},
		"no disk":         {nil, "STREAMGATE_CORPUS_SIZE=1TB", "Check the runner", "stop +disk", "the profile's corpus of 1TB needs"},
	} {
		t.Run(name, func(t *testing.T) {
			m := newRunner(t, "", "0")
			m.env = append(m.env, c.environ)
			result := m.action(c.inputs)
			failed := ran(t, result, c.step)
			assert.NotZero(t, failed.Code)
			assert.Regexp(t, c.words, failed.Output)
			assert.True(t, ran(t, result, "Run").Skipped)
			assert.Contains(t, result.Summary, c.summary)
			assert.Equal(t, "none", result.Outputs["verdict"])
			assert.Equal(t, 1, strings.Count(ran(t, result, "Annotations").Output, "::error "))
			assert.Equal(t, 1, ran(t, result, "Verdict").Code)
			assert.True(t, ran(t, result, "Save the images").Skipped)
		})
	}
}

// Are the steps in the order in which a red run still leaves all it has, and does each that
// must come after a red one say so?
func TestActionOrder(t *testing.T) {
	text := textOf(t, actionFile)
	at := -1
	for _, name := range []string{"Check the runner", "Run", "Summary", "Upload the bundle", "Annotations", "Verdict"} {
		next := strings.Index(text, "- name: "+name+"\n")
		require.Greater(t, next, at, name)
		at = next
		if name != "Run" && name != "Check the runner" {
			step, _, _ := strings.Cut(text[next+2:], "- name: ")
			assert.Contains(t, step, "if: always()\n", name)
		}
	}
	assert.NotContains(t, text[at+2:], "- name: ")
}

// Which distribution is found? The one archive of a folder with the plugin beside it, an archive
// itself, and a folder that is one already; more or less than one is refused.
func TestDist(t *testing.T) {
	script := filepath.Join(repository(t), ".ci", "dist")
	for name, c := range map[string]struct {
		files []string
		path  string
		want  string // ends so
		code  int
	}{
		"side by side":    {[]string{"a/opensearch-3.9.0.tar.gz", "a/repository-s3-3.9.0.zip"}, "a", "a/opensearch-3.9.0.tar.gz", 0},
		"archive":         {[]string{"a/opensearch-3.9.0.tar.gz"}, "a/opensearch-3.9.0.tar.gz", "a/opensearch-3.9.0.tar.gz", 0},
		"unpacked":        {[]string{"a/lib/opensearch.jar"}, "a", "/a", 0},
		"no plugin":       {[]string{"a/opensearch-3.9.0.tar.gz"}, "a", "0 files repository-s3-*.zip below", 2},
		"two archives":    {[]string{"a/opensearch-1.tar.gz", "a/b/opensearch-2.tar.gz", "a/repository-s3-1.zip"}, "a", "2 files opensearch-*.tar.gz below", 2},
		"nothing":         {nil, "a", "is not there", 2},
		"name with space": {[]string{"my build/x/opensearch-1.tar.gz", "my build/y/repository-s3-1.zip"}, "my build", "my build/x/opensearch-1.tar.gz", 0},
	} {
		t.Run(name, func(t *testing.T) {
			m := newRunner(t, "", "0")
			for _, file := range c.files {
				require.NoError(t, os.MkdirAll(filepath.Join(m.temp, filepath.Dir(file)), 0o755))
				require.NoError(t, os.WriteFile(filepath.Join(m.temp, file), nil, 0o600))
			}
			code, output := m.step(script + ` "$GITHUB_WORKSPACE/` + c.path + `"`)
			assert.Equal(t, c.code, code, output)
			assert.Contains(t, output, c.want)
			if code == 0 {
				assert.Regexp(t, `^dist:/.*\n$`, output)
			}
		})
	}
}
