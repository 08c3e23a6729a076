package report

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"streamgate/helpers/bundle"
)

// scaleMethod names how the lines are laid, for the report.
const scaleMethod = "Theil–Sen: of the slopes of all pairs of recoveries of different sizes the median, each pair weighted by the bytes between the two (Sievers 1978); the fixed part is the median of what each recovery takes beyond its bytes"

// scaleFit is the line time = fixed + bytes / rate of one number of streams.
type scaleFit struct {
	// FixedSeconds is what a recovery takes without any bytes. Noise can make it negative.
	FixedSeconds float64
	// RateBytes is what each further second brings, in bytes per second.
	RateBytes float64
}

// at is the line's time for so many bytes, in seconds.
func (f scaleFit) at(bytes int64) float64 { return f.FixedSeconds + float64(bytes)/f.RateBytes }

// sized is one valid recovery: how much it fetched, and how long that took.
type sized struct {
	Bytes   int64
	Seconds float64
}

// errOneSize is what a line through one point would need.
var errOneSize = errors.New("recoveries of one size make no line: two sizes and more are needed")

// fitScale lays the line by the method of Theil and Sen: a wild recovery moves a median little, and
// least squares as far as it is wild. Slopes count by the distance of their pair, as in G. L.
// Sievers, "Weighted rank statistics for simple linear regression", JASA 73 (1978): the slope
// between two small sizes is mostly noise, and the line is there to be followed beyond the large
// ones.
func fitScale(points []sized) (scaleFit, error) {
	type slope struct{ value, weight float64 }
	var slopes []slope
	var weights float64
	for i, a := range points {
		for _, b := range points[i+1:] {
			if between := float64(b.Bytes - a.Bytes); between != 0 {
				slopes = append(slopes, slope{(b.Seconds - a.Seconds) / between, max(between, -between)})
				weights += max(between, -between)
			}
		}
	}
	if len(slopes) == 0 {
		return scaleFit{}, errOneSize
	}
	slices.SortFunc(slopes, func(a, b slope) int { return cmp.Compare(a.value, b.value) })
	middle, below := 0, slopes[0].weight
	for below < weights/2 {
		middle++
		below += slopes[middle].weight
	}
	perByte := slopes[middle].value
	if perByte <= 0 {
		return scaleFit{}, errors.New("more bytes did not take more time: the sizes are too close to each other, or too small")
	}
	var fixed []float64
	for _, p := range points {
		fixed = append(fixed, p.Seconds-perByte*float64(p.Bytes))
	}
	return scaleFit{FixedSeconds: bundle.Median(fixed), RateBytes: 1 / perByte}, nil
}

// prediction is what the recoveries of one number of streams say of a size.
type prediction struct {
	Streams    int
	Recoveries int // through which the line is laid, of so many Sizes
	Sizes      int
	Fit        scaleFit
	// Off is the largest distance between a size's median and the line, as a share of the median.
	Off float64
	// Time is the line's for the size. Low and High are the least and the most that it would be
	// without the recoveries of one size; 0 with fewer than three.
	Time, Low, High time.Duration
	// Beyond is the size over the largest or below the smallest that was measured: more than 1 for an
	// extrapolation.
	Beyond float64
	// Missing says why there is none.
	Missing string
}

// predict lays the line through the valid recoveries with so many streams, and follows it to a size.
func predict(points []ScalePoint, streams int, toBytes int64) prediction {
	p := prediction{Streams: streams}
	groups := map[int64][]sized{}
	var all []sized
	for _, point := range points {
		if point.Streams != streams {
			continue
		}
		for _, r := range point.valid() {
			one := sized{r.Evidence.DownloadedBytes, r.Total.Seconds()}
			groups[point.CorpusBytes] = append(groups[point.CorpusBytes], one)
			all = append(all, one)
		}
	}
	p.Recoveries, p.Sizes = len(all), len(groups)
	var err error
	if p.Fit, err = fitScale(all); err != nil {
		p.Missing = err.Error()
		return p
	}
	p.Time = duration(p.Fit.at(toBytes))
	smallest, largest := all[0].Bytes, all[0].Bytes
	for _, one := range all {
		smallest, largest = min(smallest, one.Bytes), max(largest, one.Bytes)
	}
	p.Beyond = max(float64(toBytes)/float64(largest), float64(smallest)/float64(toBytes))
	for _, group := range groups {
		p.Off = max(p.Off, p.Fit.off(group))
	}
	p.without(groups, toBytes)
	return p
}

// off is how far the line is from the median of recoveries of one size.
func (f scaleFit) off(group []sized) float64 {
	var times []float64
	for _, one := range group {
		times = append(times, one.Seconds)
	}
	median := bundle.Median(times)
	away := (f.at(group[0].Bytes) - median) / median
	return max(away, -away)
}

// without lays the line anew without each size in turn: how much hangs on one of them? Of two sizes
// nothing is left to lay it through.
func (p *prediction) without(groups map[int64][]sized, toBytes int64) {
	for left := range groups {
		var rest []sized
		for size, group := range groups {
			if size != left {
				rest = append(rest, group...)
			}
		}
		fit, err := fitScale(rest)
		if err != nil {
			p.Low, p.High = 0, 0
			return
		}
		other := duration(fit.at(toBytes))
		p.High = max(p.High, other)
		if p.Low == 0 || other < p.Low {
			p.Low = other
		}
	}
}
