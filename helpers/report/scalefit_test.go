package report

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Is the line what it should be: through points on a line, little moved by a wild one, ruled by
// the sizes that are far apart, and refused where there is none?
func TestFitScale(t *testing.T) {
	straight := func(mb ...int64) []sized {
		var points []sized
		for _, m := range mb {
			points = append(points, sized{m * 1_000_000, 2 + float64(m)/50})
		}
		return points
	}
	for name, points := range map[string][]sized{
		"on a line":                    straight(50, 200, 1000),
		"twice each, in another order": straight(1000, 50, 200, 50, 1000, 200),
		"one wild recovery":            append(straight(50, 50, 200, 200, 1000, 1000, 4000, 4000), sized{1_000_000_000, 90}),
	} {
		fit, err := fitScale(points)
		require.NoError(t, err, name)
		assert.InDelta(t, 2, fit.FixedSeconds, 0.01, name)
		assert.InDelta(t, 50e6, fit.RateBytes, 0.01e6, name)
	}

	// Between the small ones time stands still; plain medians would follow them.
	noisy, err := fitScale([]sized{{50e6, 3}, {60e6, 3}, {70e6, 3}, {80e6, 3}, {4000e6, 82.2}})
	require.NoError(t, err)
	assert.InDelta(t, 50e6, noisy.RateBytes, 1e6)

	// Four of six pairs agree, two lie below: that is no third of them which decides.
	most, err := fitScale([]sized{{100e6, 1}, {100e6, 1}, {200e6, 3}, {200e6, 3}, {200e6, 1}})
	require.NoError(t, err)
	assert.InDelta(t, 50e6, most.RateBytes, 1e3)

	for name, points := range map[string][]sized{
		"none": nil, "one": straight(50), "one size": straight(50, 50), "falling": {{50e6, 3}, {200e6, 2}}, "level": {{50e6, 3}, {200e6, 3}},
	} {
		_, err := fitScale(points)
		assert.Error(t, err, name)
	}
}

// Is the range that of the lines without one size each, and is the distance from the line told?
// The largest size took a tenth more than the others say.
func TestPredictionRange(t *testing.T) {
	run := straightRun()
	run.Points = run.Points[:6]
	big := pointOf(run, 1_000_000_000, 1)
	for i := range big.Recoveries {
		big.Recoveries[i].Total = big.Recoveries[i].Total * 11 / 10
	}
	p := predict(run.Points, 1, seedBytes)
	assert.Greater(t, p.High-p.Low, 3*time.Minute, "without the largest, 61 min; without another, about 68")
	assert.InDelta(t, 61.1, p.Low.Minutes(), 0.1)
	assert.True(t, p.Low <= p.Time && p.Time <= p.High, fmt.Sprint(p.Low, p.Time, p.High))
	assert.Greater(t, p.Off, 0.001)
	assert.Equal(t, "90.0 s to 2.5 min", spans(90*time.Second, 150*time.Second))
	run.Points = run.Points[:4]
	assert.Zero(t, predict(run.Points, 1, seedBytes).High, "two sizes leave one, and that is no line")
	assert.Equal(t, unknown, predict(run.Points, 1, seedBytes).offWords(), "a line always meets two sizes")
}
