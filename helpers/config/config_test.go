package config_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"streamgate/helpers/config"
	"streamgate/helpers/source"
)

// What holds when nothing is set? Every field is named, so that a default that changes is noticed. The process's own
// environment must play no part: Load takes only what it is handed.
func TestLoadDefaults(t *testing.T) {
	t.Setenv("STREAMGATE_ROUNDS", "77")
	for name, environ := range map[string][]string{
		"nil":         nil,
		"foreign":     {"HOME=/root", "STREAMGATE=x", "streamgate_rounds=9", "broken entry"},
		"empty value": {"STREAMGATE_ROUNDS=", "STREAMGATE_PROFILE=", "STREAMGATE_BUCKET=", "STREAMGATE_ROUDS="},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := config.Load(environ)
			require.NoError(t, err)
			assert.Equal(t, config.Profiles[0], c.Profile)
			assert.Equal(t, "quick", c.Profile.Name)
			assert.Empty(t, c.CorpusFile)
			assert.Equal(t, uint64(1), c.CorpusSeed)
			assert.Equal(t, 1, c.SingleStreams)
			assert.Equal(t, 8, c.MultiStreams)
			assert.Equal(t, int64(1<<30), c.HeapBytes)
			assert.Equal(t, "streamgate", c.Bucket)
			assert.Equal(t, source.Default, c.Source())
			assert.Equal(t, source.Default, c.BaseSource())
			assert.Equal(t, source.Default, c.CandidateSource())
			assert.Empty(t, c.VersionSources())
			assert.False(t, c.AllowBad)
			assert.Empty(t, c.OpenSearchImage+c.MinIOImage+c.ToxiproxyImage)
			assert.Equal(t, "out", c.OutDir)
			assert.False(t, c.Keep)
		})
	}
}

// Does every variable reach its own field? All are set at once to values unlike the defaults and unlike each other.
func TestLoadEverything(t *testing.T) {
	c, err := config.Load([]string{
		"STREAMGATE_PROFILE=full",
		"STREAMGATE_CORPUS=posts.json.gz",
		"STREAMGATE_CORPUS_SIZE=1.5GB",
		"STREAMGATE_SEGMENTS=41",
		"STREAMGATE_SEED=18446744073709551615",
		"STREAMGATE_ROUNDS=9",
		"STREAMGATE_SINGLE_STREAMS=2",
		"STREAMGATE_MULTI_STREAMS=16",
		"STREAMGATE_MIN_SPEEDUP=2.5",
		"STREAMGATE_MIN_EFFICIENCY=0.75",
		"STREAMGATE_LINK_RATE=10MB/s",
		"STREAMGATE_LINK_FIRST_BYTE=30ms",
		"STREAMGATE_DATA_NODES=3",
		"STREAMGATE_KEEP_CORPUS=1",
		"STREAMGATE_HEAP=2GiB",
		"STREAMGATE_BUCKET=my-bucket",
		"STREAMGATE_OPENSEARCH=image:opensearchproject/opensearch:3.8.0",
		"STREAMGATE_OPENSEARCH_IMAGE=opensearchproject/opensearch:3.8.0",
		"STREAMGATE_BASE=maven:3.6.0",
		"STREAMGATE_CANDIDATE=dist:build/min.tar.gz",
		"STREAMGATE_VERSIONS=3.1.0, official:2.19.1",
		"STREAMGATE_SCALE_SIZES=5MB, 1GiB",
		"STREAMGATE_SCALE_STREAMS=2, 32",
		"STREAMGATE_CANDIDATE_STREAMS=6",
		"STREAMGATE_ALLOW_BAD=true",
		"STREAMGATE_MINIO_IMAGE=example.org:5000/minio",
		"STREAMGATE_TOXIPROXY_IMAGE=toxiproxy@sha256:" + strings.Repeat("a", 64),
		"STREAMGATE_OUT=results",
		"STREAMGATE_KEEP=true",
		"STREAMGATE_SCENARIOS=all",
	})
	require.NoError(t, err)
	assert.True(t, c.AllScenarios())
	assert.Equal(t, config.Profile{
		Name: "full", CorpusBytes: 1_500_000_000, Segments: 41, LinkRateBytes: 10_000_000,
		LinkFirstByte: 30 * time.Millisecond, Rounds: 9, MinSpeedup: 2.5, MinEfficiency: 0.75, DataNodes: 3,
		KeptCorpora: 1,
	}, c.Profile)
	assert.Equal(t, "posts.json.gz", c.CorpusFile)
	assert.Equal(t, ^uint64(0), c.Seed)
	assert.Equal(t, 2, c.SingleStreams)
	assert.Equal(t, 16, c.MultiStreams)
	assert.Equal(t, int64(2<<30), c.HeapBytes)
	assert.Equal(t, "my-bucket", c.Bucket)
	assert.Equal(t, "opensearchproject/opensearch:3.8.0", c.OpenSearchImage)
	assert.Equal(t, "image:opensearchproject/opensearch:3.8.0", c.OpenSearch)
	assert.Equal(t, "maven:3.6.0", c.BaseSource().String())
	assert.Equal(t, "dist:build/min.tar.gz", c.CandidateSource().String())
	assert.Equal(t, []source.Source{{Kind: source.Maven, Value: "3.1.0"}, {Kind: source.Official, Value: "2.19.1"}}, c.VersionSources())
	assert.Equal(t, 6, c.CandidateStreams)
	assert.Equal(t, []int64{5_000_000, 1 << 30}, c.ScaleSizesBytes())
	assert.Equal(t, []int{2, 32}, c.ScaleStreamCounts())
	assert.True(t, c.AllowBad)
	assert.Equal(t, "example.org:5000/minio", c.MinIOImage)
	assert.Equal(t, "toxiproxy@sha256:"+strings.Repeat("a", 64), c.ToxiproxyImage)
	assert.Equal(t, "results", c.OutDir)
	assert.True(t, c.Keep)
	for _, s := range c.Settings() {
		if s.Variable != "STREAMGATE_CORPUS_SEED" {
			assert.Equal(t, "environment", s.Source, "%s: a variable this test forgot", s.Variable)
		}
	}

	c, err = config.Load([]string{"STREAMGATE_CORPUS_SEED=7"}) // of a corpus that is generated
	require.NoError(t, err)
	assert.Equal(t, uint64(7), c.CorpusSeed)
}

// Which values does each variable take? Both sides of every bound, and the values that parsers are known to let through.
func TestLoadBounds(t *testing.T) {
	const size = "a size from 1MB to 1TB"
	const rate = "a size per second from 100kB to 10GB, such as 20MB/s"
	const speedup = "a number from 0.001 to 1000"
	const firstByte = "a duration from 0s to 10s, such as 30ms"
	const heap = "a size from 512MiB to 32GiB"
	const seed = "a whole number from 0 to 18446744073709551615"
	const streams = "a whole number from 1 to 64"
	for _, c := range []struct {
		variable string
		good     []string
		bad      []string
		want     string
	}{
		{"STREAMGATE_PROFILE", []string{"quick", "ci", "full"}, []string{"quik", "QUICK", "quick "}, "one of quick, ci, full"},
		{"STREAMGATE_ROUNDS", []string{"1", "60"}, []string{"0", "-3", "61", "3.0", "six", " 3", "99999999999999999999"}, "a whole number from 1 to 60"},
		{"STREAMGATE_SEGMENTS", []string{"1", "1000"}, []string{"0", "-1", "1001", "1e2"}, "a whole number from 1 to 1000"},
		{"STREAMGATE_SINGLE_STREAMS", []string{"1", "8"}, []string{"0", "-1", "65"}, streams},
		{"STREAMGATE_CANDIDATE_STREAMS", []string{"0", "64"}, []string{"-1", "65"}, "a whole number from 0 to 64"},
		{"STREAMGATE_MULTI_STREAMS", []string{"1", "64"}, []string{"0", "-1", "65"}, streams},
		{"STREAMGATE_DATA_NODES", []string{"2", "8"}, []string{"1", "9", "two"}, "a whole number from 2 to 8"},
		{"STREAMGATE_KEEP_CORPUS", []string{"0", "20"}, []string{"-1", "21", "all"}, "a whole number from 0 to 20"},
		{"STREAMGATE_CORPUS_SEED", []string{"0", "18446744073709551615"}, []string{"-1", "18446744073709551616", "0x1f"}, seed},
		{"STREAMGATE_SEED", []string{"0", "18446744073709551615"}, []string{"-1", "18446744073709551616"}, seed},
		{"STREAMGATE_MIN_SPEEDUP", []string{"0.001", "1000", "1e2"}, []string{"0", "-0", "-1", "1000.1", "NaN", "Inf", "-Inf", "fast"}, speedup},
		{"STREAMGATE_MIN_EFFICIENCY", []string{"0.001", "1"}, []string{"0", "1e-300", "1.01", "-1", "NaN"}, "a number from 0.001 to 1"},
		{"STREAMGATE_CORPUS_SIZE", []string{"5MB", "1TB", "200mb", "1 GiB", "0.5g", "5000000"}, []string{"0", "-1MB", "999kB", "1.1TB", "99999999999999999999TB", "big", "20Mb", "20MB/s", "1e9", "NaN", "MB", "1PB"}, size},
		{"STREAMGATE_LINK_RATE", []string{"100kB", "10GB/s", "20MB", "20MiB/s"}, []string{"99kB", "10.1GB", "0", "-1MB", "20Mb/s", "20MB/h", "20MB/s/s", "/s", "20 Mbit/s"}, rate},
		{"STREAMGATE_LINK_FIRST_BYTE", []string{"0", "0s", "30ms", "10s"}, []string{"-1ms", "10.1s", "30", "soon", "9999999h"}, firstByte},
		{"STREAMGATE_HEAP", []string{"512MiB", "32GiB", "1GB"}, []string{"511MiB", "33GiB", "-1g", "0", "lots"}, heap},
		{"STREAMGATE_KEEP", []string{"true", "false", "1", "0"}, []string{"yes", "2", "TrUe"}, "true or false"},
		{"STREAMGATE_SCENARIOS", []string{"quick", "all"}, []string{"full", "ALL", "true"}, "quick or all"},
		{"STREAMGATE_OUT", []string{"out", "/tmp/a b"}, []string{"a\nb", "a\x1b[31m"}, "a path without control characters"},
		{"STREAMGATE_CORPUS", []string{"../data/posts.xml"}, []string{"a\tb"}, "a path without control characters"},
	} {
		t.Run(c.variable, func(t *testing.T) {
			for _, value := range c.good {
				environ := []string{c.variable + "=" + value, "STREAMGATE_CORPUS_SIZE=1GB"}
				if c.variable == "STREAMGATE_CORPUS_SIZE" {
					environ = environ[:1]
				}
				_, err := config.Load(environ)
				require.NoError(t, err, value)
			}
			for _, value := range c.bad {
				_, err := config.Load([]string{c.variable + "=" + value})
				require.EqualError(t, err, c.variable+"="+quoted(value)+": want "+c.want)
			}
		})
	}
}

// quoted writes the few control characters used above as a message must show them: on one line.
func quoted(value string) string {
	return `"` + strings.NewReplacer("\n", `\n`, "\t", `\t`, "\x1b", `\x1b`).Replace(value) + `"`
}

// Which names does S3 refuse, and which references does an engine? These lines also tell the reason, so only the two
// ends of each are compared.
func TestLoadTexts(t *testing.T) {
	for _, c := range []struct {
		variable string
		bad      []string
		want     string
	}{
		{"STREAMGATE_BUCKET", []string{"ab", "My-Bucket", "under_score", "192.168.1.1", "-dash", "a..b", "a/b", " ", "xn--abc", "sthree-a", "a--x-s3", strings.Repeat("a", 64)}, "want a bucket name of S3"},
		{"STREAMGATE_MINIO_IMAGE", []string{"Minio", "a b", "minio:", ":tag", "minio@sha256:12", " "}, "want an image reference such as registry/name:tag"},
		{"STREAMGATE_OPENSEARCH_IMAGE", []string{"http://x"}, "want an image reference"},
		{"STREAMGATE_OPENSEARCH", []string{"3.8.0", "maven:", "maven:9.9.9", "Maven:3.8.0", "image:A B", "dist:a\tb"}, "want maven:VERSION, official:VERSION, dist:PATH or image:REF"},
		{"STREAMGATE_BASE", []string{"maven:2.19.3"}, "want maven:VERSION"},
		{"STREAMGATE_CANDIDATE", []string{":3.8.0"}, "want maven:VERSION"},
		{"STREAMGATE_VERSIONS", []string{"3.8.0,", "3.8.0;3.6.0", "3.8.0,maven:3.8.0"}, "want versions or sources, separated by commas"},
		{"STREAMGATE_TOXIPROXY_IMAGE", []string{"tox iproxy"}, "want an image reference"},
		{"STREAMGATE_SCALE_SIZES", []string{"50MB,", "50MB;1GB", "1GB,50MB", "1GB,1GB", "0.9MB", "1GB,2TB", "1MB,2MB,3MB,4MB,5MB,6MB,7MB,8MB,9MB"}, "want up to 8 sizes from 1MB to 1TB, rising, separated by commas"},
		{"STREAMGATE_SCALE_STREAMS", []string{"1,,2", "0,1", "1,33", "2,1", "2,2", "two", "1,2,3,4,5,6,7,8,9"}, "want up to 8 whole numbers from 1 to 32, rising, separated by commas"},
	} {
		for _, value := range c.bad {
			_, err := config.Load([]string{c.variable + "=" + value})
			require.ErrorContains(t, err, c.variable+"="+quoted(value)+": "+c.want)
			assert.Regexp(t, ` \(.+\)$`, err.Error(), "the reason is missing")
			assert.NotContains(t, err.Error(), "\n")
		}
	}
}

// Is everything that is wrong reported in one attempt, one line each, and is nothing handed out beside an error?
func TestLoadReportsAllFaults(t *testing.T) {
	c, err := config.Load([]string{
		"STREAMGATE_ROUDS=3",
		"STREAMGATE_ZZZ=1",
		"STREAMGATE_KEEP=maybe",
		"STREAMGATE_ROUNDS=0",
		"STREAMGATE_PROFILE=quik",
		"STREAMGATE_HEAP=1",
	})
	require.EqualError(t, err, strings.Join([]string{
		`STREAMGATE_PROFILE="quik": want one of quick, ci, full`,
		`STREAMGATE_ROUNDS="0": want a whole number from 1 to 60`,
		`STREAMGATE_HEAP="1": want a size from 512MiB to 32GiB`,
		`STREAMGATE_KEEP="maybe": want true or false`,
		`STREAMGATE_ROUDS is not known: did you mean STREAMGATE_ROUNDS?`,
		`STREAMGATE_ZZZ is not known: did you mean STREAMGATE_OUT?`,
	}, "\n"))
	assert.Equal(t, config.Config{}, c)
}

// Does one endless value stay one readable line?
func TestLoadLongValue(t *testing.T) {
	_, err := config.Load([]string{"STREAMGATE_ROUNDS=" + strings.Repeat("é\n", 10_000)})
	require.Error(t, err)
	assert.Less(t, len(err.Error()), 400)
	assert.NotContains(t, err.Error(), "\n")
	assert.Contains(t, err.Error(), `…": want a whole number`)
}

// Are values that are sound alone held against each other? And does the message name only variables that exist?
func TestLoadChecksTogether(t *testing.T) {
	for _, c := range []struct {
		name    string
		environ []string
		message string // empty: accepted
	}{
		{"100 kB a segment", []string{"STREAMGATE_CORPUS_SIZE=5MB"}, ""},
		{"less", []string{"STREAMGATE_CORPUS_SIZE=4999999"},
			`STREAMGATE_CORPUS_SIZE="4999999B": want at least 5MB for STREAMGATE_SEGMENTS="50", 100kB a segment`},
		{"too many segments", []string{"STREAMGATE_CORPUS_SIZE=10MB", "STREAMGATE_SEGMENTS=101"},
			`STREAMGATE_CORPUS_SIZE="10MB": want at least 10100kB for STREAMGATE_SEGMENTS="101", 100kB a segment`},
		{"equal arms show that the gate can fail", []string{"STREAMGATE_MULTI_STREAMS=1"}, ""},
		{"arms the wrong way round", []string{"STREAMGATE_SINGLE_STREAMS=4", "STREAMGATE_MULTI_STREAMS=2"},
			`STREAMGATE_MULTI_STREAMS="2": want at least the STREAMGATE_SINGLE_STREAMS="4" it is compared with`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := config.Load(c.environ)
			if c.message == "" {
				require.NoError(t, err)
				return
			}
			require.EqualError(t, err, c.message)
			var known []string
			for _, v := range config.Variables() {
				known = append(known, v.Name)
			}
			for _, name := range regexp.MustCompile(`STREAMGATE_[A-Z_]+`).FindAllString(err.Error(), -1) {
				assert.Contains(t, known, name)
			}
		})
	}
}

// Is the seed drawn when unset, and can the run be repeated with it? Two draws of 64 bits are equal once in 2^64.
func TestLoadSeed(t *testing.T) {
	first, err := config.Load(nil)
	require.NoError(t, err)
	second, err := config.Load(nil)
	require.NoError(t, err)
	assert.NotEqual(t, first.Seed, second.Seed)
	assert.NotZero(t, first.Seed)
}

// Does every profile pass the checks of what it sets, and is it reached by its name?
func TestProfiles(t *testing.T) {
	require.NotEmpty(t, config.Profiles)
	for _, p := range config.Profiles {
		c, err := config.Load([]string{"STREAMGATE_PROFILE=" + p.Name})
		require.NoError(t, err)
		assert.Equal(t, p, c.Profile)
	}
}
