package scale

import (
	"fmt"
	"slices"
	"time"

	"github.com/docker/go-units"

	"streamgate/helpers/bound"
	"streamgate/helpers/config"
	"streamgate/helpers/report"
)

const (
	// longest is the best possible time from which on a recovery is computed and not measured,
	// unless the profile is full.
	longest = 2 * time.Minute
	// usualRounds are enough to see a spread; a line leans on all sizes, not on one.
	usualRounds = 2

	// What a size takes beside its recoveries: a stack's start and end, and the load. 10,500
	// documents a second are 10 MB/s, see suites/smoke.
	startTime          = 40 * time.Second
	loadBytesPerSecond = 10_000_000
	// What a recovery takes beside its download: the replica before is removed, the new one is
	// proven, and its files are read on both nodes.
	besideDownload      = 4 * time.Second
	proofBytesPerSecond = 150_000_000

	// minSegmentBytes is the least text per segment, as everywhere else.
	minSegmentBytes = 100_000
)

// plan is what will be measured, decided before anything starts.
type plan struct {
	points []report.ScalePoint
	rounds int
}

// linkRateBytes is that of a scale run, unless another was asked for: with the quick profile's, the
// largest size would take an hour.
const linkRateBytes = 12_000_000

func ownLink(c *config.Config) {
	if !c.Given("STREAMGATE_LINK_RATE") && !c.Given("STREAMGATE_PROFILE") {
		c.LinkRateBytes = linkRateBytes
	}
}

// planned makes the plan of the settings. Best possible times are those of equal files as large as
// the text, which is near enough to decide by; the real files' replace them later.
func planned(cfg config.Config) (plan, error) {
	p := plan{rounds: usualRounds}
	if cfg.Given("STREAMGATE_ROUNDS") {
		p.rounds = cfg.Rounds
	}
	for _, corpusBytes := range cfg.ScaleSizesBytes() {
		if least := minSegmentBytes * int64(cfg.Segments); corpusBytes < least {
			return plan{}, fmt.Errorf("STREAMGATE_SCALE_SIZES=%q: want at least %s for STREAMGATE_SEGMENTS=\"%d\"",
				cfg.ScaleSizes, units.HumanSize(float64(least)), cfg.Segments)
		}
		files := make([]int64, cfg.Segments)
		for i := range files {
			files[i] = corpusBytes / int64(cfg.Segments)
		}
		for _, streams := range cfg.ScaleStreamCounts() {
			best, err := bound.Best(files, streams, bound.Link{RateBytes: float64(cfg.LinkRateBytes), FirstByte: cfg.LinkFirstByte})
			if err != nil {
				return plan{}, err
			}
			point := report.ScalePoint{CorpusBytes: corpusBytes, Streams: streams, Best: best.Time}
			if best.Time > longest && cfg.Profile.Name != "full" {
				point.Missing = fmt.Sprintf("best possible is %s, over %.0f min: STREAMGATE_PROFILE=full measures it", best.Time.Round(time.Second), longest.Minutes())
			}
			p.points = append(p.points, point)
		}
	}
	return p, nil
}

// every are the points of one size.
func (p plan) every(corpusBytes int64) []*report.ScalePoint {
	var list []*report.ScalePoint
	for i, point := range p.points {
		if point.CorpusBytes == corpusBytes {
			list = append(list, &p.points[i])
		}
	}
	return list
}

// of are the points of one size that are to be measured.
func (p plan) of(corpusBytes int64) []*report.ScalePoint {
	return slices.DeleteFunc(p.every(corpusBytes), func(point *report.ScalePoint) bool { return point.Missing != "" })
}

// sizes are those with something to measure, in rising order: another one is not even loaded.
func (p plan) sizes() []int64 {
	var list []int64
	for _, point := range p.points {
		if n := len(list); point.Missing == "" && (n == 0 || list[n-1] != point.CorpusBytes) {
			list = append(list, point.CorpusBytes)
		}
	}
	return list
}

// time is about how long all of it takes, images built.
func (p plan) time() time.Duration {
	var total time.Duration
	for _, corpusBytes := range p.sizes() {
		total += startTime + passing(corpusBytes, loadBytesPerSecond)
		points := p.of(corpusBytes)
		proof := besideDownload + passing(corpusBytes, proofBytesPerSecond)
		for _, point := range points {
			total += time.Duration(p.rounds) * (point.Best + proof)
		}
		total += points[len(points)-1].Best + proof // the warm-up
	}
	return total
}

// passing is how long so many bytes take at a rate.
func passing(bytes, perSecond int64) time.Duration {
	return time.Duration(float64(bytes) / float64(perSecond) * float64(time.Second))
}

// String says before the start what is going to happen.
func (p plan) String() string {
	measured := 0
	for _, point := range p.points {
		if point.Missing == "" {
			measured++
		}
	}
	words := fmt.Sprintf("scale: %d pairs of size and streams, rounds: %d, about %.0f min", measured, p.rounds, p.time().Minutes())
	if missing := len(p.points) - measured; missing > 0 {
		words += fmt.Sprintf("; pairs computed and not measured: %d, each over %.0f min at best", missing, longest.Minutes())
	}
	return words
}
