package config_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"streamgate/helpers/config"
)

// Can a run be repeated from what it printed? The settings of some runs, given back as an environment, must make equal
// settings; sizes are chosen that a rounding printer would lose.
func TestSettingsRepeatTheRun(t *testing.T) {
	for _, environ := range [][]string{
		nil,
		{"STREAMGATE_PROFILE=full", "STREAMGATE_KEEP=true", "STREAMGATE_CORPUS=a b.xml", "STREAMGATE_MINIO_IMAGE=minio:1"},
		{"STREAMGATE_CORPUS_SIZE=123456789", "STREAMGATE_LINK_RATE=1234567", "STREAMGATE_HEAP=1073741825", "STREAMGATE_MIN_SPEEDUP=2.7182818284590451"},
		{"STREAMGATE_CORPUS_SIZE=1GiB", "STREAMGATE_LINK_RATE=1.5MiB/s", "STREAMGATE_HEAP=1536MiB", "STREAMGATE_LINK_FIRST_BYTE=1.5ms"},
		{"STREAMGATE_CORPUS_SIZE=1TB", "STREAMGATE_LINK_RATE=100kB", "STREAMGATE_SEED=18446744073709551615"},
	} {
		first, err := config.Load(environ)
		require.NoError(t, err)
		var again []string
		for _, s := range first.Settings() {
			again = append(again, s.Variable+"="+s.Value)
		}
		second, err := config.Load(again)
		require.NoError(t, err)
		assert.Equal(t, first.Profile, second.Profile)
		for i, s := range second.Settings() {
			assert.Equal(t, first.Settings()[i].Value, s.Value, s.Variable)
		}
		assert.Equal(t, first.HeapBytes, second.HeapBytes)
		assert.Equal(t, first.Seed, second.Seed)
	}
}

// Does the printed text say each value and where it comes from, in aligned columns? Compared in full for one run.
func TestString(t *testing.T) {
	c, err := config.Load([]string{"STREAMGATE_PROFILE=ci", "STREAMGATE_SEED=42", "STREAMGATE_CORPUS_SIZE=100mb", "STREAMGATE_MINIO_IMAGE=minio:1"})
	require.NoError(t, err)
	assert.Equal(t, strings.TrimLeft(`
STREAMGATE_PROFILE            ci                  environment
STREAMGATE_CORPUS_SIZE        100MB               environment
STREAMGATE_SEGMENTS           60                  profile ci
STREAMGATE_LINK_RATE          12MB/s              profile ci
STREAMGATE_LINK_FIRST_BYTE    0s                  profile ci
STREAMGATE_ROUNDS             12                  profile ci
STREAMGATE_MIN_SPEEDUP        3                   profile ci
STREAMGATE_MIN_EFFICIENCY     0.55                profile ci
STREAMGATE_DATA_NODES         2                   profile ci
STREAMGATE_KEEP_CORPUS        0                   profile ci
STREAMGATE_CORPUS             -                   default: a generated corpus
STREAMGATE_CORPUS_SEED        1                   default
STREAMGATE_SEED               42                  environment
STREAMGATE_SINGLE_STREAMS     1                   default
STREAMGATE_MULTI_STREAMS      8                   default
STREAMGATE_HEAP               1GiB                default
STREAMGATE_BUCKET             streamgate          default
STREAMGATE_OPENSEARCH         maven:3.8.0         default
STREAMGATE_BASE               -                   default: STREAMGATE_OPENSEARCH
STREAMGATE_CANDIDATE          -                   default: STREAMGATE_OPENSEARCH
STREAMGATE_CANDIDATE_STREAMS  0                   default
STREAMGATE_VERSIONS           -                   default: no matrix
STREAMGATE_SCALE_SIZES        50MB,200MB,1GB,4GB  default
STREAMGATE_SCALE_STREAMS      1,2,4,8,16          default
STREAMGATE_ALLOW_BAD          false               default
STREAMGATE_OPENSEARCH_IMAGE   -                   default: STREAMGATE_OPENSEARCH
STREAMGATE_MINIO_IMAGE        minio:1             environment
STREAMGATE_TOXIPROXY_IMAGE    -                   default: built from docker/
STREAMGATE_SCENARIOS          quick               default
STREAMGATE_OUT                out                 default
STREAMGATE_KEEP               false               default
`, "\n"), c.String())
}

// Does a suite that has values of its own say so, of those alone, and not lend them to others?
func TestOwn(t *testing.T) {
	c, err := config.Load([]string{"STREAMGATE_CORPUS_SIZE=100MB", "STREAMGATE_ROUNDS=9"})
	require.NoError(t, err)
	own := c.Own(func(c *config.Config) { c.CorpusBytes, c.Segments, c.Rounds, c.LinkRateBytes = 5_000_000, 5, 9, 0 })
	found := map[string]config.Setting{}
	for _, s := range own.Settings() {
		found[s.Variable] = s
	}
	for variable, want := range map[string][2]string{
		"STREAMGATE_CORPUS_SIZE": {"5MB", "the suite's own"},
		"STREAMGATE_SEGMENTS":    {"5", "the suite's own"},
		"STREAMGATE_ROUNDS":      {"9", "environment"},
		"STREAMGATE_LINK_RATE":   {"", "not used by this suite"},
		"STREAMGATE_DATA_NODES":  {"2", "profile quick"},
	} {
		assert.Equal(t, config.Setting{Variable: variable, Value: want[0], Source: want[1]}, found[variable])
	}
	assert.Equal(t, int64(100_000_000), c.CorpusBytes)
	assert.NotContains(t, c.String(), "the suite's own")

	again := own.Own(func(c *config.Config) { c.DataNodes = 3 })
	assert.Contains(t, again.Settings(), config.Setting{Variable: "STREAMGATE_SEGMENTS", Value: "5", Source: "the suite's own"})
	assert.Contains(t, again.Settings(), config.Setting{Variable: "STREAMGATE_DATA_NODES", Value: "3", Source: "the suite's own"})
}

// Is every variable described for people? A field with a forgotten tag shows as an empty text; a table of the README is
// broken by a bar.
func TestVariables(t *testing.T) {
	variables := config.Variables()
	require.Len(t, variables, 42)
	seen := map[string]bool{}
	for _, v := range variables {
		assert.Regexp(t, `^STREAMGATE_[A-Z_]+$`, v.Name)
		assert.False(t, seen[v.Name], "%s is there twice", v.Name)
		seen[v.Name] = true
		for _, text := range []string{v.Meaning, v.Default, v.Allowed} {
			assert.NotEmpty(t, text, v.Name)
			assert.NotContains(t, text, "|", v.Name)
		}
	}
	table := config.Markdown()
	assert.Contains(t, table, "| `STREAMGATE_ROUNDS` | most rounds of a run, looked at after 6, 9 and 12 | 12 | a whole number from 1 to 60 |\n")
	assert.Contains(t, table, "| `STREAMGATE_LINK_RATE` | rate of the link to MinIO, per connection | quick 6MB/s, ci 12MB/s, full 12MB/s |")
	assert.Contains(t, table, "| `STREAMGATE_MIN_SPEEDUP` | how many times faster multi must be than single | 3 |", "what all profiles share is said once")
	assert.Contains(t, table, "| `STREAMGATE_SEED` | seed of the order of the arms; set it to repeat a run | drawn at random |")
	assert.Contains(t, table, "| `STREAMGATE_PROFILE` | sizes, link, rounds and bound of the run | quick |")
	assert.Equal(t, len(variables)+2, strings.Count(table, "\n"))
}
