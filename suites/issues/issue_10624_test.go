//go:build issues

package issues

import (
	"context"
	"testing"
)

// opensearch-project/OpenSearch#10624 says that segment replication and recovery share the
// same limits, so that a recovery slowed down on purpose also slows down how soon other
// replicas on its node see new documents.
//
//	Set up    a live index with a replica, two bulks of 0.5 MB and refreshes a second; 24 MB beside it
//	Measured  how far the live replica is behind: alone; while the 24 MB recover at 2mb with
//	          8 streams; while they recover with the limit lifted
//	Claimed   under the limit the live replica is several times as far behind as alone, and
//	          further than without the limit, which takes more of everything but the limiter
var issue10624 = report{
	numbers:     []int{10624},
	shows:       "a recovery under the rate limit holds up segment replication on its node; without the limit it does not",
	versions:    "2.10 and later",
	corpusBytes: 24_000_000,
	scenario: func(_ context.Context, _ *testing.T, s *scenario) {
		s.share()
		so, live := s.place("so", 12), s.goLive("live")
		s.quiet()
		alone := s.lagOf(live, s.pause)
		slowed := s.lagOf(live, func() { s.recover(so, limited(8, "2mb")) })
		free := s.lagOf(live, func() { s.recover(so, lifted(8)) })
		s.between("lag under the limit by lag alone", slowed.Seconds()/alone.Seconds(), 3, 1000)
		s.between("lag under the limit by lag without", slowed.Seconds()/free.Seconds(), 1.5, 1000)
	},
}
