package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"streamgate/fixtures/engine"
	"streamgate/fixtures/images"
	"streamgate/fixtures/shelf"
	"streamgate/helpers/config"
)

// cleaning is what was asked of clean.
type cleaning struct {
	images, bundles, dryRun, asJSON bool
}

// newClean is `streamgate clean`.
func newClean() *cobra.Command {
	var asked cleaning
	command := &cobra.Command{
		Use:   "clean",
		Short: "Show what streamgate has left on this machine, then remove it",
		Long: "Show what streamgate has left on this machine, then remove it: kept stacks, kept\n" +
			"corpora and what runs that died have left; with --images its images too, with\n" +
			"--bundles the bundles that nothing was added to for 10 minutes. What belongs to\n" +
			"a run that is going on stays. Without its kept corpus the next run loads again.\n\n" +
			"Exit code: 0, also when there was nothing to remove; 2 when something cannot be\n" +
			"removed.",
		Example: "  streamgate clean --dry-run\n  streamgate clean\n  streamgate clean --images --bundles",
		Args:    none,
		RunE: func(cmd *cobra.Command, _ []string) error {
			found, err := findRemains(cmd.Context(), asked)
			if err != nil {
				return err
			}
			if err := found.print(cmd.OutOrStdout(), asked); err != nil || asked.dryRun {
				return err
			}
			return found.remove(cmd.Context())
		},
	}
	command.Flags().BoolVar(&asked.dryRun, "dry-run", false, "only show")
	command.Flags().BoolVar(&asked.images, "images", false, "the images that streamgate has built too")
	command.Flags().BoolVar(&asked.bundles, "bundles", false, "the bundles of runs that have ended too")
	command.Flags().BoolVar(&asked.asJSON, "json", false, "show as JSON")
	return command
}

// remains are what there is to remove, and what must stay.
type remains struct {
	Kept    []string `json:"kept_containers"`
	Orphans []string `json:"orphaned_containers"`
	Corpora []string `json:"kept_corpora"`
	Images  []string `json:"images"`
	Bundles []string `json:"bundles"`
	// Live are containers of runs that are going on.
	Live []string `json:"live_containers"`
	// Unknown are containers of another host or PID namespace, whose runs may be going on.
	Unknown []string `json:"unknown_containers"`
	// Used is how many kept corpora such containers started from.
	Used int `json:"used_corpora"`

	corpora []shelf.Kept // Corpora's
}

func findRemains(ctx context.Context, asked cleaning) (remains, error) {
	leftovers, err := engine.Leftovers(ctx)
	if err != nil {
		return remains{}, err
	}
	found := sorted(leftovers)
	corpora, err := shelf.List(ctx)
	if err != nil {
		return remains{}, err
	}
	found.sortCorpora(corpora, leftovers)
	if asked.images && len(found.Live)+len(found.Unknown) == 0 {
		built, err := images.AllBuilt(ctx)
		if err != nil {
			return remains{}, err
		}
		for _, image := range built {
			found.Images = append(found.Images, image.Reference)
		}
	}
	if asked.bundles {
		dir, err := outDir(os.Environ())
		if err != nil {
			return remains{}, err
		}
		if found.Bundles, err = endedBundles(dir, leftovers); err != nil {
			return remains{}, err
		}
	}
	return found, nil
}

func sorted(leftovers []engine.Leftover) remains {
	found := remains{Kept: []string{}, Orphans: []string{}, Corpora: []string{}, Images: []string{}, Bundles: []string{}, Live: []string{}, Unknown: []string{}}
	for _, l := range leftovers {
		list := &found.Live
		switch {
		case l.Unknown:
			list = &found.Unknown
		case l.Kept:
			list = &found.Kept
		case l.Orphan:
			list = &found.Orphans
		}
		*list = append(*list, l.Name)
	}
	return found
}

// sortCorpora tells the kept corpora that can go from those that live containers started from.
func (r *remains) sortCorpora(corpora []shelf.Kept, leftovers []engine.Leftover) {
	for _, kept := range corpora {
		used := slices.ContainsFunc(leftovers, func(l engine.Leftover) bool {
			return !l.Kept && !l.Orphan && slices.Contains(kept.Images, l.Image)
		})
		if used {
			r.Used++
			continue
		}
		r.Corpora = append(r.Corpora, kept.String())
		r.corpora = append(r.corpora, kept)
	}
}

func outDir(environ []string) (string, error) {
	c, err := config.Load(environ)
	if err != nil {
		return "", err
	}
	if filepath.IsAbs(c.OutDir) {
		return c.OutDir, nil
	}
	root, err := config.Root()
	return filepath.Join(root, c.OutDir), err
}

// quietFor is how long nothing was added to the folder of a run that has ended: one that goes
// on may be between two stacks.
const quietFor = 10 * time.Minute

// bundleName is how a run's folder is named; the run's id is its end.
var bundleName = regexp.MustCompile(`^\d{8}T\d{6}Z-.+-([0-9a-f]+)$`)

// endedBundles lists the bundles in dir whose run has no container that lives and has written
// nothing for a while. Whatever else lies there is not ours to remove.
func endedBundles(dir string, leftovers []engine.Leftover) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("look for bundles: %w", err)
	}
	bundles := []string{}
	for _, entry := range entries {
		name := bundleName.FindStringSubmatch(entry.Name())
		if name == nil || !entry.IsDir() {
			continue
		}
		lives := slices.ContainsFunc(leftovers, func(l engine.Leftover) bool { return l.Run == name[1] && !l.Orphan && !l.Kept })
		path := filepath.Join(dir, entry.Name())
		if written, err := lastWritten(path); err == nil && !lives && time.Since(written) > quietFor {
			bundles = append(bundles, path)
		}
	}
	return bundles, nil
}

// lastWritten is when the youngest file of a folder was written. The folder's own time does not move
// when a line is appended to a file in it.
func lastWritten(dir string) (time.Time, error) {
	var last time.Time
	err := filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err == nil && info.ModTime().After(last) {
			last = info.ModTime()
		}
		return err
	})
	return last, err
}

func (r remains) print(w io.Writer, asked cleaning) error {
	if asked.asJSON {
		return writeJSON(w, r)
	}
	var b strings.Builder
	for _, part := range []struct {
		words string
		names []string
	}{
		{"kept on purpose", r.Kept}, {"left by runs that died", r.Orphans}, {"kept corpora", r.Corpora},
		{"images", r.Images}, {"bundles", r.Bundles},
	} {
		if len(part.names) > 0 {
			fmt.Fprintf(&b, "%s:\n  %s\n", part.words, strings.Join(part.names, "\n  "))
		}
	}
	switch {
	case b.Len() == 0:
		b.WriteString("nothing to remove\n")
	case asked.dryRun:
		b.WriteString("nothing was removed: this is a dry run\n")
	default:
		b.WriteString("removing it\n")
	}
	if len(r.Live) > 0 {
		fmt.Fprintf(&b, "left alone, of a run that is going on: %d containers", len(r.Live))
		if r.Used > 0 {
			fmt.Fprintf(&b, ", %d kept corpora", r.Used)
		}
		if asked.images {
			b.WriteString(", and the images with them")
		}
		b.WriteString("\n")
	}
	if len(r.Unknown) > 0 {
		fmt.Fprintf(&b, "left alone, of another host or PID namespace, where a run may be going on: %d containers\n", len(r.Unknown))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// remove goes on after a failure, so that one thing that stays does not keep the rest.
func (r remains) remove(ctx context.Context) error {
	var errs []error
	if len(r.Kept) > 0 {
		_, _, err := engine.RemoveKept(ctx)
		errs = append(errs, err)
	}
	if len(r.Orphans) > 0 {
		errs = append(errs, engine.RemoveOrphans(ctx))
	}
	for _, kept := range r.corpora { // before the images that they stand on
		errs = append(errs, shelf.Remove(ctx, kept))
	}
	for _, ref := range r.Images {
		errs = append(errs, images.Remove(ctx, ref))
	}
	for _, dir := range r.Bundles {
		errs = append(errs, os.RemoveAll(dir))
	}
	return errors.Join(errs...)
}
