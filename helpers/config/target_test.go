package config_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"streamgate/helpers/config"
)

// target is a complete one, with every secret in it.
var target = []string{
	"STREAMGATE_TARGET=https://search.example.org:9200",
	"STREAMGATE_TARGET_USER=who-it-is",
	"STREAMGATE_TARGET_PASSWORD=geheim-1",
	"STREAMGATE_TARGET_TOKEN=geheim-2",
	"STREAMGATE_TARGET_SIGN=eu-central-1/es",
	"STREAMGATE_TARGET_CA=certs/ca.pem",
	"STREAMGATE_TARGET_NODES=data-3,data-7",
	"STREAMGATE_TARGET_PREFIX=sg_",
	"STREAMGATE_TARGET_STORE=https://s3.example.org/the-bucket",
	"STREAMGATE_TARGET_STORE_KEY=key-it-is",
	"STREAMGATE_TARGET_STORE_SECRET=geheim-3",
}

// Does every variable of a target reach its own field, taken apart as it is used?
func TestLoadTarget(t *testing.T) {
	t.Setenv("STREAMGATE_HEAP", "2GiB") // the process's own environment plays no part
	c, err := config.Load(target)
	require.NoError(t, err)
	assert.True(t, c.HasTarget())
	region, service := c.Signing()
	primary, replica := c.Nodes()
	host, secure, bucket := c.Store()
	assert.Equal(t, []any{
		"https://search.example.org:9200", "who-it-is", "geheim-1", "geheim-2", "eu-central-1", "es", "certs/ca.pem",
		"data-3", "data-7", "sg_", "s3.example.org", true, "the-bucket", "key-it-is", "geheim-3",
	}, []any{
		c.TargetURL, c.TargetUser, c.TargetPassword, c.TargetToken, region, service, c.TargetCA,
		primary, replica, c.TargetPrefix, host, secure, bucket, c.TargetStoreKey, c.TargetStoreSecret,
	})

	none, err := config.Load(nil)
	require.NoError(t, err)
	assert.False(t, none.HasTarget())
	host, _, _ = none.Store()
	assert.Empty(t, host)
}

// Is what is printed and kept free of secrets, and of what leads to a machine or a person? And does it describe what is
// measured: nothing of a target without one, nothing of a stack of our own beside one?
func TestSettingsKeepSecrets(t *testing.T) {
	c, err := config.Load(target)
	require.NoError(t, err)
	printed := c.String() + fmt.Sprint(c.Settings())
	for _, private := range []string{"geheim", "who-it-is", "key-it-is", "example.org", "data-3", "ca.pem", "the-bucket"} {
		assert.NotContains(t, printed, private)
	}
	assert.Contains(t, c.String(), "STREAMGATE_TARGET_SIGN")
	assert.Contains(t, c.String(), "STREAMGATE_ROUNDS")
	for _, ofStack := range []string{"STREAMGATE_LINK_RATE", "STREAMGATE_HEAP", "STREAMGATE_OPENSEARCH", "STREAMGATE_KEEP"} {
		assert.NotContains(t, c.String(), ofStack)
	}
	none, err := config.Load(nil)
	require.NoError(t, err)
	assert.NotContains(t, none.String(), "STREAMGATE_TARGET")
	assert.Contains(t, none.String(), "STREAMGATE_LINK_RATE")
}

// Is a variable that cannot be used refused in one line that does not repeat a secret?
func TestTargetRefuses(t *testing.T) {
	const address = "STREAMGATE_TARGET=https://search.example.org"
	for _, c := range []struct {
		name    string
		environ []string
		message string // empty: accepted
	}{
		{"plain and alone", []string{"STREAMGATE_TARGET=http://127.0.0.1:9200"}, ""},
		{"a path before the API", []string{address + "/opensearch"}, ""},
		{"a password in the address", []string{"STREAMGATE_TARGET=https://u:geheim@search.example.org"},
			"STREAMGATE_TARGET: want an address such as https://search.example.org:9200, without user, password or query (more than an address)"},
		{"an address that cannot be read", []string{"STREAMGATE_TARGET=https://u:geheim@%zz"},
			"STREAMGATE_TARGET: want an address such as https://search.example.org:9200, without user, password or query (not an address)"},
		{"no scheme", []string{"STREAMGATE_TARGET=search.example.org:9200"},
			"STREAMGATE_TARGET: want an address such as https://search.example.org:9200, without user, password or query (not http:// or https:// and a host)"},
		{"one node", []string{address, "STREAMGATE_TARGET_NODES=a"}, `STREAMGATE_TARGET_NODES="a": want two names of nodes, separated by a comma`},
		{"the same node twice", []string{address, "STREAMGATE_TARGET_NODES=a,a"}, `STREAMGATE_TARGET_NODES="a,a": want two names of nodes, separated by a comma`},
		{"a pattern of nodes", []string{address, "STREAMGATE_TARGET_NODES=a,b*"}, `STREAMGATE_TARGET_NODES="a,b*": want two names of nodes, separated by a comma`},
		{"a prefix that is a pattern", []string{address, "STREAMGATE_TARGET_PREFIX=*"},
			`STREAMGATE_TARGET_PREFIX="*": want 2 to 40 of a-z, 0-9, '-' and '_', beginning with a letter`},
		{"a prefix of system indices", []string{address, "STREAMGATE_TARGET_PREFIX=.plugins"},
			`STREAMGATE_TARGET_PREFIX=".plugins": want 2 to 40 of a-z, 0-9, '-' and '_', beginning with a letter`},
		{"half a signature", []string{address, "STREAMGATE_TARGET_SIGN=eu-central-1"},
			`STREAMGATE_TARGET_SIGN="eu-central-1": want region and service, such as eu-central-1/es`},
		{"a signature of nobody", []string{address, "STREAMGATE_TARGET_SIGN=eu-central-1/es"},
			"STREAMGATE_TARGET_SIGN: want an access key in STREAMGATE_TARGET_USER and a secret key in STREAMGATE_TARGET_PASSWORD beside it"},
		{"a user without a password", []string{address, "STREAMGATE_TARGET_USER=u"},
			"STREAMGATE_TARGET_USER: want it and STREAMGATE_TARGET_PASSWORD both, or neither"},
		{"a password in the open", []string{"STREAMGATE_TARGET=http://search.example.org", "STREAMGATE_TARGET_USER=u", "STREAMGATE_TARGET_PASSWORD=geheim"},
			"STREAMGATE_TARGET: want an https:// address, or the password would travel in the open"},
		{"a password that stays here", []string{"STREAMGATE_TARGET=http://127.0.0.1:9200", "STREAMGATE_TARGET_USER=u", "STREAMGATE_TARGET_PASSWORD=geheim"}, ""},
		{"certificates without TLS", []string{"STREAMGATE_TARGET=http://127.0.0.1:9200", "STREAMGATE_TARGET_CA=ca.pem"},
			"STREAMGATE_TARGET_CA: want an https:// address in STREAMGATE_TARGET"},
		{"a token that nothing signs with", []string{address, "STREAMGATE_TARGET_TOKEN=geheim"},
			"STREAMGATE_TARGET_TOKEN: want STREAMGATE_TARGET_SIGN beside it"},
		{"a store without keys", []string{address, "STREAMGATE_TARGET_STORE=https://s3.example.org/bucket", "STREAMGATE_TARGET_STORE_SECRET=geheim"},
			"STREAMGATE_TARGET_STORE: want it, STREAMGATE_TARGET_STORE_KEY and STREAMGATE_TARGET_STORE_SECRET all, or none"},
		{"a store without a bucket", []string{address, "STREAMGATE_TARGET_STORE=https://s3.example.org"},
			"STREAMGATE_TARGET_STORE: want an S3 address with a bucket, such as https://s3.example.org/bucket (Bucket name cannot be empty)"},
		{"without a target", []string{"STREAMGATE_TARGET_USER=u", "STREAMGATE_TARGET_PREFIX=sg-"}, "STREAMGATE_TARGET_USER: want STREAMGATE_TARGET beside it"},
		{"a link of ours", []string{address, "STREAMGATE_LINK_RATE=20MB/s"},
			`STREAMGATE_LINK_RATE="20MB/s": want it unset beside STREAMGATE_TARGET: it describes a stack of our own`},
		{"another OpenSearch", []string{address, "STREAMGATE_OPENSEARCH=maven:3.6.0"},
			`STREAMGATE_OPENSEARCH="maven:3.6.0": want it unset beside STREAMGATE_TARGET: it describes a stack of our own`},
		{"what says the default", []string{address, "STREAMGATE_LINK_RATE=6MB/s", "STREAMGATE_KEEP=false", "STREAMGATE_HEAP=1024MiB"}, ""},
		{"sizes are everybody's", []string{address, "STREAMGATE_CORPUS_SIZE=30MB", "STREAMGATE_SEGMENTS=20", "STREAMGATE_PROFILE=full"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := config.Load(c.environ)
			if c.message == "" {
				require.NoError(t, err)
				return
			}
			require.EqualError(t, err, c.message)
			assert.NotContains(t, strings.ReplaceAll(err.Error(), "STREAMGATE", ""), "geheim")
		})
	}
}

// Can a run on a target be repeated from what it printed, once the private values are given again?
func TestSettingsRepeatTheRunOnATarget(t *testing.T) {
	first, err := config.Load(target)
	require.NoError(t, err)
	again := append([]string{}, target...)
	for _, s := range first.Settings() {
		again = append(again, s.Variable+"="+s.Value)
	}
	second, err := config.Load(again)
	require.NoError(t, err)
	assert.Equal(t, first.Profile, second.Profile)
	assert.Equal(t, first.Target, second.Target)
	assert.Len(t, second.Settings(), len(first.Settings()))
}
