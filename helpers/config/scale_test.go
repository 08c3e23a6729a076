package config_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"streamgate/helpers/config"
)

// What does a scale run measure? By default what the README says, else what it is told, in either
// family of units and with spaces.
func TestScale(t *testing.T) {
	c, err := config.Load(nil)
	require.NoError(t, err)
	assert.Equal(t, []int64{50_000_000, 200_000_000, 1_000_000_000, 4_000_000_000}, c.ScaleSizesBytes())
	assert.Equal(t, []int{1, 2, 4, 8, 16}, c.ScaleStreamCounts())

	c, err = config.Load([]string{"STREAMGATE_SCALE_SIZES=10 MB, 1GiB", "STREAMGATE_SCALE_STREAMS= 3 ,32"})
	require.NoError(t, err)
	assert.Equal(t, []int64{10_000_000, 1 << 30}, c.ScaleSizesBytes())
	assert.Equal(t, []int{3, 32}, c.ScaleStreamCounts())
}
