// Command mutants breaks the code that measures, proves and judges, one place at a time, and says
// which places no test of the same package holds.
//
//	go run ./helpers/cmd/mutants                    every package of the table below
//	go run ./helpers/cmd/mutants ./helpers/bound    one of them, or any other
//
// It prints a table and the survivors, writes each mutant's fate to out/mutants.ndjson, and ends
// with 1 when a package falls below its share. equivalent.yaml lists the mutants that no test can
// kill, each with its reason; one that is no longer there, or that a test does kill, is an error.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"syscall"

	"streamgate/helpers/config"
)

func main() {
	workers := flag.Int("workers", runtime.NumCPU(), "mutants to run at a time")
	write := flag.Bool("update", false, "write the table into CONTRIBUTING.md")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *workers, *write, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, workers int, write bool, names []string) error {
	root, err := config.Root()
	if err != nil {
		return err
	}
	packages, err := chosen(names)
	if err != nil {
		return err
	}
	if write && len(names) > 0 {
		return errors.New("-update writes the whole table: name no package")
	}
	known, err := equivalents(root)
	if err != nil {
		return err
	}
	report, err := runAll(ctx, root, packages, known, workers, os.Stdout)
	if err != nil {
		return err
	}
	if err := report.writeFates(root); err != nil {
		return err
	}
	if _, err := fmt.Fprint(os.Stdout, "\n", report.table(), report.survivors()); err != nil {
		return err
	}
	if write {
		if err := report.writeTable(root); err != nil {
			return err
		}
	}
	return report.verdict()
}
