package issues

// opensearch-project/OpenSearch#10624 says that segment replication and recovery share the
// same limits, so that a recovery slowed down on purpose also slows down how soon other
// replicas on its node see new documents.
//
//	Set up    a live index with a replica, two bulks of 0.5 MB and refreshes a second; 12 MB beside it
//	Measured  how far the live replica is behind: alone, nothing limited; while the 12 MB
//	          recover at 2mb with 8 streams, which the limit makes last 6 s
//	Claimed   it is several times as far behind: it needs half of the 2mb, and gets what one of
//	          nine gets, since all that comes from the store goes through one limiter of the node
var issue10624 = report{
	numbers:     []int{10624},
	shows:       "a recovery under a rate limit of 2mb holds up segment replication of 1 MB/s on its node",
	versions:    "reported before 2.12; the same in 3.8.0",
	corpusBytes: 12_000_000,
	scenario: func(s *scenario) {
		s.share()
		so, live := s.place("so", 12), s.goLive("live")
		s.set(lifted(8).Settings)
		alone := s.lagOf(live, s.pause)
		slowed := s.lagOf(live, func() { s.recover(so, limited(8, "2mb")) })
		s.between("lag beside the limited recovery by lag alone", slowed.Seconds()/alone.Seconds(), 4, 1000)
	},
}
