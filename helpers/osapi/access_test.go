package osapi_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"streamgate/helpers/osapi"
)

// Does a user reach the node with each request, and nobody without one?
func TestAccessBasicAuth(t *testing.T) {
	var users []string
	node := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user, password, _ := r.BasicAuth()
		users = append(users, user+":"+password)
		_, _ = io.WriteString(w, `{}`)
	}))
	defer node.Close()
	for _, access := range []osapi.Access{{URL: node.URL, User: "u", Password: "p ß:"}, {URL: node.URL}} {
		client, err := access.Client()
		require.NoError(t, err)
		require.NoError(t, client.Do(t.Context(), http.MethodGet, "/", nil, nil, nil))
	}
	assert.Equal(t, []string{"u:p ß:", ":"}, users)
}

// Is a server's certificate believed only when it leads to the file's, and is a file refused
// that holds none?
func TestAccessCA(t *testing.T) {
	node := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{}`) }))
	defer node.Close()
	node.Config.ErrorLog = nil
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: node.Certificate().Raw})

	client, err := osapi.Access{URL: node.URL, CA: ca}.Client()
	require.NoError(t, err)
	require.NoError(t, client.Do(t.Context(), http.MethodGet, "/", nil, nil, nil))

	client, err = osapi.Access{URL: node.URL}.Client()
	require.NoError(t, err)
	require.ErrorContains(t, client.Do(t.Context(), http.MethodGet, "/", nil, nil, nil), "certificate")

	_, err = osapi.Access{URL: node.URL, CA: []byte("not PEM")}.Client()
	require.EqualError(t, err, "make a client for "+node.URL+": read the CA file: it holds no certificate in PEM form")
}

var authorization = regexp.MustCompile(`^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/(\d{8})/eu-central-1/es/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$`)

// Would AWS believe a request? The node signs what arrived once more, with the same keys, and
// compares; the hash in the header must be that of the body. It refuses the first attempt as
// busy, so that the loader's second one is held to the same.
func TestAccessSigns(t *testing.T) {
	keys := osapi.Signature{Region: "eu-central-1", Service: "es", AccessKey: "AKIDEXAMPLE", SecretKey: "wJalrXUtnFEMI", Token: "session"}
	attempts := 0
	node := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		attempts++
		assert.True(t, signedBy(t, r, keys), "attempt %d", attempts)
		wrong := keys
		wrong.SecretKey = "another"
		assert.False(t, signedBy(t, r, wrong), "the comparison can fail")
		if attempts == 1 {
			w.WriteHeader(http.StatusTooManyRequests)
		}
		_, _ = io.WriteString(w, `{}`)
	}))
	defer node.Close()
	loader, err := osapi.Access{URL: node.URL, Sign: &keys}.Loader()
	require.NoError(t, err)
	require.NoError(t, loader.Do(t.Context(), http.MethodPost, "/so/_bulk", nil, map[string]string{"body": "text"}, nil))
	assert.Equal(t, 2, attempts)
}

// signedBy signs a copy of what arrived, at the moment that it names, and compares. Only the
// first look at a request finds its body.
func signedBy(t *testing.T, r *http.Request, keys osapi.Signature) bool {
	t.Helper()
	parts := authorization.FindStringSubmatch(r.Header.Get("Authorization"))
	if !assert.NotNil(t, parts, r.Header.Get("Authorization")) {
		return false
	}
	body, err := io.ReadAll(r.Body)
	assert.NoError(t, err)
	hash := r.Header.Get("X-Amz-Content-Sha256")
	if len(body) > 0 {
		sum := sha256.Sum256(body)
		assert.Equal(t, hex.EncodeToString(sum[:]), hash)
	}
	at, err := time.Parse("20060102T150405Z", r.Header.Get("X-Amz-Date"))
	assert.NoError(t, err)
	assert.WithinDuration(t, time.Now(), at, time.Minute)
	assert.Equal(t, keys.Token, r.Header.Get("X-Amz-Security-Token"))

	again, err := http.NewRequestWithContext(context.WithoutCancel(t.Context()), r.Method, "http://"+r.Host+r.URL.RequestURI(), http.NoBody)
	assert.NoError(t, err)
	again.ContentLength = r.ContentLength
	again.Header.Set("Content-Type", r.Header.Get("Content-Type"))
	again.Header.Set("X-Amz-Content-Sha256", hash)
	credentials := aws.Credentials{AccessKeyID: keys.AccessKey, SecretAccessKey: keys.SecretKey, SessionToken: keys.Token}
	assert.NoError(t, v4.NewSigner().SignHTTP(t.Context(), credentials, again, hash, keys.Service, keys.Region, at))
	return again.Header.Get("Authorization") == r.Header.Get("Authorization")
}

// Is every request seen by what is put around the transport, a repeated one again, and can it
// refuse one?
func TestAccessWrap(t *testing.T) {
	n := answering(t, answer{http.StatusTooManyRequests, tooBusy}, answer{http.StatusOK, `{}`})
	seen, refuse := 0, error(nil)
	access := osapi.Access{URL: n.URL, Wrap: func(sends http.RoundTripper) http.RoundTripper {
		return around(func(r *http.Request) (*http.Response, error) {
			if seen++; refuse != nil {
				return nil, refuse
			}
			return sends.RoundTrip(r)
		})
	}}
	loader, err := access.Loader()
	require.NoError(t, err)
	require.NoError(t, loader.Do(t.Context(), http.MethodGet, "/", nil, nil, nil))
	assert.Equal(t, 2, seen)
	refuse = errors.New("not that one")
	client, err := access.Client()
	require.NoError(t, err)
	require.ErrorIs(t, client.Do(t.Context(), http.MethodGet, "/", nil, nil, nil), refuse)
	assert.Len(t, n.asked(), 2)
}

type around func(*http.Request) (*http.Response, error)

func (f around) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
