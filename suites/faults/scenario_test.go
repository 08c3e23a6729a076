package faults

import (
	"context"
	"time"
)

// ending is the state in which a scenario leaves the replica.
type ending string

const (
	// equal: the replica is STARTED and a proven equal of the primary.
	equal ending = "equal"
	// failed: the replica is not there, allocation explain says why, the index is not green.
	failed ending = "failed visibly"
	// gone: the index was deleted; no node holds a file of it.
	gone ending = "index gone"
	// wrong: the replica is STARTED, the index green, and the replica is not the primary's
	// equal. It is what must never be; a scenario that expects it records a defect of
	// OpenSearch that the suite would see go away.
	wrong ending = "green and wrong"
)

// source is where the replica's bytes came from.
type source string

const (
	// remote: all came from the store; the primary's node sent its commit file at most.
	remote source = "remote"
	// peer: the download was given up, in a log line and nothing else, and the primary's
	// node sent what was missing.
	peer source = "peer"
	// attempts: the download was given up, and so was the recovery. A later attempt found the
	// files of the one before on its disk; OpenSearch counts those of the last attempt only.
	attempts source = "earlier attempts"
	// nowhere: there is no replica whose bytes could be counted.
	nowhere source = "-"
)

// act is one thing done to the system.
type act func(ctx context.Context, s *stand) error

// fault is what goes wrong, when, and for how long.
type fault struct {
	// at is the share of the shard's bytes that the replica has downloaded when the fault
	// strikes. At 0 it strikes before the replica is asked for.
	at     float64
	strike act
	// heal undoes it, last from the strike on; with last 0 when the scenario has ended.
	heal act
	last time.Duration
}

// expectation is how a scenario must end. Each part can fail.
type expectation struct {
	// ending is the right one. There are two where a race decides that the scenario cannot.
	ending []ending
	// source is where the bytes may have come from.
	source []source
	// says must be in the target's log since the start of the scenario or, when it failed
	// visibly, in allocation explain.
	says string
	// least and most bound the time from the request for a replica to the ending: a fault that
	// does not delay what it should has not struck.
	least, most time.Duration
}

// scenario is one fault with what becomes of a recovery that meets it.
type scenario struct {
	name    string
	streams []int
	fault   fault
	// settle, when set, is done once the replica is there and before it is held against the
	// primary.
	settle act
	// spoils is set when the index cannot be used again: it is made anew.
	spoils bool
	// quick is the streams with which the default profile runs it; 0 leaves it to the full one.
	quick int
	// does is what OpenSearch 3.8.0 does, and why.
	does string
	want expectation
}
