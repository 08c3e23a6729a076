package recovery

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/shirou/gopsutil/v4/cpu"

	"streamgate/helpers/osapi"
)

// What the target writes into its log.
const (
	// fallbackLine is logged by the recovery target when the download failed and the
	// primary's node sends the files instead.
	fallbackLine = "will continue with peer to peer segment copy"
	// threadsLine is RemoteStoreFileDownloader's, at TRACE.
	threadsLine = "Starting download of"
)

var threadsPattern = regexp.MustCompile(threadsLine + ` (\d+) files with (\d+) threads`)

// collect reads the clocks and the evidence of a recovery that has just ended.
func collect(ctx context.Context, bench Bench, before counters, begun time.Time, r *Recovery) error {
	after, err := count(ctx, bench)
	if err != nil {
		return err
	}
	shard, err := replica(ctx, bench)
	if err != nil {
		return fmt.Errorf("read the recovery: %w", err)
	}
	r.Total = time.Duration(shard.TotalMillis) * time.Millisecond

	e := &r.Evidence
	e.streams(before, after, &r.Download)
	e.WantBytes, e.WantFiles = Sum(bench.Files), len(bench.Files)
	e.PeerFiles, e.PeerBytes = shard.Index.Files.Recovered, shard.Index.Size.RecoveredBytes
	if err := e.remote(ctx, bench); err != nil {
		return err
	}
	if err := e.log(ctx, bench, since(begun, time.Now(), time.Since(begun))); err != nil {
		return err
	}
	return e.compare(ctx, bench)
}

// streams fills in what the counters tell of the streams, and the download's span.
func (e *Evidence) streams(before, after counters, span *time.Duration) {
	*span = Span(e.Progress)
	if *span > 0 {
		spent := time.Duration(after.node.DownloadMillis-before.node.DownloadMillis) * time.Millisecond
		e.Concurrency = spent.Seconds() / span.Seconds()
	}
	e.PoolLargest = after.node.Pool.Largest
	e.PoolFiles = after.node.Pool.Completed - before.node.Pool.Completed
	if before.traffic != nil && after.traffic != nil {
		e.Store = &Traffic{
			Gets:      after.traffic.Gets - before.traffic.Gets,
			SentBytes: after.traffic.SentBytes - before.traffic.SentBytes,
		}
	}
	e.CPU = before.cpu.busyUntil(after.cpu)
}

// Span is the time in which bytes came: from the last sample without any to the first with all of them.
func Span(progress []Point) time.Duration {
	n := len(progress)
	if n == 0 {
		return 0
	}
	first := slices.IndexFunc(progress, func(p Point) bool { return p.Bytes > 0 })
	begin := progress[max(first-1, 0)].After
	end := progress[slices.IndexFunc(progress, func(p Point) bool { return p.Bytes == progress[n-1].Bytes })].After
	return end - begin
}

// remote reads the replica's own count of what it downloaded.
func (e *Evidence) remote(ctx context.Context, bench Bench) error {
	stats, err := bench.API.RemoteStats(ctx, bench.Index)
	if err != nil {
		return fmt.Errorf("read the remote store's statistics: %w", err)
	}
	for _, copied := range stats {
		if !copied.Routing.Primary && copied.Routing.Node == bench.Target.ID {
			e.DownloadedBytes = copied.Segment.Download.Size.SucceededBytes
			e.FailedBytes = copied.Segment.Download.Size.FailedBytes
		}
	}
	return nil
}

// log searches the target's log for a fallback and for the downloader's own words.
func (e *Evidence) log(ctx context.Context, bench Bench, since time.Time) error {
	if bench.LogLines == nil {
		return nil
	}
	lines, err := bench.LogLines(ctx, since, fallbackLine, threadsLine)
	if err != nil {
		return err
	}
	e.LogRead = true
	for _, line := range lines {
		if found := threadsPattern.FindStringSubmatch(line); found != nil {
			threads, err := strconv.Atoi(found[2])
			if err != nil {
				return fmt.Errorf("read %q: %w", line, err)
			}
			e.Threads = max(e.Threads, threads)
			continue
		}
		e.Fallback = append(e.Fallback, line)
	}
	return nil
}

// compare holds the replica against the primary: documents, and segments by name and size.
func (e *Evidence) compare(ctx context.Context, bench Bench) error {
	var err error
	if e.PrimaryDocuments, err = bench.API.Count(ctx, bench.Index, bench.Primary.ID); err != nil {
		return fmt.Errorf("count the primary's documents: %w", err)
	}
	if e.ReplicaDocuments, err = bench.API.Count(ctx, bench.Index, bench.Target.ID); err != nil {
		return fmt.Errorf("count the replica's documents: %w", err)
	}
	if e.Merges, err = bench.API.Merges(ctx, bench.Index); err != nil {
		return fmt.Errorf("count the primary's merges: %w", err)
	}
	copies, err := bench.API.Segments(ctx, bench.Index)
	if err != nil {
		return fmt.Errorf("list the segments: %w", err)
	}
	var ours, theirs map[string]osapi.Segment
	for _, c := range copies {
		switch c.NodeID {
		case bench.Primary.ID:
			ours = c.Segments
		case bench.Target.ID:
			theirs = c.Segments
		}
	}
	e.Segments, e.Unequal = len(ours), differences(ours, theirs)
	return e.compareFiles(ctx, bench, ours)
}

// compareFiles holds the files of the primary's segments against the replica's, byte for byte.
func (e *Evidence) compareFiles(ctx context.Context, bench Bench, segments map[string]osapi.Segment) error {
	if bench.Sums == nil {
		return nil
	}
	primary, err := bench.Sums(ctx, bench.Primary)
	if err != nil {
		return err
	}
	replica, err := bench.Sums(ctx, bench.Target)
	if err != nil {
		return err
	}
	e.FilesRead, e.UnlikeFiles = UnlikeFiles(segments, primary, replica)
	return nil
}

// differences names the segments that are not the same in both copies.
func differences(primary, replica map[string]osapi.Segment) []string {
	names := map[string]bool{}
	for name := range primary {
		names[name] = true
	}
	for name := range replica {
		names[name] = true
	}
	var unequal []string
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if p, r := primary[name], replica[name]; p.SizeBytes != r.SizeBytes || p.Documents != r.Documents {
			unequal = append(unequal, name)
		}
	}
	return unequal
}

// cpuTimes are seconds since the machine started, over all processors.
type cpuTimes struct{ busy, all float64 }

func readCPU(ctx context.Context) (cpuTimes, error) {
	times, err := cpu.TimesWithContext(ctx, false)
	if err != nil {
		return cpuTimes{}, fmt.Errorf("read the processors' times: %w", err)
	}
	if len(times) != 1 {
		return cpuTimes{}, fmt.Errorf("read the processors' times: %d sums, want 1", len(times))
	}
	return sum(times[0]), nil
}

// sum takes waiting for a disk for idle, as top does.
func sum(t cpu.TimesStat) cpuTimes {
	all := t.User + t.System + t.Idle + t.Nice + t.Iowait + t.Irq + t.Softirq + t.Steal
	return cpuTimes{busy: all - t.Idle - t.Iowait, all: all}
}

// busyUntil is the busy share between two readings, 0 to 1. The readings are sums of many small
// numbers, whose difference can come out below nothing, by 2e-11 once: a bundle refuses that.
func (c cpuTimes) busyUntil(later cpuTimes) float64 {
	if later.all <= c.all {
		return 0
	}
	return min(max((later.busy-c.busy)/(later.all-c.all), 0), 1)
}
