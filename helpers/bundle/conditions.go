package bundle

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"streamgate/helpers/recovery"
	"streamgate/helpers/verdict"
)

// Tolerances of what is never exactly the same twice.
const (
	layoutTolerance = 0.02 // the same corpus makes segments within 2 %
	memoryTolerance = 0.01 // a kernel keeps a little for itself
	// firstByteTolerance is about the scatter of a GET on a busy machine.
	firstByteTolerance = 5 * time.Millisecond
)

// freeSettings may differ between runs that are compared: they say where a run puts its
// files, in which order it measures, what it demands, or something that is compared more
// exactly elsewhere.
var freeSettings = map[string]bool{
	"STREAMGATE_CORPUS": true, "STREAMGATE_CORPUS_SEED": true, "STREAMGATE_OUT": true, "STREAMGATE_KEEP": true, "STREAMGATE_KEEP_CORPUS": true,
	"STREAMGATE_SEED": true, "STREAMGATE_MIN_SPEEDUP": true, "STREAMGATE_MIN_EFFICIENCY": true, "STREAMGATE_SCENARIOS": true, "STREAMGATE_PROFILE": true,
	"STREAMGATE_OPENSEARCH_IMAGE": true, "STREAMGATE_MINIO_IMAGE": true, "STREAMGATE_TOXIPROXY_IMAGE": true,
	"STREAMGATE_OPENSEARCH": true, "STREAMGATE_BASE": true, "STREAMGATE_CANDIDATE": true,
	"STREAMGATE_VERSIONS": true, "STREAMGATE_ALLOW_BAD": true,
	"STREAMGATE_SCALE_SIZES": true, "STREAMGATE_SCALE_STREAMS": true, // of a run that is never compared
}

// measuredImage is the image of the part under test; the others only carry it.
const measuredImage = "opensearch"

// differences gathers conditions that differ.
type differences []Difference

func (d *differences) compare(condition string, a, b any) {
	if left, right := fmt.Sprint(a), fmt.Sprint(b); left != right {
		*d = append(*d, Difference{condition, left, right})
	}
}

// near is compare for numbers that scatter.
func (d *differences) near(condition string, a, b, tolerance float64, unit string) {
	if math.Abs(a-b) > tolerance*max(math.Abs(a), math.Abs(b)) {
		*d = append(*d, Difference{condition, shorten(a) + unit, shorten(b) + unit})
	}
}

// unlike lists the conditions that must be the same and are not.
func unlike(a, b Run) []Difference {
	var d differences
	d.compare("verdict", usable(a), usable(b))
	if a.Incomplete != "" || a.Verdict.Outcome == verdict.Invalid {
		// Two unusable runs differ in nothing, and still cannot be compared.
		if len(d) == 0 {
			d = append(d, Difference{"verdict", usable(a), usable(b)})
		}
	}
	x, y := a.Environment, b.Environment
	d.compare("suite", x.Suite, y.Suite)
	d.compare("profile", x.Profile, y.Profile)
	d.compare("looks", fmt.Sprintf("%v rounds, alpha %g", x.Looks.Rounds, x.Looks.Alpha), fmt.Sprintf("%v rounds, alpha %g", y.Looks.Rounds, y.Looks.Alpha))
	d.arms(x.Arms, y.Arms)
	d.claims(x.Claims, y.Claims)
	d.settings(x, y)
	d.compare("corpus", corpusWords(x.Corpus), corpusWords(y.Corpus))
	d.layout(x.Files, y.Files)
	d.compare("measured on", groundWords(x), groundWords(y))
	d.link(x.Link, y.Link)
	d.stacks(x, y)
	for _, part := range keys(x.Images, y.Images) {
		if part != measuredImage {
			d.compare("image of "+part, imageWords(x.Images[part]), imageWords(y.Images[part]))
		}
	}
	d.compare("engine", x.Engine, y.Engine)
	d.compare("processor", x.Machine.CPUModel, y.Machine.CPUModel)
	d.compare("cores", x.Machine.Cores, y.Machine.Cores)
	d.near("memory", float64(x.Machine.MemoryBytes)/1e9, float64(y.Machine.MemoryBytes)/1e9, memoryTolerance, " GB")
	d.compare("kernel", x.Machine.Kernel, y.Machine.Kernel)
	d.compare("system", x.Machine.System, y.Machine.System)
	return d
}

// noted lists what may differ: the part under test, and the program that measured it.
func noted(a, b Run) []Difference {
	var d differences
	x, y := a.Environment, b.Environment
	d.versions(x, y)
	d.compare("image of "+measuredImage, imageWords(x.Images[measuredImage]), imageWords(y.Images[measuredImage]))
	d.compare("streamgate", x.Machine.Commit, y.Machine.Commit)
	d.compare("Go", x.Machine.Go, y.Machine.Go)
	d.compare("rounds", a.Verdict.Rounds, b.Verdict.Rounds)
	return d
}

// usable says whether a run has numbers to compare.
func usable(r Run) string {
	switch {
	case r.Incomplete != "":
		return "none, the run is incomplete"
	case r.Verdict.Outcome == verdict.Invalid:
		return "invalid"
	}
	return "there"
}

func (d *differences) arms(a, b []recovery.Arm) {
	of := func(arms []recovery.Arm) map[string]string {
		words := map[string]string{}
		for _, arm := range arms {
			words[arm.Name] = armWords(arm)
		}
		return words
	}
	left, right := of(a), of(b)
	for _, name := range keys(left, right) {
		d.compare("arm "+name, orNone(left[name]), orNone(right[name]))
	}
}

func armWords(arm recovery.Arm) string {
	words := []string{"streams: " + strconv.Itoa(arm.Streams)}
	for _, name := range slices.Sorted(maps.Keys(arm.Settings)) {
		words = append(words, fmt.Sprintf("%s=%q", name, arm.Settings[name]))
	}
	return strings.Join(words, ", ")
}

// claims compares what is judged. Limits may differ: they say what is demanded of the
// numbers, and the numbers are the same.
func (d *differences) claims(a, b []verdict.Claim) {
	of := func(claims []verdict.Claim) map[string]string {
		words := map[string]string{}
		for _, claim := range claims {
			words[claim.Name] = claimWords(claim)
		}
		return words
	}
	left, right := of(a), of(b)
	for _, name := range keys(left, right) {
		d.compare("claim "+name, orNone(left[name]), orNone(right[name]))
	}
}

// claimWords is what a claim judges: its terms and its clock too, as a quantity's words may stay when
// they change. The same terms in another order are the same product.
func claimWords(claim verdict.Claim) string {
	var terms []string
	for _, term := range claim.Terms {
		terms = append(terms, fmt.Sprintf("%s to the power of %d", term.Arm, term.Power))
	}
	slices.Sort(terms)
	words := claim.Quantity + ": " + strings.Join(terms, ", ")
	if claim.Clock != verdict.Total {
		words += ", by its " + string(claim.Clock)
	}
	if claim.BestSeconds != 0 {
		words += ", held against the best possible time"
	}
	return words
}

func (d *differences) settings(a, b Environment) {
	of := func(e Environment) map[string]string {
		values := map[string]string{}
		for _, setting := range e.Settings {
			if !freeSettings[setting.Variable] {
				values[setting.Variable] = setting.Value
			}
		}
		return values
	}
	left, right := of(a), of(b)
	for _, name := range keys(left, right) {
		d.compare(name, orNone(left[name]), orNone(right[name]))
	}
}

// layout compares number and sizes of the files. Their names hold ids that differ from run
// to run.
func (d *differences) layout(a, b []recovery.File) {
	d.compare("files", len(a), len(b))
	if len(a) == 0 || len(b) == 0 {
		return // their sizes are no difference of their own
	}
	d.near("bytes of all files", float64(recovery.Sum(a))/1e6, float64(recovery.Sum(b))/1e6, layoutTolerance, " MB")
	d.near("bytes of the largest file", float64(largest(a))/1e6, float64(largest(b))/1e6, layoutTolerance, " MB")
}

func largest(files []recovery.File) (bytes int64) {
	for _, file := range files {
		bytes = max(bytes, file.SizeBytes)
	}
	return bytes
}

func (d *differences) link(a, b Link) {
	d.compare("link", linkWords(a), linkWords(b))
	if a.Measured == nil || b.Measured == nil {
		d.compare("link measured", yesNo(a.Measured != nil), yesNo(b.Measured != nil))
		return
	}
	d.compare("link measured with", fmt.Sprint(a.Measured.Connections, " connections"), fmt.Sprint(b.Measured.Connections, " connections"))
	d.near("link measured, rate alone", a.Measured.RateAlone/1e6, b.Measured.RateAlone/1e6, rateTolerance, " MB/s")
	d.near("link measured, rate each", a.Measured.RateEach/1e6, b.Measured.RateEach/1e6, rateTolerance, " MB/s")
	if (a.Measured.FirstByte - b.Measured.FirstByte).Abs() > firstByteTolerance {
		d.compare("link measured, first byte", a.Measured.FirstByte, b.Measured.FirstByte)
	}
}

func yesNo(so bool) string {
	if so {
		return "yes"
	}
	return "no"
}

// groundWords is what was measured on, as far as it must be the same.
func groundWords(e Environment) string {
	if e.Target == nil {
		return "a stack of its own"
	}
	words := fmt.Sprintf("a target with %d data nodes, its store ", e.Target.DataNodes)
	if e.Target.Listed {
		return words + "listed"
	}
	return words + "not listed"
}

func linkWords(l Link) string {
	if l.Unknown {
		return "not known"
	}
	if l.NominalRateBytes == 0 {
		return "not shaped"
	}
	return fmt.Sprintf("%s MB/s per connection, first byte after %v", shorten(float64(l.NominalRateBytes)/1e6), l.NominalFirstByte)
}

func corpusWords(c Corpus) string {
	return fmt.Sprintf("%s, %d documents, %d bytes, repetitions: %d, sha256 %s", c.Name, c.Documents, c.RawBytes, c.Repetitions, c.SHA256)
}

func imageWords(i Image) string {
	if i.Digest != "" {
		return i.Digest
	}
	return orNone(i.Reference)
}

func orNone(words string) string {
	if words == "" {
		return "none"
	}
	return words
}

// keys are the keys of both maps, sorted.
func keys[V any](a, b map[string]V) []string {
	all := maps.Clone(a)
	if all == nil {
		all = map[string]V{}
	}
	maps.Copy(all, b)
	return slices.Sorted(maps.Keys(all))
}

func shorten(x float64) string { return strconv.FormatFloat(x, 'g', 4, 64) }
