package recovery

import (
	"context"
	"testing"
	"time"

	"github.com/shirou/gopsutil/v4/cpu"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"streamgate/helpers/osapi"
)

// point is a sample after some milliseconds.
func point(millis, bytes int64) Point { return Point{time.Duration(millis) * time.Millisecond, bytes} }

// How long was the download, and how many streams did it reach? The points are as sampled; the
// target says that its files took 9 s together.
func TestStreamsReadsSpanAndConcurrency(t *testing.T) {
	for _, c := range []struct {
		name        string
		progress    []Point
		span        time.Duration
		concurrency float64
	}{
		{"from the last point without bytes to the first with all", []Point{
			point(100, 0), point(300, 0), point(400, 10), point(1200, 90), point(1500, 100), point(1600, 100), point(1700, 100)},
			1200 * time.Millisecond, 7.5},
		{"seen only once it ran", []Point{point(500, 40), point(1000, 100)}, 500 * time.Millisecond, 18},
		{"over between two samples", []Point{point(100, 0), point(200, 100)}, 100 * time.Millisecond, 90},
		{"seen only when it was over", []Point{point(200, 100), point(300, 100)}, 0, 0},
		{"never a byte", []Point{point(100, 0), point(900, 0)}, 0, 0},
		{"never seen", nil, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			evidence := Evidence{Progress: c.progress}
			var span time.Duration
			evidence.streams(counters{node: osapi.NodeStats{DownloadMillis: 1000}}, counters{node: osapi.NodeStats{DownloadMillis: 10_000}}, &span)
			assert.Equal(t, c.span, span)
			assert.InDelta(t, c.concurrency, evidence.Concurrency, 1e-9)
		})
	}
}

// Is each count the difference of its own two readings? The pool's largest is a mark, not a count.
func TestStreamsReadsCounters(t *testing.T) {
	before := counters{
		node:    osapi.NodeStats{Pool: osapi.RemoteRecoveryPool{Largest: 3, Completed: 100}},
		traffic: &Traffic{Gets: 10, SentBytes: 1000}, cpu: cpuTimes{busy: 50, all: 200},
	}
	after := counters{
		node:    osapi.NodeStats{Pool: osapi.RemoteRecoveryPool{Largest: 8, Completed: 179}},
		traffic: &Traffic{Gets: 92, SentBytes: 201_419_022}, cpu: cpuTimes{busy: 53, all: 204},
	}
	var evidence Evidence
	var span time.Duration
	evidence.streams(before, after, &span)
	assert.Equal(t, Evidence{
		PoolLargest: 8, PoolFiles: 79, Store: &Traffic{Gets: 82, SentBytes: 201_418_022}, CPU: 0.75,
	}, evidence)

	before.traffic = nil
	evidence = Evidence{}
	evidence.streams(before, after, &span)
	assert.Nil(t, evidence.Store, "one reading of the store is no count")
}

// Which segments are not the same in both copies? One per way to differ, and one that is.
func TestDifferences(t *testing.T) {
	primary := map[string]osapi.Segment{
		"_0": {SizeBytes: 10, Documents: 1}, "_1": {SizeBytes: 10, Documents: 1},
		"_2": {SizeBytes: 10, Documents: 1}, "_3": {SizeBytes: 10, Documents: 1},
	}
	replica := map[string]osapi.Segment{
		"_0": {SizeBytes: 10, Documents: 1}, "_1": {SizeBytes: 11, Documents: 1},
		"_2": {SizeBytes: 10, Documents: 2}, "_4": {SizeBytes: 10, Documents: 1},
	}
	assert.Equal(t, []string{"_1", "_2", "_3", "_4"}, differences(primary, replica))
	assert.Empty(t, differences(primary, primary))
	assert.Equal(t, []string{"_0", "_1", "_2", "_3"}, differences(primary, nil), "a replica without an answer equals nothing")
}

// Is the busy share right, and 0 when no time passed between two readings?
func TestBusyUntil(t *testing.T) {
	assert.InDelta(t, 0.25, cpuTimes{busy: 10, all: 100}.busyUntil(cpuTimes{busy: 11, all: 104}), 1e-9)
	assert.Zero(t, cpuTimes{busy: 10, all: 100}.busyUntil(cpuTimes{busy: 10, all: 100}))
	assert.Zero(t, cpuTimes{busy: 10, all: 100}.busyUntil(cpuTimes{busy: 11, all: 99}), "the clock went back")
}

// Which of the kernel's times are work? Each is another power of two; guest time is part of user
// time already and must not count twice.
func TestSum(t *testing.T) {
	times := cpu.TimesStat{User: 1, System: 2, Nice: 4, Irq: 8, Softirq: 16, Steal: 32, Idle: 64, Iowait: 128, Guest: 0.5}
	assert.Equal(t, cpuTimes{busy: 63, all: 255}, sum(times))
}

// Do this machine's own times make sense? Two readings, with work in between so that they differ.
func TestReadCPU(t *testing.T) {
	first, err := readCPU(t.Context())
	require.NoError(t, err)
	for start := time.Now(); time.Since(start) < 50*time.Millisecond; {
		_ = differences(nil, nil)
	}
	second, err := readCPU(t.Context())
	require.NoError(t, err)
	assert.Greater(t, second.busy, first.busy)
	share := first.busyUntil(second)
	assert.True(t, share > 0 && share <= 1, share)
}

// What do the target's log lines say? They are of two downloads, one of which was given up.
func TestLogFindsThreadsAndFallbacks(t *testing.T) {
	const gaveUp = "[WARN ][o.o.i.r.RecoveryTarget] [node-2] Exception while downloading segment files from remote store, will continue with peer to peer segment copy"
	since := time.Unix(1700000000, 0)
	var asked []string
	bench := Bench{LogLines: func(_ context.Context, from time.Time, texts ...string) ([]string, error) {
		assert.Equal(t, since, from)
		asked = texts
		return []string{
			"[TRACE][o.o.i.s.RemoteStoreFileDownloader] [node-2] [so][0] Starting download of 79 files with 8 threads",
			gaveUp,
			"[TRACE][o.o.i.s.RemoteStoreFileDownloader] [node-2] [so][0] Starting download of 2 files with 2 threads",
		}, nil
	}}
	var evidence Evidence
	require.NoError(t, evidence.log(t.Context(), bench, since))
	assert.Equal(t, Evidence{LogRead: true, Threads: 8, Fallback: []string{gaveUp}}, evidence)
	assert.Len(t, asked, 2)
	for _, text := range asked {
		assert.Contains(t, gaveUp+" Starting download of ", text, "the log is searched for what it never says")
	}
}

// Is a log that cannot be read an error, and one out of reach none? Without its lines a fallback
// would go unseen.
func TestLogOutOfReach(t *testing.T) {
	var evidence Evidence
	require.NoError(t, evidence.log(t.Context(), Bench{}, time.Now()))
	assert.Zero(t, evidence)
	bench := Bench{LogLines: func(context.Context, time.Time, ...string) ([]string, error) { return nil, context.Canceled }}
	require.ErrorIs(t, evidence.log(t.Context(), bench, time.Now()), context.Canceled)
}

// Is the rate that of proven bytes over the judged time, and 0 where there is no time?
func TestBytesPerSecond(t *testing.T) {
	r := Recovery{Total: 2 * time.Second, Wall: 5 * time.Second, Evidence: Evidence{DownloadedBytes: 300, WantBytes: 900}}
	assert.InDelta(t, 150, r.BytesPerSecond(), 1e-9)
	assert.Zero(t, Recovery{Evidence: Evidence{DownloadedBytes: 300}}.BytesPerSecond())
}

// Is a share never below 0 nor above 1, however the readings were rounded?
func TestBusyUntilStaysAShare(t *testing.T) {
	start := cpuTimes{busy: 1000.1, all: 4000.4}
	assert.Zero(t, start.busyUntil(cpuTimes{busy: 1000.1 - 1e-9, all: 4001.4}))
	assert.InDelta(t, 1, start.busyUntil(cpuTimes{busy: 1001.1 + 1e-9, all: 4001.4}), 0)
}
