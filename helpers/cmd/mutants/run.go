package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"streamgate/helpers/mutation"
)

const (
	// testLimit is go test's own -timeout for one mutant. A package's tests take seconds; one that
	// still runs then hangs, and counts as killed.
	testLimit = 90 * time.Second
	// runLimit is for building and testing one mutant, on a machine that does other things too.
	runLimit = 5 * time.Minute
)

// fate is what became of one mutant: a line of out/mutants.ndjson.
type fate struct {
	mutation.Mutant
	Key  string        `json:"key"`
	Fate mutation.Fate `json:"fate"`
	// Equivalent is the reason why no test can kill it; empty when one should.
	Equivalent string `json:"equivalent,omitempty"`
}

// runAll runs every mutant of the packages, after it has seen that their tests are green as they are.
func runAll(ctx context.Context, root string, packages []mutated, known map[string]string, workers int, progress io.Writer) (report, error) {
	r := report{fates: map[string][]fate{}, packages: packages}
	present := map[string]bool{}
	for _, p := range packages {
		mutants, err := p.mutants(root)
		if err != nil {
			return r, err
		}
		if err := green(ctx, root, p, mutants[0]); err != nil {
			return r, err
		}
		start := time.Now()
		fates, err := runPackage(ctx, root, p, mutants, known, workers)
		if err != nil {
			return r, err
		}
		r.fates[p.Path] = fates
		for _, f := range fates {
			present[f.Key] = true
		}
		_, _ = fmt.Fprintf(progress, "%s: %d mutants in %s\n", p.Path, len(fates), time.Since(start).Round(time.Second))
	}
	r.stale = stale(known, present, packages)
	return r, nil
}

// green makes sure that the tests pass on the code as it is: a red one would kill every mutant.
func green(ctx context.Context, root string, p mutated, first mutation.Mutant) error {
	source, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(first.File)))
	if err != nil {
		return fmt.Errorf("read %s: %w", first.File, err)
	}
	result, err := mutation.Run(ctx, root, first.File, source, runLimit, "-timeout="+testLimit.String(), p.Path)
	if err != nil {
		return err
	}
	if result.Fate != mutation.Lived {
		return fmt.Errorf("%s: the tests are red without any mutant:\n%s", p.Path, result.Output)
	}
	return nil
}

func runPackage(ctx context.Context, root string, p mutated, mutants []mutation.Mutant, known map[string]string, workers int) ([]fate, error) {
	fates := make([]fate, len(mutants))
	var next atomic.Int64
	group, ctx := errgroup.WithContext(ctx)
	for range max(workers, 1) {
		group.Go(func() error {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(mutants) {
					return nil
				}
				m := mutants[i]
				source, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(m.File)))
				if err != nil {
					return fmt.Errorf("read %s: %w", m.File, err)
				}
				result, err := mutation.Run(ctx, root, m.File, m.Apply(source), runLimit, "-timeout="+testLimit.String(), p.Path)
				if err != nil {
					return fmt.Errorf("%s: %w", m, err)
				}
				fates[i] = fate{Mutant: m, Key: m.Key(), Fate: result.Fate, Equivalent: known[m.Key()]}
			}
		})
	}
	return fates, group.Wait()
}
