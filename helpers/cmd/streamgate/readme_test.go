package main

import (
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/docker/go-units"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"streamgate/helpers/bundle"
	"streamgate/helpers/bundle/bundletest"
	"streamgate/helpers/config"
	"streamgate/helpers/estimate"
	"streamgate/helpers/recovery"
	"streamgate/helpers/verdict"
)

var update = flag.Bool("update", false, "write the tables of README.md anew")

// profileTime is what `make gate` takes with the images built, as suites/multistream asks go test for.
func profileTime(t *testing.T, profile string) string {
	t.Helper()
	c, err := config.Load([]string{"STREAMGATE_PROFILE=" + profile})
	require.NoError(t, err)
	least, most, err := estimate.Gate(c)
	require.NoError(t, err)
	return fmt.Sprintf("%.0f to %.0f min", least.Minutes(), math.Ceil(most.Minutes()))
}

// profileTable is the table of profiles, from the code.
func profileTable(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("| profile | corpus | segments | link, per connection | most rounds | speed-up | efficiency | time |\n|---|---:|---:|---:|---:|---:|---:|---:|\n")
	for _, p := range config.Profiles {
		fmt.Fprintf(&b, "| %s | %s | %d | %s/s | %d | at least %g | at least %g | %s |\n", p.Name, units.HumanSize(float64(p.CorpusBytes)),
			p.Segments, units.HumanSize(float64(p.LinkRateBytes)), p.Rounds, p.MinSpeedup, p.MinEfficiency, profileTime(t, p.Name))
	}
	return b.String()
}

// Are the tables of the README those of the code? With -update they are written instead.
func TestReadmeTables(t *testing.T) {
	readme := textOf(t, "README.md")
	for name, table := range map[string]string{"profiles": profileTable(t), "variables": config.Markdown()} {
		begin := "<!-- " + name + ": go test ./helpers/cmd/streamgate -update -->\n"
		end := "<!-- end of " + name + " -->\n"
		before, rest, found := strings.Cut(readme, begin)
		require.True(t, found, name)
		have, after, found := strings.Cut(rest, end)
		require.True(t, found, name)
		if *update {
			readme = before + begin + "\n" + table + "\n" + end + after
			continue
		}
		assert.Equal(t, "\n"+table+"\n", have, "the table of %s: go test ./helpers/cmd/streamgate -run TestReadme -update", name)
	}
	if *update {
		require.NoError(t, os.WriteFile(filepath.Join(repository(t), "README.md"), []byte(readme), 0o644)) //nolint:gosec // a text for all
	}
}

// documents are the texts that name commands, files and targets.
var documents = []string{"README.md", "CONTRIBUTING.md"}

// Is each `make X` in the documents a target, and each variable one that there is?
func TestDocumentsNameWhatThereIs(t *testing.T) {
	known := targets(t)
	variables := map[string]bool{}
	for _, v := range config.Variables() {
		variables[v.Name] = true
	}
	for _, name := range documents {
		text := textOf(t, name)
		made := regexp.MustCompile("(?m)(?:`|^ *|[A-Z0-9] )make ([a-z-]+)").FindAllStringSubmatch(text, -1)
		require.NotEmpty(t, made, name)
		for _, match := range made {
			assert.True(t, known[match[1]], "%s names make %s", name, match[1])
		}
		for _, match := range regexp.MustCompile(`STREAMGATE_[A-Z_]+`).FindAllString(text, -1) {
			assert.True(t, variables[match], "%s names %s", name, match)
		}
		for _, match := range regexp.MustCompile(`\]\(([^)#:]+)\)`).FindAllStringSubmatch(text, -1) {
			assert.FileExists(t, filepath.Join(repository(t), match[1]), name)
		}
	}
}

// shellLines are the lines of the document's blocks of commands.
func shellLines(text string) []string {
	var lines []string
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(text, -1) {
		lines = append(lines, strings.Split(strings.TrimSpace(block[1]), "\n")...)
	}
	return lines
}

// needsStack are those of the command that start, remove or show something on the machine: of
// them only the help is asked for here. What they do is asked by suites with containers.
var needsStack = map[string]bool{"up": true, "down": true, "clean": true, "restore": true}

// Do the documents' commands work? Those of streamgate are run, with bundles in place of the ones
// they name. Those of make and go are resolved as far as anything would be started: make says what
// it would run, the settings before it are read, and the tests that it names are looked for.
func TestDocumentCommands(t *testing.T) {
	ran := map[string]int{}
	for _, name := range documents {
		for _, line := range shellLines(textOf(t, name)) {
			settings, words := settingsOf(line)
			if len(settings) > 0 {
				_, err := config.Load(settings)
				require.NoError(t, err, line)
			}
			switch kind := strings.Join(words[:min(2, len(words))], " "); {
			case kind == "go run":
				require.Equal(t, "./helpers/cmd/streamgate", words[2], line)
				if words[3] == "restore" {
					assert.Contains(t, strings.Join(settings, " "), "STREAMGATE_TARGET=", "restore refuses without it: "+line)
				}
				ran[words[3]]++
				runStreamgate(t, line, words[3:])
			case kind == "go test":
				testsAreThere(t, line)
			case kind == "go build":
				assert.DirExists(t, filepath.Join(repository(t), words[len(words)-1]), line)
			case words[0] == "make":
				makeIsThere(t, settings, words[1:])
			default:
				assert.Fail(t, "no test knows how to try this command", line)
			}
		}
	}
	assert.Equal(t, map[string]int{"judge": 2, "compare": 1, "up": 2, "down": 1, "clean": 1, "restore": 1}, ran)
}

// Does every target that make lists name tests that are there?
func TestTargetsNameTests(t *testing.T) {
	for target := range targets(t) {
		makeIsThere(t, nil, []string{target})
	}
}

// settingsOf parts a line into the variables in front and the words of the command.
func settingsOf(line string) (settings, words []string) {
	words = strings.Fields(line)
	for len(words) > 0 && strings.HasPrefix(words[0], "STREAMGATE_") {
		settings, words = append(settings, words[0]), words[1:]
	}
	return settings, words
}

func runStreamgate(t *testing.T, line string, arguments []string) {
	t.Helper()
	for i, argument := range arguments {
		if argument == "out" || strings.HasPrefix(argument, "out/") {
			arguments[i] = written(t, bundletest.Run(), true)
		}
	}
	if needsStack[arguments[0]] {
		arguments = append(arguments, "--help")
	}
	code, out, errs := streamgate(t, arguments...)
	assert.Equal(t, 0, code, "%s: %s", line, errs)
	assert.NotEmpty(t, out, line)
}

// makeIsThere asks make what it would run, and looks for the tests of it.
func makeIsThere(t *testing.T, settings, arguments []string) {
	t.Helper()
	command := exec.CommandContext(t.Context(), "make", append([]string{"--dry-run", "--no-print-directory"}, arguments...)...)
	command.Dir, command.Env = repository(t), append(os.Environ(), settings...)
	plan, err := command.CombinedOutput()
	require.NoError(t, err, "make %s: %s", arguments, plan)
	for _, line := range strings.Split(string(plan), "\n") {
		if strings.Contains(line, "go test ") {
			testsAreThere(t, line)
		}
	}
}

var (
	tagsFlag = regexp.MustCompile(` -tags (\S+)`)
	runFlag  = regexp.MustCompile(` -run '?\^?(Test\w+)`)
	packages = regexp.MustCompile(` (\./\S+)`)
)

// testsAreThere looks for the packages of a `go test`, under its build tags: each pattern has
// tests, and so is the one there that -run names. Nothing is compiled.
func testsAreThere(t *testing.T, line string) {
	t.Helper()
	arguments := []string{"list", "-f", `{{$dir := .Dir}}{{range .TestGoFiles}}{{$dir}}/{{.}}{{"\n"}}{{end}}{{range .XTestGoFiles}}{{$dir}}/{{.}}{{"\n"}}{{end}}`}
	if tags := tagsFlag.FindStringSubmatch(line); tags != nil {
		arguments = append(arguments, "-tags", tags[1])
	}
	named := packages.FindAllStringSubmatch(line, -1)
	require.NotEmpty(t, named, line)
	for _, pattern := range named {
		command := exec.CommandContext(t.Context(), "go", append(arguments[:len(arguments):len(arguments)], pattern[1])...)
		command.Dir = repository(t)
		files, err := command.Output()
		require.NoError(t, err, line)
		var all strings.Builder
		for _, file := range strings.Fields(string(files)) {
			content, err := os.ReadFile(file)
			require.NoError(t, err)
			all.Write(content)
		}
		wanted := "func Test"
		if name := runFlag.FindStringSubmatch(line); name != nil {
			wanted = "func " + name[1] + "("
		}
		if !strings.Contains(all.String(), wanted) { // whole files would make a long message
			assert.Fail(t, "no such test", "%s: no %s in %s", line, wanted, pattern[1])
		}
	}
}

// Do the README's numbers come from the bundle that it names? Its measurements are kept beside the
// picture; they are judged again, and every number of the two paragraphs is held against them.
func TestReadmeNumbers(t *testing.T) {
	readme := textOf(t, "README.md")
	named := regexp.MustCompile("the bundle in the picture,\\s`([^`]+)`").FindStringSubmatch(readme)
	require.NotNil(t, named)
	kept, err := filepath.Glob(filepath.Join(repository(t), ".github", "assets", "*", bundle.EnvironmentFile))
	require.NoError(t, err)
	require.Equal(t, []string{filepath.Join(repository(t), ".github", "assets", named[1], bundle.EnvironmentFile)}, kept)
	run, err := bundle.Open(filepath.Dir(kept[0]))
	require.NoError(t, err)

	first, e := run.Verdict.Claims[0], run.Environment
	single, multi := bundle.Median(bundle.Seconds(run.Recoveries, "single")), bundle.Median(bundle.Seconds(run.Recoveries, "multi"))
	thousands := fmt.Sprintf("%d,%03d", e.Corpus.Documents/1000, e.Corpus.Documents%1000)
	text := strings.Join(strings.Fields(readme), " ")
	for _, words := range []string{
		first.Reason + " The replica came back",
		fmt.Sprintf("The replica came back %.2f times as fast with 8 streams (%.1f s) as with 1 (%.1f s).", *first.Estimate, multi, single),
		fmt.Sprintf("The interval says how sure that is: %.2f to %.2f.", *first.Lower, *first.Upper),
		fmt.Sprintf("profile %s, OpenSearch %s, %s generated posts in %d files of %.0f MB, a link of %d MB/s per connection, %d cores,",
			e.Profile, e.OpenSearch, thousands, len(e.Files), float64(recovery.Sum(e.Files))/1e6, e.Link.NominalRateBytes/1e6, e.Machine.Cores),
	} {
		assert.Contains(t, text, words)
	}
}

// Do the lines under "Why is my ratio 1?" stand there as the tool prints them? Each cause is
// brought about in the room that finds it.
func TestReadmeCauses(t *testing.T) {
	forgetful := recovery.Arm{Name: "multi", Streams: 8}
	whole := recovery.Evidence{PrimaryDocuments: 1, ReplicaDocuments: 1, WantBytes: 1, WantFiles: 50, DownloadedBytes: 1, Threads: 8}
	limited, fallen, narrow := whole, whole, whole
	limited.Settings = map[string]string{recovery.SettingLimiter: "41943040b"}
	fallen.Fallback = []string{"[the line of the node's log]"}
	narrow.Threads, narrow.LogRead = 1, true
	machine := bundle.Link{NominalRateBytes: 10_000_000, Measured: &bundle.Calibration{
		RateAlone: 10_000_000, Connections: 8, RateEach: 9_110_000, Unshaped: 150_000_000, FirstByte: time.Millisecond,
	}}
	longPole := verdict.SpeedUpAtLeast("multi is faster than single", "multi", "single", 3).From("test").WithBest(1.9)

	var lines []string
	for _, evidence := range []recovery.Evidence{limited, fallen, narrow} {
		faults := recovery.Prove(forgetful, evidence)
		require.Len(t, faults, 1)
		lines = append(lines, faults[0])
	}
	lines = append(lines, machine.Faults()...)
	require.Error(t, longPole.Showable())
	lines = append(lines, longPole.Showable().Error())
	require.Len(t, lines, 5)
	readme := textOf(t, "README.md")
	for _, line := range lines {
		assert.Contains(t, readme, "\n       "+line+"\n")
	}
}

// Are the exit codes of the README those of the code?
func TestReadmeExitCodes(t *testing.T) {
	readme := textOf(t, "README.md")
	for _, outcome := range []verdict.Outcome{verdict.Pass, verdict.Fail, verdict.Inconclusive, verdict.Invalid} {
		assert.Regexp(t, fmt.Sprintf(`(?m)^\| %s \|.*\| %d \|$`, outcome, outcome.ExitCode()), readme)
	}
}
