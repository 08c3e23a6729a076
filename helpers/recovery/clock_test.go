package recovery

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// Does the time that is written down follow the monotonic clock, in UTC?
func TestNow(t *testing.T) {
	first := Now()
	time.Sleep(20 * time.Millisecond)
	second := Now()
	assert.Equal(t, time.UTC, second.Location())
	assert.GreaterOrEqual(t, second.Sub(first), 20*time.Millisecond)
	assert.WithinDuration(t, time.Now(), second, time.Minute)

	// As after a process start whose wall clock was an hour off: what counts is the time since.
	hourOff := time.Date(2026, 12, 3, 10, 0, 0, 0, time.FixedZone("east", 3600))
	assert.Equal(t, time.Date(2026, 12, 3, 9, 0, 5, 0, time.UTC), at(hourOff, 5*time.Second))
}

// From when on are log lines searched? From the start; earlier when the clock was set back since.
func TestSince(t *testing.T) {
	start := time.Date(2026, 12, 3, 10, 0, 0, 0, time.UTC)
	assert.Equal(t, start, since(start, start.Add(5*time.Second), 5*time.Second))
	assert.Equal(t, start, since(start, start.Add(time.Hour), 5*time.Second), "set forth")
	assert.Equal(t, start.Add(-time.Hour), since(start, start.Add(-time.Hour+5*time.Second), 5*time.Second), "set back")
}
