package report

import (
	"fmt"
	"io"
	"math"
	"strings"

	"golang.org/x/perf/benchfmt"

	"streamgate/helpers/bundle"
	"streamgate/helpers/recovery"
)

// Units of the benchmark format.
const (
	unitTime = "sec/recovery"
	unitRate = "B/s"
)

// Benchmark writes the valid recoveries in Go benchmark format, one line each, so that
// `benchstat -col /arm results.bench` compares the arms. The streams of an arm are in the
// head and not in the names: benchstat puts what differs in a name into different rows.
//
// The head holds the conditions; benchstat makes separate tables of files whose conditions
// differ. What is usually compared, the version of OpenSearch, is therefore not among them.
func Benchmark(w io.Writer, run bundle.Run) error {
	out := benchfmt.NewWriter(w)
	for _, unit := range []struct{ name, better string }{{unitTime, "lower"}, {unitRate, "higher"}} {
		record := &benchfmt.UnitMetadata{
			UnitMetadataKey: benchfmt.UnitMetadataKey{Unit: unit.name, Key: "better"},
			OrigUnit:        unit.name, Value: unit.better,
		}
		if err := out.Write(record); err != nil {
			return err
		}
	}
	head := benchmarkHead(run)
	for _, r := range byArm(run) {
		result := &benchfmt.Result{
			Config: head, Name: benchfmt.Name("ReplicaRecovery/arm=" + benchmarkName(r.Arm.Name)), Iters: 1,
			Values: []benchfmt.Value{{Value: r.Total.Seconds(), Unit: unitTime}, {Value: math.Round(r.BytesPerSecond()), Unit: unitRate}},
		}
		if err := out.Write(result); err != nil {
			return err
		}
	}
	return nil
}

// byArm are the valid recoveries in the order of the arms, not of the rounds: benchstat
// compares with whichever arm comes first.
func byArm(run bundle.Run) []recovery.Recovery {
	var list []recovery.Recovery
	for _, arm := range run.Environment.Arms {
		for _, r := range measured(run.Recoveries) {
			if r.Arm.Name == arm.Name && len(r.Invalid) == 0 {
				list = append(list, r)
			}
		}
	}
	return list
}

func benchmarkHead(run bundle.Run) []benchfmt.Config {
	e := run.Environment
	var arms []string
	for _, arm := range e.Arms {
		arms = append(arms, fmt.Sprintf("%s streams=%s", arm.Name, streams(arm)))
	}
	invalid := 0
	for _, r := range measured(run.Recoveries) {
		if len(r.Invalid) > 0 {
			invalid++
		}
	}
	lines := []fact{
		{"suite", e.Suite},
		{"profile", e.Profile},
		{"arms", strings.Join(arms, ", ")},
		{"corpus", e.Corpus.SHA256},
		{"link", linkWords(e.Link)},
		{"cpu", e.Machine.CPUModel},
		{"cores", fmt.Sprint(e.Machine.Cores)},
	}
	if invalid > 0 {
		lines = append(lines, fact{"invalid", count(invalid, "recovery left out", "recoveries left out")})
	}
	var head []benchfmt.Config
	for _, line := range lines {
		if value := clip(line.Value, 200); value != "" {
			head = append(head, benchfmt.Config{Key: line.Name, Value: []byte(value), File: true})
		}
	}
	return head
}

// benchmarkName makes an arm's name fit into a benchmark's: no blanks, which end it, and
// no '/' and '=', which structure it.
func benchmarkName(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '/' || r == '=' || r <= ' ' {
			return '_'
		}
		return r
	}, clip(name, 64))
}
