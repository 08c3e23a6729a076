package config_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"streamgate/helpers/config"
)

// Which OpenSearch does a run get? The image variable is a source of its own; the two sides of a
// comparison are what is under test unless they are named.
func TestSources(t *testing.T) {
	for _, c := range []struct {
		environ               []string
		under, base, compared string
	}{
		{nil, "maven:3.8.0", "maven:3.8.0", "maven:3.8.0"},
		{[]string{"STREAMGATE_OPENSEARCH=maven:3.1.0"}, "maven:3.1.0", "maven:3.1.0", "maven:3.1.0"},
		{[]string{"STREAMGATE_OPENSEARCH_IMAGE=mine:1"}, "image:mine:1", "image:mine:1", "image:mine:1"},
		{[]string{"STREAMGATE_BASE=maven:3.6.0"}, "maven:3.8.0", "maven:3.6.0", "maven:3.8.0"},
		{[]string{"STREAMGATE_CANDIDATE=image:mine:1"}, "maven:3.8.0", "maven:3.8.0", "image:mine:1"},
		{[]string{"STREAMGATE_BASE=maven:3.1.0", "STREAMGATE_CANDIDATE=maven:3.6.0"}, "maven:3.8.0", "maven:3.1.0", "maven:3.6.0"},
	} {
		got, err := config.Load(c.environ)
		require.NoError(t, err)
		assert.Equal(t, c.under, got.Source().String(), c.environ)
		assert.Equal(t, c.base, got.BaseSource().String(), c.environ)
		assert.Equal(t, c.compared, got.CandidateSource().String(), c.environ)
	}
}

// Is a release that is known to be bad refused with its issue, whichever variable names it, and
// taken when the run says so?
func TestSourcesThatAreRefused(t *testing.T) {
	for _, c := range []struct{ variable, value string }{
		{"STREAMGATE_OPENSEARCH", "official:2.19.1"},
		{"STREAMGATE_BASE", "official:2.18.0"},
		{"STREAMGATE_CANDIDATE", "official:2.19.0"},
		{"STREAMGATE_VERSIONS", "3.8.0,official:2.19.1"},
	} {
		_, err := config.Load([]string{c.variable + "=" + c.value})
		require.ErrorContains(t, err, c.variable+`="official:2.1`)
		require.ErrorContains(t, err, "#15902")
		_, err = config.Load([]string{c.variable + "=" + c.value, "STREAMGATE_ALLOW_BAD=true"})
		require.NoError(t, err)
	}
}

// Does an unknown version teach the known ones?
func TestUnknownVersionListsTheKnown(t *testing.T) {
	_, err := config.Load([]string{"STREAMGATE_OPENSEARCH=maven:3.7.0"})
	require.EqualError(t, err, `STREAMGATE_OPENSEARCH="maven:3.7.0": want maven:VERSION, official:VERSION, dist:PATH or image:REF `+
		`(version is not known; known are 2.10.0, 2.11.0, 2.19.6, 3.1.0, 3.2.0, 3.3.0, 3.3.2, 3.5.0, 3.6.0, 3.8.0)`)
}

// Does Given tell a value of the environment from a default, also where both are the same?
func TestGiven(t *testing.T) {
	c, err := config.Load([]string{"STREAMGATE_ROUNDS=12", "STREAMGATE_SEGMENTS="})
	require.NoError(t, err)
	assert.True(t, c.Given("STREAMGATE_ROUNDS"))
	assert.False(t, c.Given("STREAMGATE_SEGMENTS"))
	assert.False(t, c.Given("STREAMGATE_CORPUS_SIZE"))
}
