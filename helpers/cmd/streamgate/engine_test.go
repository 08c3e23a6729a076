package main

import (
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// apiPath is a request to an engine: the version of its API, which may be absent, and the rest.
var apiPath = regexp.MustCompile(`^(?:/v[\d.]+)?(/.*)$`)

// fakeEngine answers on a socket of its own as a healthy engine of that API version would whose
// folder is /: it has every image, and no container. One older than what the client can speak
// refuses all but a ping, as a Docker of 2016 does.
func fakeEngine(t *testing.T, api string) (host string) {
	t.Helper()
	dir, err := os.MkdirTemp("", "sg") // t.TempDir's path can be too long for a socket
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, os.RemoveAll(dir)) })
	socket := filepath.Join(dir, "docker.sock")
	var config net.ListenConfig
	listener, err := config.Listen(t.Context(), "unix", socket)
	require.NoError(t, err)
	answers := map[string]string{
		"/version":         `{"Platform": {"Name": "Fake Engine"}, "Version": "26.1.5", "ApiVersion": "` + api + `"}`,
		"/info":            `{"DockerRootDir": "/"}`,
		"/containers/json": `[]`,
	}
	server := &http.Server{ReadHeaderTimeout: time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Api-Version", api)
		path := apiPath.FindStringSubmatch(r.URL.Path)[1]
		answer, known := answers[path]
		switch {
		case path == "/_ping":
			answer = "OK"
		case api == "1.24":
			w.WriteHeader(http.StatusBadRequest)
			answer = `{"message": "client is newer than server"}`
		case !known:
			answer = `{}` // an image, mostly
		}
		_, _ = w.Write([]byte(answer))
	})}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	return "unix://" + socket
}
