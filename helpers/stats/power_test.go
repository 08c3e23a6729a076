package stats

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Is the detectable effect detected as often as promised? Simulated with a
// fixed seed at the very effect the formula names.
func TestDetectableEffectIsDetected(t *testing.T) {
	const runs, alpha = 6_000, 0.05 / 3
	random := rand.New(rand.NewPCG(7, 8))
	for _, c := range []struct {
		n       int
		power   float64
		atLeast float64
		atMost  float64
	}{
		{6, 0.9, 0.80, 0.85},
		{9, 0.9, 0.88, 0.91},
		{12, 0.9, 0.88, 0.92},
		{12, 0.8, 0.78, 0.83},
		{20, 0.9, 0.88, 0.92},
	} {
		effect, ok := DetectableEffect(c.n, 1, alpha, c.power)
		require.True(t, ok)
		found := 0
		for range runs {
			if sample(t, normals(random, c.n, effect)...).PGreater(0) <= alpha {
				found++
			}
		}
		share := float64(found) / runs
		assert.GreaterOrEqual(t, share, c.atLeast, "n = %d", c.n)
		assert.LessOrEqual(t, share, c.atMost, "n = %d", c.n)
	}
}

// Does the effect follow noise and rounds as it must: in proportion to the
// noise, and smaller with more rounds?
func TestDetectableEffectProperties(t *testing.T) {
	const alpha = 0.05 / 3
	previous := math.Inf(1)
	for _, n := range []int{6, 9, 12, 20, 40, 60} {
		one, ok := DetectableEffect(n, 0.05, alpha, 0.9)
		require.True(t, ok)
		two, ok := DetectableEffect(n, 0.10, alpha, 0.9)
		require.True(t, ok)
		assert.InDelta(t, 2*one, two, 1e-12)
		assert.Less(t, one, previous)
		previous = one
	}
	for _, n := range []int{0, 5, 61} {
		_, ok := DetectableEffect(n, 0.05, alpha, 0.9)
		assert.False(t, ok, "n = %d", n)
	}
}

// Are the rounds needed the least that detect the effect, and is "too many"
// said instead of a number?
func TestRoundsNeeded(t *testing.T) {
	const alpha = 0.05 / 3
	for _, effect := range []float64{0.04, 0.05, 0.08, 0.1, -0.1} {
		n, ok := RoundsNeeded(effect, 0.07, alpha, 0.9)
		require.True(t, ok)
		enough, _ := DetectableEffect(n, 0.07, alpha, 0.9)
		assert.LessOrEqual(t, enough, math.Abs(effect))
		tooFew, ok := DetectableEffect(n-1, 0.07, alpha, 0.9)
		assert.True(t, !ok || tooFew > math.Abs(effect))
	}
	_, ok := RoundsNeeded(0.001, 0.07, alpha, 0.9)
	assert.False(t, ok)
	_, ok = RoundsNeeded(0, 0.07, alpha, 0.9)
	assert.False(t, ok)
	least, ok := RoundsNeeded(0.1, 0, alpha, 0.9)
	assert.True(t, ok)
	assert.Equal(t, 6, least, "without noise the steps of the exact test remain")
}
