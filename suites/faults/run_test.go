package faults

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"streamgate/helpers/await"
	"streamgate/helpers/osapi"
	"streamgate/helpers/recovery"
)

// What a replica gets from the primary's node after a whole download: the commit's segments_N of
// a few kB, and sometimes one more.
const (
	peerFilesAllowed = 2
	peerBytesAllowed = 64 << 10
)

// gaveUp is what a node's log says each time that it gives a replica up.
const gaveUp = "marking and sending shard failed due to"

// maxAttempts is index.allocation.max_retries: after so many failures OpenSearch waits for
// someone to look.
const maxAttempts = 5

// outcome is how a scenario ended.
type outcome struct {
	scenario string
	streams  int
	ending   ending
	source   source
	// remoteBytes the replica counts as downloaded, peerBytes as sent by the primary's node.
	remoteBytes, peerBytes int64
	// fallbacks are log lines that tell of a download given up, says all that was said.
	fallbacks int
	says      string
	unequal   []string
	// doubts are those of the proof that a gate asks for: why this recovery is none to measure.
	doubts []string
	took   time.Duration
}

// errNoReplica ends a measurement whose replica OpenSearch has given up.
type errNoReplica struct{ explained string }

func (e *errNoReplica) Error() string { return "no replica: " + e.explained }

// errIndexGone ends a measurement whose index is no more.
var errIndexGone = errors.New("the index is gone")

// play runs one scenario to its ending. An error means that it could not be told.
func (s *stand) play(ctx context.Context, x scenario, streams int) (o outcome, err error) {
	o = outcome{scenario: x.name, streams: streams, source: nowhere}
	s.writer, s.damaged = nil, nil
	if err := s.shape(streams); err != nil {
		return o, err
	}
	f := newStriker(x.fault, s)
	defer func() { err = errors.Join(err, f.wait()) }()
	if x.fault.at == 0 {
		if err := f.strike(ctx); err != nil {
			return o, err
		}
	}
	watched, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go s.watchdog(watched, cancel)

	bench, wantBytes := s.bench, recovery.Sum(s.bench.Files)
	bench.Watch = func(p recovery.Point) {
		if float64(p.Bytes) >= x.fault.at*float64(wantBytes) {
			_ = f.strike(ctx) // kept, and asked for below
		}
	}
	begin := time.Now()
	measured, err := recovery.Measure(watched, bench, recovery.Unlimited(x.name, streams))
	o.took = time.Since(begin)
	if measured.Wall > 0 {
		o.took = measured.Wall
	}
	if struck, strikeErr := f.struck(); strikeErr != nil || !struck {
		return o, fmt.Errorf("the fault has not struck at %.0f %%: %w", 100*x.fault.at, errors.Join(strikeErr, err))
	}
	var none *errNoReplica
	switch {
	case errors.As(context.Cause(watched), &none):
		o.ending, o.says = failed, none.explained
		return o, s.seenToFail(ctx, begin, x.want.says)
	case errors.Is(context.Cause(watched), errIndexGone):
		o.ending = gone
		return o, s.nothingLeft(ctx)
	case err != nil:
		return o, err
	}
	o.count(measured)
	if x.settle != nil {
		if err := x.settle(ctx, s); err != nil {
			return o, err
		}
	}
	return o, s.prove(ctx, &o, begin)
}

// count takes over what the recovery's evidence tells.
func (o *outcome) count(r recovery.Recovery) {
	e := r.Evidence
	o.remoteBytes, o.peerBytes, o.fallbacks, o.doubts = e.DownloadedBytes, e.PeerBytes, len(e.Fallback), r.Invalid
	switch {
	case o.fallbacks == 0 && e.DownloadedBytes >= e.WantBytes && e.PeerFiles <= peerFilesAllowed && e.PeerBytes <= peerBytesAllowed:
		o.source = remote
	case e.DownloadedBytes+e.PeerBytes < e.WantBytes:
		o.source = attempts
	default:
		o.source = peer
	}
}

// prove holds the replica against the primary, and gathers what the target's log says.
func (s *stand) prove(ctx context.Context, o *outcome, since time.Time) error {
	var err error
	if o.unequal, err = s.compare(ctx, s.bench.Target); err != nil {
		return err
	}
	o.ending = equal
	if len(o.unequal) > 0 {
		o.ending = wrong
	}
	lines, err := s.bench.LogLines(ctx, since, "WARN", "ERROR", "Exception", "Caused by")
	o.says = strings.Join(lines, "\n")
	return err
}

// watchdog ends a measurement that cannot end any more: OpenSearch has tried as often as it
// will, or the index was deleted.
func (s *stand) watchdog(ctx context.Context, end context.CancelCauseFunc) {
	_ = await.Until(ctx, "the recovery is given up", 10*limit, 300*time.Millisecond, func(ctx context.Context) (bool, string, error) {
		explained, err := s.explain(ctx)
		var status *osapi.StatusError
		if errors.As(err, &status) && strings.Contains(status.Reason, "index_not_found_exception") {
			end(errIndexGone)
			return true, "", nil
		}
		if err == nil && explained.State == "unassigned" && explained.Unassigned.Attempts >= maxAttempts {
			end(&errNoReplica{explained.Unassigned.Details})
			return true, "", nil
		}
		return false, "", err
	})
}

// explanation is why the replica is where it is.
type explanation struct {
	State      string `json:"current_state"`
	Unassigned struct {
		Attempts int `json:"failed_allocation_attempts"`
		Details  string
	} `json:"unassigned_info"`
}

// explain asks allocation explain.
func (s *stand) explain(ctx context.Context) (explanation, error) {
	var answer explanation
	body := map[string]any{"index": index, "shard": 0, "primary": false}
	return answer, s.bench.API.Do(ctx, http.MethodGet, "/_cluster/allocation/explain", nil, body, &answer)
}

// seenToFail checks that nothing claims to be well while the replica is missing, and that the
// target's log tells of it, and why.
func (s *stand) seenToFail(ctx context.Context, since time.Time, why string) error {
	var health osapi.Health
	if err := s.bench.API.Do(ctx, http.MethodGet, "/_cluster/health/"+index, nil, nil, &health); err != nil {
		return err
	}
	if health.Status == "green" {
		return fmt.Errorf("there is no replica, and the index is %s", health.Status)
	}
	for _, text := range []string{gaveUp, why} {
		lines, err := s.bench.LogLines(ctx, since, text)
		if err != nil {
			return err
		}
		if len(lines) == 0 {
			return fmt.Errorf("there is no replica, and the target's log does not say %q", text)
		}
	}
	return nil
}

// nothingLeft checks that no node holds a file of the deleted index, nor recovers it.
func (s *stand) nothingLeft(ctx context.Context) error {
	for _, node := range s.stack.Nodes {
		err := await.Until(ctx, node.Name+" holds no file of the deleted index", limit, 200*time.Millisecond, func(ctx context.Context) (bool, string, error) {
			folders, err := node.ShardFolders(ctx)
			return err == nil && len(folders) == 0, strings.Join(folders, " "), err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
