package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"streamgate/helpers/bundle"
)

// Does the comparison say what differs, and how much an arm moved? A run is compared with
// one of another machine, and with one whose multi arm is slower.
func TestComparisonText(t *testing.T) {
	other := passing()
	other.Environment.Machine.Cores = 16
	var got bytes.Buffer
	require.NoError(t, Comparison(&got, bundle.Compare(passing(), other)))
	assert.Equal(t, "not compared, the runs differ in 1 condition:\n  cores  A: 2\n         B: 16\n", got.String())

	got.Reset()
	require.NoError(t, Comparison(&got, bundle.Compare(passing(), failing())))
	for _, words := range []string{"multi", "+200.0 %", "single", "speed-up of multi over single", "-66.7 %"} {
		assert.Contains(t, got.String(), words)
	}
	keepsWithin(t, columns, got.String())

	got.Reset()
	other.Environment.Machine.Kernel = strings.Repeat("a long name ", 20)
	require.NoError(t, Comparison(&got, bundle.Compare(passing(), other)))
	assert.Contains(t, got.String(), "a long name")
	keepsWithin(t, columns, got.String())
}
