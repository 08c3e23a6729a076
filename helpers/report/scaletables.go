package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"streamgate/helpers/bundle"
)

// The seed report: Stack Overflow's posts in one shard, with and without multistream.
const (
	// seedBytes is what OpenSearch shows as 34.1gb, which are GiB: sizes are decimal here.
	seedBytes  int64 = 36_662_256_654
	seedSize         = "36.7 GB"
	seedSingle       = 892_045_077_147 * time.Nanosecond
	seedMulti        = 275_943_816_259 * time.Nanosecond
)

const (
	// fullLink is the share of the link's rate from which on the link is what sets the pace.
	fullLink = 0.8
	// overLink is more than there can be, by more than a link is off.
	overLink = 1.05
)

// scaleTable is one table of a scale run.
type scaleTable struct {
	Heading string
	Heads   []string
	Rows    [][]string
}

func scaleTables(run ScaleRun) []scaleTable {
	return []scaleTable{timesTable(run), memoryTable(run), predictionTable(run)}
}

// timesTable has a row for every size and number of streams, measured or not.
func timesTable(run ScaleRun) scaleTable {
	t := scaleTable{
		Heading: "Time of a recovery",
		Heads:   []string{"corpus", "streams", "index", "median", "spread", "best possible", "efficiency", "rate", "CPU"},
	}
	for _, p := range run.Points {
		row := []string{size(float64(p.CorpusBytes)), strconv.Itoa(p.Streams), size(float64(p.IndexBytes)), unknown, "not measured", seconds(p.Best), unknown, unknown, unknown}
		if times := p.times(); len(times) > 0 {
			median := bundle.Median(times)
			row[3], row[4] = seconds(duration(median)), fmt.Sprintf("%.2f to %.2f", slices.Min(times), slices.Max(times))
			row[6], row[7], row[8] = percent(p.Best.Seconds()/median), rate(float64(p.IndexBytes)/median), percent(p.busy())
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// times are those of the valid recoveries, in seconds.
func (p ScalePoint) times() []float64 {
	var times []float64
	for _, r := range p.valid() {
		times = append(times, r.Total.Seconds())
	}
	return times
}

// busy is the median of the processors' busy share.
func (p ScalePoint) busy() float64 {
	var shares []float64
	for _, r := range p.valid() {
		shares = append(shares, r.Evidence.CPU)
	}
	return bundle.Median(shares)
}

// memoryTable has a block of rows for every size, and a column for every number of streams.
func memoryTable(run ScaleRun) scaleTable {
	t := scaleTable{Heading: "Memory of the node that recovers, at its highest", Heads: []string{"corpus, what"}}
	counts := streamCounts(run.Points)
	for _, n := range counts {
		t.Heads = append(t.Heads, count(n, "stream", "streams"))
	}
	for _, corpusBytes := range measuredSizes(run.Points) {
		for _, kind := range []struct {
			name string
			of   func(Memory) int64
		}{
			{"heap", func(m Memory) int64 { return m.HeapBytes }},
			{"heap after a collection", func(m Memory) int64 { return m.CollectedBytes }},
			{"direct buffers", func(m Memory) int64 { return m.DirectBytes }},
			{"container", func(m Memory) int64 { return m.ContainerBytes }},
		} {
			row := []string{size(float64(corpusBytes)) + ", " + kind.name}
			for _, n := range counts {
				var most int64
				for _, p := range run.Points {
					if p.CorpusBytes != corpusBytes || p.Streams != n {
						continue
					}
					for _, r := range p.valid() {
						most = max(most, kind.of(r.Memory))
					}
				}
				row = append(row, size(float64(most)))
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// predictionTable has the line of each number of streams, and where it leads to.
func predictionTable(run ScaleRun) scaleTable {
	t := scaleTable{
		Heading: "Prediction for the seed's " + seedSize,
		Heads:   []string{"streams", "measured", "fixed part", "rate", "of the link", "off by", "predicted", "beyond", "range"},
	}
	for _, p := range predictions(run) {
		row := []string{strconv.Itoa(p.Streams), strconv.Itoa(p.Recoveries), unknown, unknown, unknown, unknown, unknown, unknown, unknown}
		if p.Missing == "" {
			row[2], row[3], row[4], row[5] = fmt.Sprintf("%.2f s", p.Fit.FixedSeconds), rate(p.Fit.RateBytes), percent(run.ofLink(p)), p.offWords()
			row[6], row[7] = span(p.Time), plain(p.Beyond, 2)+"×"
			if p.Low > 0 {
				row[8] = spans(p.Low, p.High)
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// offWords is a dash where nothing could be off: a line always meets two sizes.
func (p prediction) offWords() string {
	if p.Sizes < 3 {
		return unknown
	}
	return fmt.Sprintf("%.1f %%", 100*p.Off)
}

// predictions are one for each number of streams.
func predictions(run ScaleRun) []prediction {
	var list []prediction
	for _, n := range streamCounts(run.Points) {
		list = append(list, predict(run.Points, n, seedBytes))
	}
	return list
}

// ofLink is the share of what the link gives so many streams that the line's rate reaches.
func (run ScaleRun) ofLink(p prediction) float64 {
	if run.LinkRateBytes <= 0 {
		return 0
	}
	return p.Fit.RateBytes / float64(int64(p.Streams)*run.LinkRateBytes)
}

// span writes a time for people who wait: in minutes once it is some.
func span(d time.Duration) string {
	if d < 2*time.Minute {
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return fmt.Sprintf("%.1f min", d.Minutes())
}

// spans writes two of them, with one unit where that does.
func spans(low, high time.Duration) string {
	a, b := span(low), span(high)
	number, unit, _ := strings.Cut(a, " ")
	if strings.HasSuffix(b, " "+unit) {
		a = number
	}
	return a + " to " + b
}

func streamCounts(points []ScalePoint) []int {
	var list []int
	for _, p := range points {
		list = append(list, p.Streams)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// measuredSizes are those with a recovery that counts.
func measuredSizes(points []ScalePoint) []int64 {
	var list []int64
	for _, p := range points {
		if len(p.valid()) > 0 {
			list = append(list, p.CorpusBytes)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}
