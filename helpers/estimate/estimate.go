// Package estimate says how long a run will take, from its settings and before anything starts.
//
// A suite that does not fit into go test's -timeout is refused with it, and the README's table of
// profiles is made from it: one formula for both. What does not belong here: the least time that is
// physically possible (helpers/bound), and the time that is left of a run that goes on (fixtures/gate).
package estimate

import (
	"fmt"
	"time"

	"streamgate/helpers/bound"
	"streamgate/helpers/config"
	"streamgate/helpers/verdict"
)

// Measured on 2 cores, OpenSearch 3.8.0, generated corpora of 100 and 200 MB, images built.
const (
	// startTime is what a stack takes from the first container to its end, beside what follows.
	startTime = 30 * time.Second
	// loadBytesPerSecond is the least rate at which text is indexed, laid out and quiet: 3.3 to 10 MB/s.
	loadBytesPerSecond = 6_000_000
	// indexShare is how large an index on disk is, by its text: 1.06.
	indexShare = 1.06
	// downloadShare is how long a download takes by the least possible time, without much beside it.
	downloadShare = 1.1
	// besideDownload is the rest of a recovery: the replica before is removed, the new one started and proven.
	besideDownload = 2500 * time.Millisecond
	// filesOfSegment are those of a segment in the store; all but one are small.
	filesOfSegment = 3
)

// Stack is how long a stack takes to start, to load the corpus of the settings, and to end.
func Stack(c config.Config) time.Duration {
	return startTime + seconds(float64(c.CorpusBytes)/loadBytesPerSecond)
}

// Recovery is how long a recovery takes with so many streams, with all that is beside it. The link of a
// cluster that is not ours is not known: its downloads count as nothing. It is an error when the
// settings have no least possible time, see bound.Best.
func Recovery(c config.Config, streams int) (time.Duration, error) {
	if c.HasTarget() {
		return besideDownload, nil
	}
	segment := int64(float64(c.CorpusBytes) * indexShare / float64(c.Segments))
	files := make([]int64, 0, filesOfSegment*c.Segments)
	for range c.Segments {
		files = append(files, max(segment, 1))
		for range filesOfSegment - 1 {
			files = append(files, 1)
		}
	}
	best, err := bound.Best(files, streams, bound.Link{RateBytes: float64(c.LinkRateBytes), FirstByte: c.LinkFirstByte})
	if err != nil {
		return 0, fmt.Errorf("estimate a recovery with %d streams: %w", streams, err)
	}
	return time.Duration(float64(best.Time)*downloadShare) + besideDownload, nil
}

// Rounds is how long so many rounds and a warm-up take, each with one recovery of each arm, of which
// streams are the numbers of streams.
func Rounds(c config.Config, rounds int, streams ...int) (time.Duration, error) {
	var total time.Duration
	for _, n := range streams {
		one, err := Recovery(c, n)
		if err != nil {
			return 0, err
		}
		total += time.Duration(rounds+1) * one
	}
	return total, nil
}

// Gate is how long the multistream gate of the settings takes with the images built: least when its
// answer is clear at the first look, most when it takes all rounds.
func Gate(c config.Config) (least, most time.Duration, err error) {
	looks, err := verdict.LooksUpTo(c.Rounds)
	if err != nil {
		return 0, 0, err
	}
	if least, err = Rounds(c, looks.Rounds[0], c.SingleStreams, c.MultiStreams); err != nil {
		return 0, 0, err
	}
	if most, err = Rounds(c, looks.Last(), c.SingleStreams, c.MultiStreams); err != nil {
		return 0, 0, err
	}
	return least + Stack(c), most + Stack(c), nil
}

// Longest is the time that suite.Needs asks for: that of the gate, when it takes all rounds.
func Longest(c config.Config) (time.Duration, error) {
	_, most, err := Gate(c)
	return most, err
}

func seconds(n float64) time.Duration { return time.Duration(n * float64(time.Second)) }
