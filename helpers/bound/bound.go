// Package bound says how fast a recovery could possibly be: the least time in
// which a list of files can pass a link with a given number of streams.
//
// Without it, "slow because one file is half the shard" and "slow because
// OpenSearch got worse" look alike.
//
// The model is OpenSearch's way to download a shard from a remote store
// (RemoteStoreFileDownloader, 2.11 and later): each stream takes one whole
// file, then the next, in any order; a file is one request on one connection;
// the link gives every connection the same rate and lets every request wait
// for its first byte. That is scheduling jobs on k equal machines, and the
// bound is the classic one (Graham, "Bounds on multiprocessing timing
// anomalies", SIAM J. Appl. Math. 17, 1969): no schedule beats the longest
// job, and none beats the work divided by the machines.
//
// What the model leaves out only makes a recovery slower: the limiter
// indices.recovery.max_bytes_per_sec, CPU and disk, the phases around the
// download. So a measured time below the bound means that the link is not what
// it was measured to be.
//
// What does not belong here: measuring rate and first byte (calibration),
// reading the file list, demands on the efficiency (helpers/verdict).
package bound

import (
	"errors"
	"fmt"
	"math"
	"time"
)

// Link is what one connection gets, however many there are.
type Link struct {
	// RateBytes is the rate of one connection in bytes per second.
	RateBytes float64 `json:"rate_bytes_per_second"`
	// FirstByte is the time from a request to the first byte of its answer.
	FirstByte time.Duration `json:"first_byte_ns"`
}

// Bound is the least time for one file list, number of streams and link.
type Bound struct {
	// Time is the larger of LongPole and Work: no recovery can be faster.
	Time time.Duration
	// LongPole is the time of the largest file on its own.
	LongPole time.Duration
	// Work is the time of all files divided by the streams.
	Work time.Duration
	// Streams is how many streams can be busy, see Streams.
	Streams int
}

// LongPoleDecides is true when the largest file sets the bound, so that more
// streams cannot help.
func (b Bound) LongPoleDecides() bool { return b.LongPole > b.Work }

// Streams is how many of the streams can be busy: a file is never split, so at
// most as many as there are files. The caller has already taken the smaller of
// setting and thread pool.
func Streams(files, streams int) int { return min(files, streams) }

// Best is the bound for files of the given sizes in bytes,
//
//	T(k) >= max( max(f)/r + L, (sum(f)/r + n*L) / k )
//
// with k streams, at a rate of r bytes per second per connection and a first
// byte after L. Times are rounded down to the nanosecond, so that they stay
// bounds. It is an error when there is no file, no stream, no rate, when a
// number is negative, or when the time does not fit a time.Duration.
func Best(sizesBytes []int64, streams int, link Link) (Bound, error) {
	if err := check(sizesBytes, streams, link); err != nil {
		return Bound{}, fmt.Errorf("bound recovery time: %w", err)
	}
	largest, total := sums(sizesBytes)
	busy := Streams(len(sizesBytes), streams)
	firstByte := link.FirstByte.Seconds()
	longPole := largest/link.RateBytes + firstByte
	work := (total/link.RateBytes + float64(len(sizesBytes))*firstByte) / float64(busy)
	if seconds := max(longPole, work); seconds > math.MaxInt64/1e9 {
		return Bound{}, fmt.Errorf("bound recovery time: %.3g s is too long to be a duration", seconds)
	}
	bound := Bound{LongPole: duration(longPole), Work: duration(work), Streams: busy}
	bound.Time = max(bound.LongPole, bound.Work)
	return bound, nil
}

// BestRatio is how many times as fast the recovery with streams can be as the
// one with baseStreams, both at their best. It says what the corpus and the
// link can show. It is a model and no strict limit of a measured ratio: a base
// arm that wastes time lets the measured ratio rise above it, which is one
// reason why Efficiency looks at one arm alone.
func BestRatio(sizesBytes []int64, streams, baseStreams int, link Link) (float64, error) {
	arm, err := Best(sizesBytes, streams, link)
	if err != nil {
		return 0, err
	}
	base, err := Best(sizesBytes, baseStreams, link)
	if err != nil {
		return 0, err
	}
	if arm.Time <= 0 {
		return 0, errors.New("bound recovery ratio: all files are empty and the first byte takes no time")
	}
	return base.Time.Seconds() / arm.Time.Seconds(), nil
}

// Efficiency is the best possible time divided by the measured time of the
// same arm: 1 is perfect, more is impossible. It is made of times and not of
// ratios, because a ratio of two arms that both got slower stays the same.
func Efficiency(best, measured time.Duration) (float64, error) {
	if best <= 0 || measured <= 0 {
		return 0, fmt.Errorf("compute efficiency: best %v, measured %v, allowed are positive times", best, measured)
	}
	return best.Seconds() / measured.Seconds(), nil
}

// LargestShare is the share of the largest file in all bytes, 0 to 1: with a
// share s no number of streams makes the download more than about 1/s times as
// fast. It is 0 when there are no bytes.
func LargestShare(sizesBytes []int64) float64 {
	largest, total := sums(sizesBytes)
	if total == 0 {
		return 0
	}
	return largest / total
}

func sums(sizesBytes []int64) (largest, total float64) {
	for _, size := range sizesBytes {
		largest = max(largest, float64(size))
		total += float64(size)
	}
	return largest, total
}

func duration(seconds float64) time.Duration {
	return time.Duration(seconds * float64(time.Second))
}

func check(sizesBytes []int64, streams int, link Link) error {
	switch {
	case len(sizesBytes) == 0:
		return errors.New("no files")
	case streams < 1:
		return fmt.Errorf("streams is %d, allowed are 1 and more", streams)
	case !(link.RateBytes > 0) || math.IsInf(link.RateBytes, 1):
		return fmt.Errorf("rate is %g B/s, allowed are finite rates above 0", link.RateBytes)
	case link.FirstByte < 0:
		return fmt.Errorf("first byte is %v, allowed are 0 and more", link.FirstByte)
	}
	for i, size := range sizesBytes {
		if size < 0 {
			return fmt.Errorf("file %d has %d bytes, allowed are 0 and more", i+1, size)
		}
	}
	return nil
}
