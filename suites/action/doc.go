// Package action runs .github/actions/gate as GitHub would, with a real gate in it: small, some
// 45 s with the images built.
//
//	make action
//
// It has the build tag action: the run inside it waits for the machine as every run does, and
// there is no room for it beside the other suites. What of the action needs no containers is
// asked by helpers/cmd/streamgate with every go test.
package action
