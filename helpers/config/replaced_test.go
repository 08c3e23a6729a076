package config_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"streamgate/helpers/config"
)

// Are two variables refused of which one would be passed over in silence, also when its value is the
// default? And taken when both say the same?
func TestReplacedVariables(t *testing.T) {
	for _, asked := range []string{"maven:3.6.0", "maven:3.8.0", "image:other:1", "image:mine"} { // 3.8.0 is the default
		_, err := config.Load([]string{"STREAMGATE_OPENSEARCH=" + asked, "STREAMGATE_OPENSEARCH_IMAGE=mine:1"})
		require.EqualError(t, err, `STREAMGATE_OPENSEARCH_IMAGE="mine:1": want it unset beside STREAMGATE_OPENSEARCH="`+asked+`"`)
	}
	_, err := config.Load([]string{"STREAMGATE_OPENSEARCH=image:mine:1", "STREAMGATE_OPENSEARCH_IMAGE=mine:1"})
	require.NoError(t, err)
	for _, seed := range []string{"7", "1"} {
		_, err := config.Load([]string{"STREAMGATE_CORPUS=posts.xml", "STREAMGATE_CORPUS_SEED=" + seed})
		require.EqualError(t, err, `STREAMGATE_CORPUS="posts.xml": want it unset beside STREAMGATE_CORPUS_SEED="`+seed+`"`)
	}
}

// Do the settings say that a default is not what holds, and can they still be loaded again?
func TestSettingsOfReplacedVariables(t *testing.T) {
	for replaced, environ := range map[string]string{
		"STREAMGATE_OPENSEARCH":  "STREAMGATE_OPENSEARCH_IMAGE=mine:1",
		"STREAMGATE_CORPUS_SEED": "STREAMGATE_CORPUS=posts.xml",
	} {
		c, err := config.Load([]string{environ})
		require.NoError(t, err)
		var again []string
		for _, s := range c.Settings() {
			again = append(again, s.Variable+"="+s.Value)
			if s.Variable == replaced {
				assert.Empty(t, s.Value)
				assert.Contains(t, s.Source, "not used beside ")
			}
		}
		same, err := config.Load(again)
		require.NoError(t, err)
		assert.Equal(t, c.Source(), same.Source())
		assert.Equal(t, c.CorpusSeed, same.CorpusSeed)
	}
}
