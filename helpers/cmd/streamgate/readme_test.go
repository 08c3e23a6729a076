package main

import (
	"flag"
	"fmt"
	"os"
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
	"streamgate/helpers/recovery"
	"streamgate/helpers/verdict"
)

var update = flag.Bool("update", false, "write the tables of README.md anew")

// profileTimes is what `make gate` takes with the images built. Only the first was measured;
// see the sentence below the table.
var profileTimes = map[string]string{"quick": "6 to 9 min", "ci": "9 to 13 min", "full": "21 to 31 min"}

// profileTable is the table of profiles, from the code.
func profileTable() string {
	var b strings.Builder
	b.WriteString("| profile | corpus | segments | link, per connection | most rounds | speed-up | efficiency | time |\n|---|---:|---:|---:|---:|---:|---:|---:|\n")
	for _, p := range config.Profiles {
		fmt.Fprintf(&b, "| %s | %s | %d | %s/s | %d | at least %g | at least %g | %s |\n", p.Name, units.HumanSize(float64(p.CorpusBytes)),
			p.Segments, units.HumanSize(float64(p.LinkRateBytes)), p.Rounds, p.MinSpeedup, p.MinEfficiency, profileTimes[p.Name])
	}
	return b.String()
}

// Are the tables of the README those of the code? With -update they are written instead.
func TestReadmeTables(t *testing.T) {
	readme := source(t, "README.md")
	for name, table := range map[string]string{"profiles": profileTable(), "variables": config.Markdown()} {
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
		text := source(t, name)
		made := regexp.MustCompile("(?m)(?:`|^ *|[A-Z0-9] )make ([a-z]+)").FindAllStringSubmatch(text, -1)
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

// Do the README's commands work? Those of the command itself are run, with bundles in place
// of the ones they name; of those that start or remove something only the help is asked for.
func TestReadmeCommands(t *testing.T) {
	const command = "go run ./helpers/cmd/streamgate "
	ran := map[string]int{}
	for _, line := range shellLines(source(t, "README.md")) {
		rest, found := strings.CutPrefix(line, command)
		if !found {
			assert.Regexp(t, `^(STREAMGATE_[A-Z_]+=\S+ )*make [a-z]+$|^go (test|build) .*\./(suites|helpers)/`, line)
			continue
		}
		arguments := strings.Fields(rest)
		for i, argument := range arguments {
			if strings.HasPrefix(argument, "out/") {
				arguments[i] = written(t, bundletest.Run(), true)
			}
		}
		ran[arguments[0]]++
		switch arguments[0] {
		case "up", "down", "clean":
			arguments = append(arguments, "--help")
		}
		code, out, errs := streamgate(t, arguments...)
		assert.Equal(t, 0, code, "%s: %s", line, errs)
		assert.NotEmpty(t, out, line)
	}
	assert.Equal(t, map[string]int{"judge": 2, "compare": 1, "up": 1, "down": 1, "clean": 1}, ran)
}

// Do the lines under "Why is my ratio 1?" stand there as the tool prints them? Each cause is
// brought about in the room that finds it.
func TestReadmeCauses(t *testing.T) {
	forgetful := recovery.Arm{Name: "multi", Streams: 8}
	whole := recovery.Evidence{WantBytes: 1, WantFiles: 50, DownloadedBytes: 1, Threads: 8}
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
	readme := source(t, "README.md")
	for _, line := range lines {
		assert.Contains(t, readme, "\n       "+line+"\n")
	}
}

// Are the exit codes of the README those of the code?
func TestReadmeExitCodes(t *testing.T) {
	readme := source(t, "README.md")
	for _, outcome := range []verdict.Outcome{verdict.Pass, verdict.Fail, verdict.Inconclusive, verdict.Invalid} {
		assert.Regexp(t, fmt.Sprintf(`(?m)^\| %s \|.*\| %d \|$`, outcome, outcome.ExitCode()), readme)
	}
}
