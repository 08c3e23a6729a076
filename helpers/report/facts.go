package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"streamgate/helpers/bundle"
	"streamgate/helpers/recovery"
)

// fact is one line about a run's environment.
type fact struct{ Name, Value string }

// facts are the environment in words, the most asked-for first.
func facts(run bundle.Run) []fact {
	e := run.Environment
	list := []fact{
		{"run", e.RunID},
		{"started", e.Start.UTC().Format(time.RFC3339)},
		{"profile", e.Profile},
		{"OpenSearch", openSearchWords(e.OpenSearch, e.Source)},
		{"corpus", corpusWords(e.Corpus)},
		{"corpus sha256", orUnknown(e.Corpus.SHA256)},
		{"remote files", filesWords(e)},
		{"link", linkWords(e.Link)},
		{"link measured", calibrationWords(e.Link.Measured)},
		{"looks", fmt.Sprintf("after %v rounds, alpha %g", e.Looks.Rounds, e.Looks.Alpha)},
		{"seed", fmt.Sprint(e.Seed)},
		{machineName(e), fmt.Sprintf("%s, %s, %s of memory", orUnknown(e.Machine.CPUModel), count(e.Machine.Cores, "core", "cores"), size(float64(e.Machine.MemoryBytes)))},
		{"system", e.Machine.System + ", kernel " + orUnknown(e.Machine.Kernel)},
		{"engine", engineWords(e)},
		{"streamgate", orUnknown(e.Machine.Commit) + ", " + e.Machine.Go},
	}
	for _, s := range e.Stacks {
		list = append(list, fact{"stack " + s.Name, fmt.Sprintf("OpenSearch %s, %s, %s, the largest %s, arms %s",
			openSearchWords(s.OpenSearch, s.Source), count(len(s.Files), "file", "files"), size(float64(recovery.Sum(s.Files))), size(float64(largest(s.Files))), strings.Join(s.Arms, ", "))},
			fact{"link measured on " + s.Name, calibrationWords(s.Measured)},
			fact{"image opensearch on " + s.Name, s.Image.Reference + " " + s.Image.Digest})
	}
	for _, arm := range e.Arms {
		list = append(list, fact{"arm " + arm.Name, armWords(arm)})
	}
	for _, part := range slices.Sorted(maps.Keys(e.Images)) {
		list = append(list, fact{"image " + part, e.Images[part].Reference + " " + e.Images[part].Digest})
	}
	for _, setting := range e.Settings {
		list = append(list, fact{setting.Variable, orUnknown(setting.Value) + " (" + setting.Source + ")"})
	}
	for i := range list {
		list[i] = fact{clip(list[i].Name, 80), clip(list[i].Value, 240)}
	}
	return list
}

func largest(files []recovery.File) (bytes int64) {
	for _, file := range files {
		bytes = max(bytes, file.SizeBytes)
	}
	return bytes
}

func openSearchWords(version, source string) string {
	if source == "" {
		return orUnknown(version)
	}
	return orUnknown(version) + " from " + source
}

func corpusWords(c bundle.Corpus) string {
	words := fmt.Sprintf("%s, %d documents, %s", c.Name, c.Documents, size(float64(c.RawBytes)))
	if c.Repetitions > 1 {
		words += ", " + count(c.Repetitions, "time", "times")
	}
	if c.Kept != "" {
		words += ", kept as " + c.Kept
	}
	return words
}

// machineName tells the machine that the nodes ran on from one that only asked them.
func machineName(e bundle.Environment) string {
	if e.Target == nil {
		return "machine"
	}
	return "machine that asked"
}

func engineWords(e bundle.Environment) string {
	if e.Target == nil {
		return strings.TrimSpace(e.Engine.Name + " " + e.Engine.Version) // Debian's Docker has no name
	}
	return "none: the cluster was there already, with " + count(e.Target.DataNodes, "data node", "data nodes")
}

func filesWords(e bundle.Environment) string {
	one, many := "file", "files"
	if e.Target != nil && !e.Target.Listed {
		one, many = "segment of the primary", "segments of the primary"
	}
	return fmt.Sprintf("%s, %s, the largest %s", count(len(e.Files), one, many), size(float64(recovery.Sum(e.Files))), size(float64(largest(e.Files))))
}

func linkWords(l bundle.Link) string {
	if l.Unknown {
		return "not known"
	}
	if l.NominalRateBytes == 0 {
		return "not shaped"
	}
	words := rate(float64(l.NominalRateBytes)) + " per connection, "
	if l.NominalFirstByte == 0 {
		return words + "first byte not delayed"
	}
	return words + fmt.Sprintf("first byte delayed by %v", l.NominalFirstByte)
}

func calibrationWords(c *bundle.Calibration) string {
	if c == nil {
		return "no"
	}
	return fmt.Sprintf("%s alone, %s each with %s at once, unshaped %s, first byte after %v",
		rate(c.RateAlone), rate(c.RateEach), count(c.Connections, "connection", "connections"), rate(c.Unshaped), c.FirstByte)
}

func armWords(arm recovery.Arm) string {
	words := "streams: " + streams(arm)
	for _, name := range slices.Sorted(maps.Keys(arm.Settings)) {
		words += ", " + name + "=" + arm.Settings[name]
	}
	return words
}
