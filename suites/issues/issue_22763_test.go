package issues

import (
	"context"
	"net/url"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"streamgate/helpers/await"
)

// opensearch-project/OpenSearch#22763 says that a fetch from a store that stops answering
// hangs for ever where the asynchronous S3 client has no read timeout, that this holds threads
// of the pool remote_recovery, and that only a restart helps.
//
//	Set up    24 MB in 12 segments, 2 MB/s per connection, a read timeout of 3 s (50 s by default)
//	Measured  4 streams recover; 1 s into the download the store accepts and sends nothing.
//	          How long until the node gives up? Its hot threads are kept meanwhile
//	Claimed   a recovery does not hang: its client is the synchronous one, the threads wait in a
//	          read, and each gives up after the timeout and a few attempts, then the peer sends
var issue22763 = report{
	numbers:     []int{22763},
	shows:       "a store that goes silent does not hang a recovery for ever: it is given up after a few read timeouts",
	versions:    "not seen in 3.8.0 on this path; the report is about searchable snapshots",
	corpusBytes: 24_000_000,
	untimed:     true,
	scenario: func(s *scenario) {
		s.share()
		so := s.place("so", 12)
		s.shape(2_000_000)
		s.set(lifted(4).Settings)
		target, start := s.stack.Nodes[1], time.Now()
		require.NoError(s.t, s.stack.API.SetIndexSettings(s.ctx, so.Index, map[string]any{"index.number_of_replicas": 1}))
		time.Sleep(time.Second)
		require.NoError(s.t, s.stack.Link.Stall())
		stalled := time.Now()
		time.Sleep(readTimeout / 2)
		threads, err := target.API.Text(s.ctx, "/_nodes/"+so.Target.ID+"/hot_threads", url.Values{"threads": {"1000"}, "ignore_idle_threads": {"false"}})
		require.NoError(s.t, err)
		s.keepFile("hot_threads.txt", []byte(threads))
		err = await.Until(s.ctx, "the node gives up", recoveryLimit, 200*time.Millisecond, func(ctx context.Context) (bool, string, error) {
			lines, err := target.LogLines(ctx, start, fallbackLine)
			return len(lines) > 0, "it still waits", err
		})
		gaveUp := time.Since(stalled)
		require.NoError(s.t, err)
		require.NoError(s.t, s.stack.Link.Clear())

		s.between("hot threads that wait in a read from the store", float64(strings.Count(threads, "RetryingInputStream.read")), 1, 16)
		s.between("time until the node gives up by the read timeout", gaveUp.Seconds()/readTimeout.Seconds(), 0.8, 8)
		s.holds("the replica comes up from its peer", s.started(so), "STARTED")
	},
}
