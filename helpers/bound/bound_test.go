package bound

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const mb = 1_000_000

// even returns n files that share total bytes as evenly as whole bytes allow.
func even(n int, total int64) []int64 {
	sizes := make([]int64, n)
	for i := range sizes {
		sizes[i] = total / int64(n)
	}
	return sizes
}

// Does the bound say what a person works out by hand? The first rows are
// measured setups: 401.5 MB in 154 files at 20 and 10 MB/s (best 2.5 s and
// 5.0 s with 8 streams, measured 3.5 s and 6.4 s), and 360 MB whose largest
// file has 177 MB (best 8.9 s with 4 streams, measured 9.6 s).
func TestBest(t *testing.T) {
	twenty := Link{RateBytes: 20 * mb}
	for name, c := range map[string]struct {
		sizes    []int64
		streams  int
		link     Link
		want     time.Duration
		longPole bool
		busy     int
	}{
		"even files, 8 streams":      {even(154, 401.5*mb), 8, twenty, 2509 * time.Millisecond, false, 8},
		"even files, 1 stream":       {even(154, 401.5*mb), 1, twenty, 20075 * time.Millisecond, false, 1},
		"half the rate":              {even(154, 401.5*mb), 8, Link{RateBytes: 10 * mb}, 5019 * time.Millisecond, false, 8},
		"first byte of every file":   {even(154, 401.5*mb), 8, Link{20 * mb, 30 * time.Millisecond}, 3087 * time.Millisecond, false, 8},
		"one file is half the shard": {[]int64{177 * mb, 92 * mb, 91 * mb}, 4, twenty, 8850 * time.Millisecond, true, 3},
		"long pole waits once":       {[]int64{177 * mb, 92 * mb, 91 * mb}, 4, Link{20 * mb, time.Second}, 9850 * time.Millisecond, true, 3},
		"more streams than files":    {[]int64{20 * mb, 20 * mb}, 10, twenty, time.Second, false, 2},
		"an empty file still waits":  {[]int64{0}, 1, Link{20 * mb, 30 * time.Millisecond}, 30 * time.Millisecond, false, 1},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Best(c.sizes, c.streams, c.link)
			require.NoError(t, err)
			assert.InDelta(t, c.want.Seconds(), got.Time.Seconds(), 0.001)
			assert.Equal(t, c.longPole, got.LongPoleDecides())
			assert.Equal(t, c.busy, got.Streams)
		})
	}
}

// greedy plays a download: each stream takes the next file as soon as it is
// free, as OpenSearch does. It returns when the last stream ends, in seconds.
func greedy(sizes []int64, streams int, link Link) float64 {
	ends := make([]float64, streams)
	for _, size := range sizes {
		first := slices.Index(ends, slices.Min(ends))
		ends[first] += float64(size)/link.RateBytes + link.FirstByte.Seconds()
	}
	return slices.Max(ends)
}

// Is the bound never above a real schedule, and never so low that it says
// nothing? Random file lists in arbitrary order and longest first. Graham
// (1969): any greedy order is within 2 - 1/k of the best.
func TestBoundHoldsForGreedySchedules(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for range 3000 {
		sizes := make([]int64, 1+random.IntN(60))
		for i := range sizes {
			// Log-normal, as segment files are: many small, few large.
			sizes[i] = int64(1e5 * math.Exp(2*random.NormFloat64()))
		}
		streams := 1 + random.IntN(12)
		link := Link{RateBytes: 1e6 + 2e7*random.Float64(), FirstByte: time.Duration(random.IntN(100)) * time.Millisecond}
		best, err := Best(sizes, streams, link)
		require.NoError(t, err)
		arbitrary := greedy(sizes, streams, link)
		slices.Sort(sizes)
		slices.Reverse(sizes)
		longestFirst := greedy(sizes, streams, link)

		bound := best.Time.Seconds()
		require.LessOrEqual(t, bound, arbitrary+1e-9)
		require.LessOrEqual(t, bound, longestFirst+1e-9)
		slack := 2 - 1/float64(best.Streams)
		require.LessOrEqual(t, arbitrary, slack*bound+1e-6)
	}
}

// optimum tries every way to give the files to the streams.
func optimum(times []float64, ends []float64) float64 {
	if len(times) == 0 {
		return slices.Max(ends)
	}
	best := math.Inf(1)
	for i := range ends {
		ends[i] += times[0]
		best = min(best, optimum(times[1:], ends))
		ends[i] -= times[0]
	}
	return best
}

// Is the bound never above the best schedule there is, and often equal to it?
// Every assignment of small file lists is tried.
func TestBoundHoldsForTheOptimum(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	tight := 0
	const lists = 300
	for range lists {
		sizes := make([]int64, 1+random.IntN(6))
		times := make([]float64, len(sizes))
		link := Link{RateBytes: mb, FirstByte: time.Duration(random.IntN(3)) * time.Second}
		for i := range sizes {
			sizes[i] = int64(1+random.IntN(9)) * mb
			times[i] = float64(sizes[i])/link.RateBytes + link.FirstByte.Seconds()
		}
		streams := 1 + random.IntN(3)
		best, err := Best(sizes, streams, link)
		require.NoError(t, err)
		least := optimum(times, make([]float64, streams))
		require.LessOrEqual(t, best.Time.Seconds(), least+1e-9)
		if math.Abs(best.Time.Seconds()-least) < 1e-6 {
			tight++
		}
	}
	assert.Greater(t, tight, lists/2)
}

// What can a corpus show? Even files show the streams, one large file hides
// them, and two files never show more than two.
func TestBestRatio(t *testing.T) {
	link := Link{RateBytes: 20 * mb, FirstByte: 10 * time.Millisecond}
	for name, c := range map[string]struct {
		sizes         []int64
		streams, base int
		want          float64
	}{
		"even files":     {even(160, 400*mb), 8, 1, 8},
		"equal arms":     {even(160, 400*mb), 8, 8, 1},
		"8 against 2":    {even(160, 400*mb), 8, 2, 4},
		"two files":      {even(2, 400*mb), 8, 1, 2},
		"one large file": {[]int64{200 * mb, 100 * mb, 100 * mb}, 8, 1, 20.03 / 10.01},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := BestRatio(c.sizes, c.streams, c.base, link)
			require.NoError(t, err)
			assert.InDelta(t, c.want, got, 1e-6)
		})
	}
	_, err := BestRatio([]int64{0, 0}, 2, 1, Link{RateBytes: mb})
	assert.EqualError(t, err, "bound recovery ratio: all files are empty and the first byte takes no time")
	_, err = BestRatio([]int64{1}, 2, 0, link)
	assert.ErrorContains(t, err, "streams is 0")
}

// How close to perfect is a time? 2.5 s of the possible against 3.5 s measured.
func TestEfficiency(t *testing.T) {
	got, err := Efficiency(2500*time.Millisecond, 3500*time.Millisecond)
	require.NoError(t, err)
	assert.InDelta(t, 0.714, got, 0.001)
	_, err = Efficiency(time.Second, 0)
	assert.EqualError(t, err, "compute efficiency: best 1s, measured 0s, allowed are positive times")
	_, err = Efficiency(0, time.Second)
	assert.Error(t, err)
}

// How much of the shard is its largest file?
func TestLargestShare(t *testing.T) {
	assert.InDelta(t, 0.5, LargestShare([]int64{10, 20, 10}), 1e-12)
	assert.InDelta(t, 1, LargestShare([]int64{7}), 1e-12)
	assert.Zero(t, LargestShare(nil))
	assert.Zero(t, LargestShare([]int64{0, 0}))
}

// Is every number that makes no sense refused with its value?
func TestBestRefuses(t *testing.T) {
	good := Link{RateBytes: mb}
	for want, c := range map[string]struct {
		sizes   []int64
		streams int
		link    Link
	}{
		"no files":                             {nil, 1, good},
		"streams is 0, allowed are 1 and more": {[]int64{1}, 0, good},
		"rate is 0 B/s, allowed are finite rates above 0":    {[]int64{1}, 1, Link{}},
		"rate is NaN B/s, allowed are finite rates above 0":  {[]int64{1}, 1, Link{RateBytes: math.NaN()}},
		"rate is +Inf B/s, allowed are finite rates above 0": {[]int64{1}, 1, Link{RateBytes: math.Inf(1)}},
		"first byte is -1ns, allowed are 0 and more":         {[]int64{1}, 1, Link{mb, -1}},
		"file 2 has -5 bytes, allowed are 0 and more":        {[]int64{1, -5}, 1, good},
		"1e+12 s is too long to be a duration":               {[]int64{1e12}, 1, Link{RateBytes: 1}},
	} {
		_, err := Best(c.sizes, c.streams, c.link)
		assert.EqualError(t, err, "bound recovery time: "+want)
	}
}
