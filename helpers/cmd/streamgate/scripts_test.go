package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// vulnerabilities runs .ci/vulnerabilities with a database and a govulncheck that ends with code.
func vulnerabilities(t *testing.T, database, code string) (string, error) {
	t.Helper()
	tool := filepath.Join(t.TempDir(), "govulncheck")
	require.NoError(t, os.WriteFile(tool, []byte("#!/bin/sh\necho asked \"$@\"\nexit "+code+"\n"), 0o755)) //nolint:gosec // it is run
	command := exec.CommandContext(t.Context(), filepath.Join(repository(t), ".ci", "vulnerabilities"), tool)
	command.Env = append(os.Environ(), "GOVULNDB="+database)
	out, err := command.CombinedOutput()
	return string(out), err
}

// Is a database out of reach said and no failure, and does what govulncheck finds fail?
func TestVulnerabilities(t *testing.T) {
	out, err := vulnerabilities(t, "http://127.0.0.1:1", "3") // a port that nobody listens on
	require.NoError(t, err, out)
	assert.Contains(t, out, "SKIPPED, nothing was checked")
	assert.NotContains(t, out, "asked")

	database := "file://" + t.TempDir()
	out, err = vulnerabilities(t, database, "3")
	require.Error(t, err, out)
	out, err = vulnerabilities(t, database, "0")
	require.NoError(t, err, out)
	assert.Contains(t, out, "asked -db "+database+" -test ./...")
	assert.NotContains(t, out, "SKIPPED")
}
