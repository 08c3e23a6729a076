package issues

// opensearch-project/OpenSearch#10516 says that the recovery API shows zeroes until a remote
// download is over; #10519 mended it. #10651 shows a recovery of 36.7 GB that ends as "peer",
// 1 file, 3776 bytes: the final numbers are those of the phase after the download.
//
//	Set up    24 MB in 12 segments, 6 MB/s per connection
//	Measured  one recovery, sampled every 100 ms
//	Claimed   bytes rise all the while (#10516 does not reproduce); the final ones are a
//	          few kB in a file or two, and the type is PEER (#10651 does)
var issue10651 = report{
	numbers:     []int{10651, 10516},
	shows:       "the recovery API counts the download while it runs and forgets it at the end",
	versions:    "#10516: 2.11 before #10519; #10651: 2.11 and later",
	corpusBytes: 24_000_000,
	quick:       true,
	untimed:     true,
	scenario: func(s *scenario) {
		s.share()
		so := s.place("so", 12)
		s.shape(6_000_000)
		r := s.recover(so, lifted(1))

		seen := map[int64]bool{}
		var most int64
		for _, point := range r.Evidence.Progress {
			seen[point.Bytes] = true
			most = max(most, point.Bytes)
		}
		s.between("different values of the bytes while it ran", float64(len(seen)), 10, 1e6)
		s.between("the most of them by the bytes of the shard", float64(most)/float64(r.Evidence.WantBytes), 0.9, 1)
		s.between("final bytes by the bytes of the shard", float64(r.Evidence.PeerBytes)/float64(r.Evidence.WantBytes), 0, 0.01)
		s.between("final files", float64(r.Evidence.PeerFiles), 1, 2)
		kind := s.recoveryType(so)
		s.holds("its type is PEER, not REMOTE_STORE", kind == "PEER", "%s", kind)
	},
}
