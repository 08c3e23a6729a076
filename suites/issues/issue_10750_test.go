package issues

import (
	"streamgate/helpers/recovery"
)

// opensearch-project/OpenSearch#10750 made the pool remote_recovery 2 x processors wide and a
// recovery's default share a quarter of it: on a small node one stream, serial as before.
//
//	Set up    nodes of 2 processors, a pool of 4 threads, which is their default; 12 MB in 16 segments
//	Measured  streams in the downloader's log: setting absent; 8 streams asked for; the same
//	          after the pool was raised to 16 at run time
//	Claimed   1, then 4, then still 4: the fan-out is bounded by the pool as the node started it
var issue10750 = report{
	numbers:     []int{10750},
	shows:       "a node of 2 processors downloads one file at a time by default, and a pool raised at run time does not widen the fan-out",
	versions:    "2.12 and later",
	corpusBytes: 12_000_000,
	untimed:     true,
	scenario: func(s *scenario) {
		s.own(map[string]string{"node.processors": "2", "thread_pool.remote_recovery.max": "4"})
		so := s.place("so", 16)
		absent := s.recover(so, recovery.Unlimited("setting absent", 0))
		s.holds("streams with the setting absent", absent.Evidence.Threads == 1, "%d", absent.Evidence.Threads)
		asked := s.try(so, lifted(8))
		s.holds("streams when 8 are asked for", asked.Evidence.Threads == 4, "%d", asked.Evidence.Threads)
		s.set(map[string]string{"cluster.thread_pool.remote_recovery.max": "16"})
		raised := s.try(so, lifted(8))
		s.holds("streams after the pool was raised to 16", raised.Evidence.Threads == 4, "%d", raised.Evidence.Threads)
		s.holds("the proof of a recovery finds it", len(raised.Invalid) == 1, "%v", raised.Invalid)
	},
}
