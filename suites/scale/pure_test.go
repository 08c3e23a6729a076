package scale

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"streamgate/fixtures/suite"
	"streamgate/helpers/config"
	"streamgate/helpers/report"
)

func TestMain(m *testing.M) { suite.Main(m) }

func settings(t *testing.T, environ ...string) config.Config {
	t.Helper()
	cfg, err := config.Load(environ)
	require.NoError(t, err)
	return cfg.Own(ownLink)
}

// What does the default run measure, what does it compute, and does that fit into make's 40 min? Of
// 4 GB at 12 MB/s a stream, one needs 5 min 33 s and two 2 min 47 s: both are over 2 min.
func TestPlan(t *testing.T) {
	suite.Uncached(t)
	p, err := planned(settings(t))
	require.NoError(t, err)
	require.Len(t, p.points, 4*5)
	assert.Equal(t, 2, p.rounds)
	for _, point := range p.points {
		assert.Equal(t, point.CorpusBytes == 4_000_000_000 && point.Streams < 4, point.Missing != "", "%d bytes, %d streams", point.CorpusBytes, point.Streams)
	}
	assert.Contains(t, p.points[15].Missing, "best possible is 5m33s, over 2 min: STREAMGATE_PROFILE=full")
	assert.Len(t, p.of(4_000_000_000), 3)
	assert.Equal(t, 4, p.of(4_000_000_000)[0].Streams)
	assert.Equal(t, []int64{50_000_000, 200_000_000, 1_000_000_000, 4_000_000_000}, p.sizes())
	assert.Greater(t, p.time(), 20*time.Minute)
	assert.Less(t, p.time(), 38*time.Minute)
	assert.Regexp(t, `^scale: 18 pairs of size and streams, rounds: 2, about \d\d min; pairs computed and not measured: 2, each over 2 min at best$`, p.String())
}

// Does the profile full measure everything, and is a size of which nothing is measured left out of
// the load?
func TestPlanOfOtherSettings(t *testing.T) {
	all, err := planned(settings(t, "STREAMGATE_PROFILE=full", "STREAMGATE_ROUNDS=1"))
	require.NoError(t, err)
	assert.Equal(t, 1, all.rounds)
	for _, point := range all.points {
		assert.Empty(t, point.Missing)
	}
	assert.Regexp(t, `^scale: 20 pairs of size and streams, rounds: 1, about \d\d min$`, all.String())

	slow, err := planned(settings(t, "STREAMGATE_LINK_RATE=1MB/s", "STREAMGATE_SCALE_SIZES=10MB,1GB", "STREAMGATE_SCALE_STREAMS=1,4"))
	require.NoError(t, err)
	assert.Equal(t, []int64{10_000_000}, slow.sizes())
	assert.Empty(t, slow.of(1_000_000_000))
	// 10 s with one stream and 2.5 s with four, each twice, a warm-up with four, and what is beside.
	beside := startTime + time.Second + 5*(besideDownload+passing(10_000_000, proofBytesPerSecond))
	assert.Equal(t, beside+2*(10*time.Second+2500*time.Millisecond)+2500*time.Millisecond, slow.time())

	_, err = planned(settings(t, "STREAMGATE_SCALE_SIZES=4MB"))
	assert.EqualError(t, err, `STREAMGATE_SCALE_SIZES="4MB": want at least 5MB for STREAMGATE_SEGMENTS="50"`)
}

// Are the peaks those of the recovery alone, and is what a collection leaves told from the heap
// before it, also when the collection was the first thing in the span?
func TestPeaks(t *testing.T) {
	begin := time.Now()
	var samples []sample
	for i, heap := range []int64{900, 200, 300, 500, 250, 400, 950} {
		samples = append(samples, sample{at: begin.Add(time.Duration(i) * time.Second), heap: heap, direct: int64(10 * i)})
	}
	assert.Equal(t, report.Memory{Samples: 5, HeapBytes: 500, CollectedBytes: 250, DirectBytes: 50},
		peaks(samples, samples[1].at, samples[5].at))
	assert.Equal(t, report.Memory{Samples: 2, HeapBytes: 500, DirectBytes: 30}, peaks(samples, samples[2].at, samples[3].at))
	assert.Zero(t, peaks(samples, begin.Add(time.Hour), begin.Add(2*time.Hour)))
}
