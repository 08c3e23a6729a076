package estimate_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"streamgate/helpers/config"
	"streamgate/helpers/estimate"
)

func settings(t *testing.T, environ ...string) config.Config {
	t.Helper()
	c, err := config.Load(environ)
	require.NoError(t, err)
	return c
}

// Is the estimate near what was measured? Gates of 200 MB took 200 to 240 s after 6 rounds, of which
// the bundle of the README is one; 12 rounds of 100 MB with others on the machine took 260 s.
func TestGateIsNearWhatWasMeasured(t *testing.T) {
	least, most, err := estimate.Gate(settings(t, "STREAMGATE_CORPUS_SIZE=200MB", "STREAMGATE_LINK_RATE=12MB/s"))
	require.NoError(t, err)
	assert.InDelta(t, 240, least.Seconds(), 40)
	assert.Greater(t, most, least+100*time.Second)
	_, most, err = estimate.Gate(settings(t, "STREAMGATE_CORPUS_SIZE=100MB", "STREAMGATE_LINK_RATE=12MB/s"))
	require.NoError(t, err)
	assert.InDelta(t, 260, most.Seconds(), 40)
}

// Does the estimate follow each setting that makes a run longer, and is a cluster with a link that
// nobody knows estimated at all?
func TestGateFollowsTheSettings(t *testing.T) {
	_, usual, err := estimate.Gate(settings(t))
	require.NoError(t, err)
	for _, longer := range []string{
		"STREAMGATE_PROFILE=ci", "STREAMGATE_PROFILE=full", "STREAMGATE_CORPUS_SIZE=4GB", "STREAMGATE_LINK_RATE=300kB/s",
		"STREAMGATE_LINK_FIRST_BYTE=1s", "STREAMGATE_ROUNDS=60", "STREAMGATE_MULTI_STREAMS=1",
	} {
		_, most, err := estimate.Gate(settings(t, longer))
		require.NoError(t, err, longer)
		assert.Greater(t, most, usual+30*time.Second, longer)
	}
	_, most, err := estimate.Gate(settings(t, "STREAMGATE_TARGET=http://127.0.0.1:9200"))
	require.NoError(t, err)
	assert.Less(t, most, usual)
	assert.Positive(t, most)
}
