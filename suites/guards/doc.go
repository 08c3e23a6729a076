// Package guards breaks each guard of a verdict by hand-written edits, and demands that the test
// that is named beside it turns red. guards.yaml is the list: guard, edit, test. A new guard comes
// with its line there.
//
// The tests of every build hold the list against the code. The run itself has the build tag guards
// (make guards), as it builds a test binary for each guard. Mutants that a program finds by itself
// belong to helpers/cmd/mutants.
package guards
