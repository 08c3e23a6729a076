package source

import (
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Is each kind read, and written again as it was read? A path and a reference may hold colons.
func TestParse(t *testing.T) {
	for text, want := range map[string]Source{
		"maven:3.8.0":                     {Maven, "3.8.0"},
		"official:2.19.3":                 {Official, "2.19.3"},
		"official:3.8.0":                  {Official, "3.8.0"},
		"dist:/builds/a:b.tar.gz":         {Dist, "/builds/a:b.tar.gz"},
		"image:registry.example:5000/a:1": {Image, "registry.example:5000/a:1"},
	} {
		got, err := Parse(text)
		require.NoError(t, err)
		assert.Equal(t, want, got)
		assert.Equal(t, text, got.String())
	}
}

// Is everything else refused, with the reason in words?
func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":              "no kind before a colon",
		"3.8.0":         "no kind before a colon",
		"maven:":        "nothing after the colon of maven",
		":3.8.0":        `"" is no kind`,
		"docker:x":      `"docker" is no kind`,
		"maven: 3.8.0":  "version is not known; known are 2.10.0, ",
		"maven:3.9.9":   "version is not known; known are 2.10.0, 2.11.0, 2.19.6, 3.1.0, ",
		"official:1.0":  "version is not known; known are 2.10.0, ",
		"maven:2.19.3":  "the S3 plugin of 2.19.3 is not on Maven Central, official:2.19.3 has it; known are 2.10.0, ",
		"dist:a\x1b[0m": "control character found",
		"image:A":       "must be lowercase",
	} {
		_, err := Parse(text)
		require.ErrorContains(t, err, want, text)
		assert.NotContains(t, err.Error(), "\n")
	}
}

// Is a list read with the short form of a version, in its order, and refused with the part that is
// wrong?
func TestParseList(t *testing.T) {
	list, err := ParseList("3.8.0, 3.1.0,image:x:1")
	require.NoError(t, err)
	assert.Equal(t, []Source{{Maven, "3.8.0"}, {Maven, "3.1.0"}, {Image, "x:1"}}, list)
	for text, want := range map[string]string{
		"":                  `"": no kind before a colon`,
		"3.8.0,":            `"": no kind before a colon`,
		"3.8.0,3.7.9":       `"maven:3.7.9": version is not known`,
		"3.8.0,maven:3.8.0": "maven:3.8.0 is there twice",
	} {
		_, err := ParseList(text)
		require.ErrorContains(t, err, want)
	}
}

// What is known of a source? Its release's line; of what may be anything, that of the newest, without
// its name and its faults.
func TestRelease(t *testing.T) {
	assert.Equal(t, "21", Source{Maven, "3.1.0"}.Release().Java)
	assert.NotEmpty(t, Source{Official, "2.19.1"}.Release().Bad)
	newest := Releases[len(Releases)-1]
	for _, s := range []Source{{}, {Image, "3.1.0"}, {Dist, "3.1.0"}} {
		got := s.Release()
		assert.Empty(t, got.Version)
		assert.Empty(t, got.Bad)
		assert.Equal(t, newest.Encryption, got.Encryption)
		assert.Equal(t, newest.Java, got.Java)
	}
}

// Where do nodes keep their remote store? In a folder only where Maven Central has no S3 plugin; the
// same release's published image has one.
func TestStore(t *testing.T) {
	for text, want := range map[string]Store{
		"maven:2.10.0": Folder, "maven:2.19.6": Folder, "maven:3.1.0": S3, "maven:3.8.0": S3,
		"official:2.10.0": S3, "official:2.19.6": S3, "image:2.10.0": S3, "dist:2.10.0": S3,
	} {
		s, err := Parse(text)
		require.NoError(t, err)
		assert.Equal(t, want, s.Store(), text)
	}
}

// Is the table sound? Versions once and rising, a default that can be built, each fault with the
// number of its issue, and nothing published that a stack could not run on MinIO.
func TestReleases(t *testing.T) {
	_, err := Parse(Default.String())
	require.NoError(t, err)
	version := regexp.MustCompile(`^[23]\.\d+\.\d+$`)
	var seen []string
	for _, r := range Releases {
		assert.Regexp(t, version, r.Version)
		assert.False(t, slices.Contains(seen, r.Version), "%s is there twice", r.Version)
		seen = append(seen, r.Version)
		assert.Contains(t, []string{"21", "25"}, r.Java, r.Version)
		assert.Equal(t, r.Streams != "", r.Pool, "%s: the setting and the pool came together", r.Version)
		if r.Bad != "" {
			assert.Regexp(t, `#\d+`, r.Bad, r.Version)
		}
		if r.Published {
			assert.True(t, r.Encryption, "%s: 3.1.0 is the first that is published", r.Version)
			assert.Regexp(t, version, r.Agent, r.Version)
		}
		if r.Folder {
			assert.Empty(t, r.Agent, "%s: the image's recipe takes an agent for a sign of the S3 plugin", r.Version)
		}
	}
}
