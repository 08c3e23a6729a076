//go:build action

package action

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"streamgate/helpers/bundle"
	"streamgate/helpers/cmd/streamgate/github/actiontest"
	"streamgate/helpers/config"
	"streamgate/helpers/verdict"
)

// limit bounds the whole action; the first time it builds the images.
const limit = 30 * time.Minute

// small is what the action has no input for: 30 MB in few files, and no more rounds than the
// fewest that can decide.
var small = []string{"STREAMGATE_CORPUS_SIZE=30MB", "STREAMGATE_SEGMENTS=12", "STREAMGATE_ROUNDS=6"}

// Does the action, from its first step to its last, end in a verdict? Every script and the run
// are real; setting up Go, the cache and the upload are stood in for, the cache having a hit. The
// bounds are low, since of so small a corpus the download is only a part of the time. What was
// uploaded is judged once more: it must say what the outputs say.
func TestGateAction(t *testing.T) {
	root, err := config.Root()
	require.NoError(t, err)
	action, err := actiontest.Read(filepath.Join(root, ".github", "actions", "gate", "action.yml"))
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()

	uploaded := filepath.Join(t.TempDir(), "artifact")
	uses := func(step actiontest.Step) (map[string]string, error) {
		switch name, _, _ := strings.Cut(step.Uses, "@"); name {
		case "actions/setup-go":
			return nil, nil
		case "actions/cache/restore":
			return map[string]string{"cache-hit": "true"}, nil
		case "actions/upload-artifact":
			return nil, os.CopyFS(uploaded, os.DirFS(step.With["path"]))
		default:
			return nil, errors.New("nothing stands in for it")
		}
	}
	result, err := action.Run(ctx, actiontest.Job{Temp: t.TempDir(), Environ: small, Uses: uses}, map[string]string{
		"opensearch": "maven:3.8.0", "profile": "quick", "min-speedup": "1.5", "min-efficiency": "0.1", "seed": "20261130",
	})
	require.NoError(t, err)
	for _, ran := range result.Steps {
		t.Logf("%s: exit code %d, skipped %t\n%s", ran.Step.Name, ran.Code, ran.Skipped, ran.Output)
	}
	require.False(t, result.Failed)

	assert.Equal(t, "pass", result.Outputs["verdict"])
	assert.Contains(t, result.Summary, "## multistream, profile quick, 6 rounds, OpenSearch 3.8.0: pass\n")
	annotations, found := result.Find("Annotations")
	require.True(t, found)
	assert.Empty(t, annotations.Output)

	run, err := bundle.Open(filepath.Join(uploaded, result.Outputs["bundle"]))
	require.NoError(t, err)
	assert.Equal(t, verdict.Pass, run.Verdict.Outcome)
	assert.Equal(t, uint64(20261130), run.Environment.Seed)
	first := run.Verdict.Claims[0]
	assert.Equal(t, first.Claim.Name, result.Outputs["claim"])
	assert.InDelta(t, 1.5, first.Claim.Limit, 0)
	for name, want := range map[string]*float64{"ratio": first.Estimate, "lower": first.Lower, "upper": first.Upper} {
		have, err := strconv.ParseFloat(result.Outputs[name], 64)
		require.NoError(t, err, name)
		require.NotNil(t, want, name)
		assert.InDelta(t, *want, have, 0, name)
	}
}
