package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"streamgate/fixtures/corpus"
	"streamgate/fixtures/engine"
	"streamgate/fixtures/images"
	"streamgate/fixtures/link"
	"streamgate/fixtures/machine"
	"streamgate/fixtures/shelf"
	"streamgate/fixtures/stack"
	"streamgate/helpers/cmd/streamgate/doctor"
	"streamgate/helpers/config"
)

// upIndex is the index that up loads, and that stack.Reach speaks of.
const upIndex = "so"

// removeLimit bounds the removal of a stack that did not come up.
const removeLimit = 30 * time.Second

// newUp is `streamgate up`.
func newUp() *cobra.Command {
	return &cobra.Command{
		Use:   "up",
		Short: "Start a stack with a loaded corpus, to play with by hand",
		Long: "Start a stack with a loaded corpus and leave it running, also when the terminal\n" +
			"is closed. The same variables as in a test decide what it is made of. In the end\n" +
			"it prints addresses, credentials and the requests of a recovery by hand. The\n" +
			"link to the store is not shaped, unless STREAMGATE_LINK_RATE or\n" +
			"STREAMGATE_LINK_FIRST_BYTE is set. Credentials are printed once and kept\n" +
			"nowhere else.\n\n" +
			"Exit code: 0 when the stack is up, 2 when not; nothing is left running then.",
		Example: "  streamgate up\n  STREAMGATE_CORPUS_SIZE=20MB STREAMGATE_SEGMENTS=10 streamgate up\n  streamgate down",
		Args:    none,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return up(cmd.Context(), cmd.OutOrStdout(), os.Environ())
		},
	}
}

// up checks all it can before it starts anything.
func up(ctx context.Context, out io.Writer, environ []string) error {
	for _, finding := range doctor.Judge(doctor.Look(ctx, environ)) {
		if finding.State == doctor.Stop {
			return fmt.Errorf("%s: %s: %s; streamgate doctor shows all", finding.Check, finding.Found, finding.Advice)
		}
	}
	c, err := config.Load(environ)
	if err != nil {
		return err
	}
	if c.HasTarget() {
		return errors.New("STREAMGATE_TARGET: want it unset: up starts a stack")
	}
	owner, err := engine.Own()
	if err != nil {
		return err
	}
	if err := refuseSecond(ctx); err != nil {
		return err
	}
	posts, err := openCorpus(ctx, c)
	if err != nil {
		return err
	}
	if err := start(ctx, out, c, posts); err != nil {
		// The context may have ended: the clean-up has its own.
		ctx, cancel := context.WithTimeout(context.Background(), removeLimit)
		defer cancel()
		return errors.Join(err, owner.RemoveEverything(ctx))
	}
	return nil
}

// refuseSecond keeps a forgotten stack from eating the memory of the next.
func refuseSecond(ctx context.Context) error {
	there, err := engine.Leftovers(ctx)
	if err != nil {
		return err
	}
	for _, l := range there {
		if l.Kept {
			return fmt.Errorf("the stack of run %s is up already: streamgate down removes it", l.Run)
		}
	}
	return nil
}

func openCorpus(ctx context.Context, c config.Config) (*corpus.Corpus, error) {
	root, err := config.Root()
	if err != nil {
		return nil, err
	}
	file := c.CorpusFile
	if file != "" && !filepath.IsAbs(file) {
		file = filepath.Join(root, file)
	}
	spec := corpus.Spec{File: file, SizeBytes: c.CorpusBytes, Seed: c.CorpusSeed}
	if c.KeptCorpora > 0 {
		return shelf.Open(ctx, spec)
	}
	return corpus.Open(spec)
}

// asked is the shape of the link that somebody asked for; a default is not asked for.
func asked(c config.Config) link.Shape {
	if !c.Given("STREAMGATE_LINK_RATE") && !c.Given("STREAMGATE_LINK_FIRST_BYTE") {
		return link.Shape{}
	}
	return link.Shape{RateBytes: c.LinkRateBytes, FirstByte: c.LinkFirstByte}
}

// start keeps measurements of other runs out while it makes the machine work.
func start(ctx context.Context, out io.Writer, c config.Config, posts *corpus.Corpus) error {
	say := func(line string) { _, _ = fmt.Fprintln(out, line) }
	set, err := images.Ready(ctx, images.WantedIn(c), say)
	if err != nil {
		return err
	}
	say("waiting until no other run measures on this machine")
	lock, err := machine.Enter(ctx, machine.Shared)
	if err != nil {
		return err
	}
	defer lock.Release()
	say("starting the stack")
	s, placed, err := shelf.Up(ctx, shelf.Want{
		Spec:   stack.Spec{Images: set, DataNodes: c.DataNodes, HeapBytes: c.HeapBytes, Bucket: c.Bucket, Keep: true},
		Corpus: posts, Index: upIndex, Layout: corpus.Layout{Segments: c.Segments}, Most: c.KeptCorpora, Say: say,
	})
	if err != nil {
		return err
	}
	say(placed.String())
	if shape := asked(c); shape != (link.Shape{}) {
		if err := s.Link.Shape(shape); err != nil {
			return err
		}
		say("the link stays shaped: " + shape.String())
	}
	say("")
	say(s.Reach())
	return nil
}
