//go:build issues

package issues

import (
	"context"
	"testing"
)

// settingReplication is the rate limit that #12959 gave segment replication; -1, its default,
// stands for recovery's.
const settingReplication = "indices.replication.max_bytes_per_sec"

// opensearch-project/OpenSearch#12939 asks for a rate limit of its own for segment
// replication, so that recovery can be slowed down alone; #12959 added it in 2.14.
//
//	Set up    as in #10624
//	Measured  how far a live replica is behind while another recovers at 2mb with 8 streams:
//	          with replication's own limit left alone, and set to 1gb
//	Claimed   3.8.0 has the setting and takes it, and the live replica is no nearer for it: with
//	          recovery's limit not holding it up (#10624), there is nothing to free it from
var issue12939 = report{
	numbers:     []int{12939, 12959},
	shows:       "replication's own rate limit makes a live replica neither faster nor slower beside a limited recovery",
	versions:    "setting since 2.14; the lag it is for is not seen in 3.8.0",
	corpusBytes: 24_000_000,
	scenario: func(_ context.Context, _ *testing.T, s *scenario) {
		s.share()
		so, live := s.place("so", 12), s.goLive("live")
		s.quiet()
		shared := s.lagOf(live, func() { s.recover(so, limited(8, "2mb")) })
		arm := limited(8, "2mb")
		arm.Name += ", replication at 1gb"
		arm.Settings[settingReplication] = "1gb"
		apart := s.lagOf(live, func() { s.recover(so, arm) })
		s.between("lag with a limit of its own by lag without", apart.Seconds()/shared.Seconds(), 0.5, 2)
	},
}
