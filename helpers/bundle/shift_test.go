package bundle

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Are the exact tails those of the published tables? The critical values of the
// Mann–Whitney test at 0.05, two-sided, from the table in Siegel, "Nonparametric Statistics
// for the Behavioral Sciences", 1956, table K.
func TestCriticalValues(t *testing.T) {
	for _, c := range []struct{ n, m, want int }{
		{4, 4, 0}, {5, 5, 2}, {6, 6, 5}, {6, 9, 10}, {9, 9, 17}, {9, 12, 26}, {12, 12, 37}, {12, 6, 14},
	} {
		t.Run(fmt.Sprint(c.n, "and", c.m), func(t *testing.T) {
			got, ok := critical(c.n, c.m)
			assert.True(t, ok)
			assert.Equal(t, c.want, got)
		})
	}
	_, ok := critical(3, 3)
	assert.False(t, ok, "three and three cannot tell anything at 95 %")
}

// Does a known factor come out? Every number of b is 1.25 times one of a, so the estimate
// is 1.25 and lies within its interval; three rounds give no interval.
func TestShiftFindsAKnownFactor(t *testing.T) {
	a := []float64{3.1, 3.2, 3.15, 3.3, 3.05, 3.25}
	b := make([]float64, len(a))
	for i := range a {
		b[i] = 1.25 * a[i]
	}
	shift := NewShift(a, b)
	assert.InDelta(t, 1.25, shift.Factor, 1e-9)
	assert.True(t, shift.Known)
	assert.Greater(t, shift.Lower, 1.15)
	assert.Less(t, shift.Lower, 1.25)
	assert.Greater(t, shift.Upper, 1.25)
	assert.Less(t, shift.Upper, 1.36)
	assert.False(t, NewShift(a[:3], b[:3]).Known)
}
