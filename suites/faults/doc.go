// Package faults breaks things while a replica recovers from the remote store, and holds
// what OpenSearch promises: the right data, or a loud failure.
//
// A scenario is a value of the table in scenarios_test.go. What each came to is in README.md,
// which a run of all scenarios writes anew: go test -update. What breaks the suite's own
// ground, such as an engine that goes away, belongs to suites/harness.
package faults
