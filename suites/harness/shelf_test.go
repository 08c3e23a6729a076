package harness

import (
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/moby/moby/client"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/testcontainers/testcontainers-go"
	"github.com/testcontainers/testcontainers-go/wait"

	"streamgate/fixtures/corpus"
	"streamgate/fixtures/engine"
	"streamgate/fixtures/images"
	"streamgate/fixtures/shelf"
	"streamgate/fixtures/stack"
	"streamgate/fixtures/suite"
	"streamgate/helpers/recovery"
)

const (
	shelvedBytes    = 10_000_000
	shelvedSegments = 5
	// shelvedMost is more than anybody keeps: the test throws nobody's corpus away.
	shelvedMost = 100
	killedKey   = "0000000000000000"
)

// Is a loaded corpus kept, is the next run proven to have the same, and is nothing trusted that is
// not? Four runs of one index: the first keeps it; the second starts from it and recovers a
// replica with a whole proof; before the third, one object of what is kept gets another content of
// the same length; the fourth asks for another layout. Only the second may do without a load.
func corpusIsKept(t *testing.T, ctx context.Context, run *suite.Run) {
	t.Helper()
	within := run.Within(t, shelvedBytes)
	shelved := &shelvedRuns{t: t, want: shelf.Want{
		Spec: run.Spec(), Corpus: within.Corpus, Index: "so-shelf-" + run.ID,
		Layout: corpus.Layout{Segments: shelvedSegments}, Most: shelvedMost,
	}}
	shelved.want.Spec.HeapBytes = smallestHeapBytes
	t.Cleanup(func() { shelved.clear(context.WithoutCancel(ctx)) })

	loaded := shelved.up(ctx, "loading ", "kept the corpus as ")
	require.Empty(t, loaded.placed.Kept)
	kept := shelved.kept(ctx)
	assert.Positive(t, kept.SizeBytes)
	holdsNone(ctx, t, kept, loaded.secrets)

	resumed := shelved.up(ctx, "starting from kept corpus "+kept.Key)
	assert.Equal(t, kept.Key, resumed.placed.Kept)
	assert.Equal(t, loaded.placed.Bench.Files, resumed.placed.Bench.Files)
	assert.Equal(t, loaded.placed.Documents, resumed.placed.Documents)
	assert.Equal(t, resumed.placed.Documents, resumed.recovered.PrimaryDocuments)

	// What a killed run leaves has no mark; it goes when the next one keeps something.
	leftByKilled(ctx, t, run.Images.MinIO)
	shelved.damage(ctx, kept)
	again := shelved.up(ctx, "starting from kept corpus "+kept.Key, "kept corpus "+kept.Key+" is thrown away, the documents are loaded: file _0.cfs in the store is not the primary's", "loading ", "kept the corpus as ")
	assert.Empty(t, again.placed.Kept)
	assert.True(t, shelved.kept(ctx).Mark.At.After(kept.Mark.At), "the good one took its place")
	all, err := shelf.List(ctx)
	require.NoError(t, err)
	for _, k := range all {
		assert.NotEqual(t, killedKey, k.Key)
	}

	shelved.want.Layout.Segments++
	other := shelved.up(ctx, "loading ", "kept the corpus as ")
	assert.Equal(t, shelvedSegments+1, other.placed.Segments)
}

// shelvedRuns are runs of one index, one after the other.
type shelvedRuns struct {
	t    *testing.T
	want shelf.Want
	// replaced are images whose names damaged ones have got. Those stand on them.
	replaced []string
}

// shelvedRun is what one of them came to.
type shelvedRun struct {
	placed    corpus.Placed
	secrets   []string
	recovered recovery.Evidence
}

// up starts a stack, recovers one replica and stops it again. The lines about where the documents
// come from must begin as said, and there must be no others.
func (r *shelvedRuns) up(ctx context.Context, begin ...string) shelvedRun {
	r.t.Helper()
	var said []string
	r.want.Say = func(line string) { said = append(said, line) }
	s, placed, err := shelf.Up(ctx, r.want)
	defer func() { require.NoError(r.t, s.Stop(context.WithoutCancel(ctx))) }()
	require.NoError(r.t, err)
	require.Len(r.t, said, len(begin), strings.Join(said, "\n"))
	for i, line := range said {
		require.True(r.t, strings.HasPrefix(line, begin[i]), "%q does not begin with %q", line, begin[i])
	}
	recovered, err := recovery.Measure(ctx, placed.Bench, recovery.Unlimited("unshaped", 4))
	require.NoError(r.t, err)
	require.Empty(r.t, recovered.Invalid, "%+v", recovered.Evidence)
	return shelvedRun{placed, s.Store.Secrets(), recovered.Evidence}
}

// kept is what the last run has kept.
func (r *shelvedRuns) kept(ctx context.Context) shelf.Kept {
	r.t.Helper()
	found := r.all(ctx)
	require.NotEmpty(r.t, found)
	return found[len(found)-1]
}

// all are what these runs have kept, told by the test's own index.
func (r *shelvedRuns) all(ctx context.Context) []shelf.Kept {
	r.t.Helper()
	all, err := shelf.List(ctx)
	require.NoError(r.t, err)
	var found []shelf.Kept
	for _, k := range all {
		if k.Mark.Index == r.want.Index {
			found = append(found, k)
		}
	}
	return found
}

func (r *shelvedRuns) clear(ctx context.Context) {
	r.t.Helper()
	for _, k := range r.all(ctx) {
		assert.NoError(r.t, shelf.Remove(ctx, k))
	}
	assert.Empty(r.t, r.all(ctx))
	for _, id := range r.replaced {
		assert.NoError(r.t, images.Remove(ctx, id))
	}
}

// damage changes the content of one object of what is kept, and nothing that can be seen without
// reading it: a stack starts from it, the object is overwritten, and the stack is saved in its place
// under the same mark. While the stack runs, what it runs on cannot be removed.
func (r *shelvedRuns) damage(ctx context.Context, kept shelf.Kept) {
	r.t.Helper()
	spec := r.want.Spec
	spec.Saved = map[string]string{}
	for _, image := range kept.Images {
		_, part, _ := strings.Cut(image, kept.Key+"-")
		spec.Saved[part] = image
		r.replaced = append(r.replaced, imageID(ctx, r.t, image))
	}
	s, err := stack.Up(ctx, spec)
	defer func() { require.NoError(r.t, s.Stop(context.WithoutCancel(ctx))) }()
	require.NoError(r.t, err)
	require.ErrorIs(r.t, shelf.Remove(ctx, kept), shelf.ErrInUse)

	objects, err := s.Store.Objects(ctx, "/_0.cfs__")
	require.NoError(r.t, err)
	require.Len(r.t, objects, 1)
	content, err := s.Store.Object(ctx, objects[0].Key)
	require.NoError(r.t, err)
	content[len(content)/2] ^= 1
	require.NoError(r.t, s.Store.Put(ctx, objects[0].Key, content))
	mark := kept.Mark
	_, err = s.Save(ctx, func(part string) string { return spec.Saved[part] }, func(part string, nodes []stack.Saved) map[string]string {
		if part != stack.StorePart {
			return nil
		}
		mark.Nodes = nodes
		text, err := json.Marshal(mark)
		require.NoError(r.t, err)
		return map[string]string{shelf.LabelMark: string(text)}
	})
	require.NoError(r.t, err)
	require.True(r.t, r.kept(ctx).Whole())
}

// holdsNone searches what is kept for credentials: the engine's account of each image, and every
// file that a run may have written. The search has to find its own list of them, and nothing else.
func holdsNone(ctx context.Context, t *testing.T, kept shelf.Kept, secrets []string) {
	t.Helper()
	const list = "/tmp/list"
	api, err := engine.Connect()
	require.NoError(t, err)
	owner, err := engine.Own()
	require.NoError(t, err)
	for _, image := range kept.Images {
		inspected, err := api.ImageInspect(ctx, image)
		require.NoError(t, err)
		text, err := json.Marshal(inspected.InspectResponse)
		require.NoError(t, err)
		showsNone(t, image, string(text), secrets)

		ctr, err := testcontainers.Run(ctx, image,
			testcontainers.WithLabels(owner.Labels(false)),
			testcontainers.WithFiles(testcontainers.ContainerFile{
				Reader: strings.NewReader(strings.Join(secrets, "\n") + "\n"), ContainerFilePath: list, FileMode: 0o444,
			}),
			testcontainers.WithEntrypoint("sh", "-c", "cd /usr/share/opensearch 2> /dev/null; "+
				"grep -rlF -f "+list+" /tmp /data /home data config secrets 2> /dev/null"),
			testcontainers.WithWaitStrategy(wait.ForExit().WithExitTimeout(startLimit)),
		)
		testcontainers.CleanupContainer(t, ctr)
		require.NoError(t, err)
		logs, err := ctr.Logs(ctx)
		require.NoError(t, err)
		found, err := io.ReadAll(logs)
		require.NoError(t, err)
		require.NoError(t, logs.Close())
		assert.Equal(t, list, strings.TrimSpace(string(found)), image)
	}
}

func imageID(ctx context.Context, t *testing.T, image string) string {
	t.Helper()
	api, err := engine.Connect()
	require.NoError(t, err)
	inspected, err := api.ImageInspect(ctx, image)
	require.NoError(t, err)
	return inspected.ID
}

// leftByKilled is an image as a run leaves it that is killed while it keeps a corpus.
func leftByKilled(ctx context.Context, t *testing.T, image string) {
	t.Helper()
	api, err := engine.Connect()
	require.NoError(t, err)
	_, err = api.ImageTag(ctx, client.ImageTagOptions{Source: image, Target: "streamgate-kept:" + killedKey + "-node-1"})
	require.NoError(t, err)
	t.Cleanup(func() {
		require.NoError(t, images.Remove(context.WithoutCancel(ctx), "streamgate-kept:"+killedKey+"-node-1"))
	})
}
