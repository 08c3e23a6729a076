package issues

import (
	"fmt"
)

// opensearch-project/OpenSearch#11708 asks for virtual threads, because a thread that
// downloads blocks and the pool remote_recovery bounds what all recovering shards together
// can have; its measurements raise the concurrent recoveries to 100. #10431 saw recoveries
// fail when an index of 100 shards got its replicas.
//
//	Set up    24 MB in 8 shards of 8 segments each, 8 streams per shard, a pool of 32 threads,
//	          0.4 MB/s per connection
//	Measured  all replicas added at once, with 2 and with 8 concurrent recoveries
//	Claimed   2 shards are held to their own streams, 16 threads; 8 shards want 64 and get the
//	          pool's 32, so that four times the recoveries gain about twice the speed; none fails
var issue11708 = report{
	numbers:     []int{11708, 10431},
	shows:       "recovering shards share one pool: 8 at a time saturate it where 2 do not; none of them fails",
	versions:    "2.12 and later; #10431 not seen with 8 shards",
	corpusBytes: 24_000_000,
	scenario: func(s *scenario) {
		const shards, streams, poolThreads = 8, 8, 32
		s.share()
		few, many := s.placeShards("few", shards, 8), s.placeShards("many", shards, 8)
		s.set(lifted(streams).Settings)
		s.shape(400_000)
		two := s.recoverShards(few, shards, 2)
		eight := s.recoverShards(many, shards, 8)
		for _, r := range []shardsRecovery{two, eight} {
			at := r.concurrent
			s.holds(fmt.Sprintf("%d at a time, recoveries at once", at), r.atOnce == at, "%d", r.atOnce)
			// A shard that begins while another one ends has its threads beside those of the one that
			// ends: one shard's more than are allowed at a time is the honest most. Held to one stream a
			// shard the threads would be as many as the recoveries, without the pool's bound 64.
			least, most := min(at*streams, poolThreads)*3/4, min((at+1)*streams, poolThreads)
			s.between(fmt.Sprintf("%d at a time, threads at once of %d in the pool", at, poolThreads), float64(r.threads), float64(least), float64(most))
			s.holds(fmt.Sprintf("%d at a time, nothing failed or was given up", at), r.failedBytes == 0 && len(r.fallback) == 0,
				"%d bytes, %d log lines", r.failedBytes, len(r.fallback))
		}
		s.between("speed-up of 8 at a time over 2", two.took.Seconds()/eight.took.Seconds(), 1.4, 3)
	},
}
