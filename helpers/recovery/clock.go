package recovery

import "time"

// Now is the time of day in UTC for what is written down, such as a recovery's start. It follows the
// monotonic clock from the process's start on: a clock that is set meanwhile moves it neither back
// nor forth, so that a record of several recoveries cannot contradict itself.
func Now() time.Time { return at(began, time.Since(began)) }

// began carries a reading of both clocks.
var began = time.Now()

func at(began time.Time, since time.Duration) time.Time { return began.Round(0).Add(since).UTC() }

// since is the earliest time of day that a log line written after start can carry, now being the time
// of day as it is set. A clock that was set back meanwhile gives lines earlier times than start.
func since(start, now time.Time, elapsed time.Duration) time.Time {
	start, set := start.Round(0), now.Round(0).Add(-elapsed) // without monotonic readings, which would be compared instead
	if set.Before(start) {
		return set
	}
	return start
}
