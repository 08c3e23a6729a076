// Package scale measures how time and memory of a recovery grow with the size of the corpus and
// the number of streams, and lays lines through it that lead to the corpus of the seed report.
//
//	make scale
//	STREAMGATE_SCALE_SIZES=50MB,200MB STREAMGATE_SCALE_STREAMS=1,8 make scale
//
// Nothing is judged: a test fails when a recovery does not prove itself, and never because of a
// time. It has the build tag scale, since it takes half an hour: no other go test runs it.
package scale
