// Package bundle is the folder that a run leaves behind, and everything that can be said
// from that folder alone: writing it while the run goes on, reading it back, judging it
// again, and comparing two of them.
//
//	out/<utc>-<suite>-<id>/
//	  environment.json       written first: what is measured, on what, under which claims
//	  recoveries.ndjson      one line per recovery, on disk as soon as the recovery has ended
//	  summary.md report.html junit.xml results.bench    helpers/report's
//	  verdict.json           written last, so a bundle that has it is whole
//	  nodes/*.log minio.log link.log                    the containers' logs
//
// A bundle is not trusted because it lies there. Open recomputes what can be recomputed
// (proofs, sums, the verdict itself) and refuses a bundle whose numbers contradict each
// other. What it cannot find out is a bundle that was rewritten as a whole.
//
// A bundle holds no host name, no user name and no path, so it can be handed on as it is.
//
// What does not belong here: measuring (helpers/recovery), the rule of the verdict
// (helpers/verdict), how it looks (helpers/report).
package bundle

import (
	"streamgate/helpers/recovery"
	"streamgate/helpers/verdict"
)

// SchemaVersion is the version of environment.json and recoveries.ndjson. It changes when
// a field changes its meaning or goes away; a bundle of another version is refused.
const SchemaVersion = 1

// Files of a bundle.
const (
	EnvironmentFile = "environment.json"
	RecoveriesFile  = "recoveries.ndjson"
	VerdictFile     = "verdict.json"
	SummaryFile     = "summary.md"
	HTMLFile        = "report.html"
	JUnitFile       = "junit.xml"
	BenchmarkFile   = "results.bench"
)

// ReportFiles are the files that helpers/report writes and that a whole bundle has.
var ReportFiles = []string{SummaryFile, HTMLFile, JUnitFile, BenchmarkFile}

// Run is a bundle in memory: what reports and comparisons are made of.
type Run struct {
	// Dir is where the bundle lies, as it was given.
	Dir         string
	Environment Environment
	// Recoveries are in the order in which they were made, warm-ups included.
	Recoveries []recovery.Recovery
	Verdict    verdict.Verdict
	// Incomplete says in one line why the run is not whole; empty when it is.
	Incomplete string
}
