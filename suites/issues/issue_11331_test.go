package issues

import (
	"github.com/stretchr/testify/require"

	"streamgate/helpers/recovery"
)

// opensearch-project/OpenSearch#11331 says that the recovery of a remote-backed replica has
// two modes, download from the store and copy from the primary's node, and wants the second
// gone because it surprises. It does: a download that fails becomes a copy, in silence.
//
//	Set up    24 MB in 12 segments, 4 MB/s per connection
//	Measured  a recovery with one stream; one over a link that cuts each connection after 0.5 MB
//	Claimed   the second ends with the whole replica, all bytes are the peer's, only the log
//	          says so, and it is not even slow: time tells nothing
var issue11331 = report{
	numbers:     []int{11331},
	shows:       "a download that fails becomes a copy from the primary's node: green, complete and not slow",
	versions:    "2.12 and later",
	corpusBytes: 24_000_000,
	quick:       true,
	untimed:     true,
	scenario: func(s *scenario) {
		s.share()
		so := s.place("so", 12)
		s.shape(4_000_000)
		sound := s.recover(so, lifted(1))
		require.NoError(s.t, s.stack.Link.Cut(500_000)) // a quarter of a segment
		arm := lifted(1)
		arm.Name += ", cut link"
		cut := s.try(so, arm)

		e := cut.Evidence
		s.holds("the replica has all documents", e.ReplicaDocuments == e.PrimaryDocuments, "%d of %d", e.ReplicaDocuments, e.PrimaryDocuments)
		s.between("bytes from the primary's node by those of the shard", float64(e.PeerBytes)/float64(recovery.Sum(so.Files)), 0.95, 1.05)
		s.holds("the store's bytes that arrived are less than one segment's", e.DownloadedBytes < largest(so.Files), "%d of %d", e.DownloadedBytes, e.WantBytes)
		s.holds("the log says so", len(e.Fallback) > 0, "%s", first(e.Fallback))
		s.holds("the proof of a recovery finds it", len(cut.Invalid) > 0, "%s", first(cut.Invalid))
		s.between("time with the fallback by time without", cut.Total.Seconds()/sound.Total.Seconds(), 0, 1.5)
	},
}
