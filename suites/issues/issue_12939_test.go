package issues

import (
	"streamgate/helpers/recovery"
)

// settingReplication is the rate limit that #12959 gave segment replication; -1, its default,
// stands for recovery's.
const settingReplication = "indices.replication.max_bytes_per_sec"

// opensearch-project/OpenSearch#12939 asks for a rate limit of its own for segment
// replication, so that recovery can be slowed down alone; #12959 added it in 2.14.
//
//	Set up    a live index with a replica, two bulks of 0.5 MB and refreshes a second
//	Measured  how far the replica is behind: nothing limited; replication at 256kb; recovery
//	          at 512kb with replication at 1gb, while nothing recovers
//	Claimed   with a remote store the setting does nothing: replication's limit does not hold
//	          the replica back, recovery's does, whatever replication's is
var issue12939 = report{
	numbers:     []int{12939, 12959},
	shows:       "replication's own rate limit does not reach downloads from the store: recovery's holds up a live replica all the same",
	versions:    "setting since 2.14; without effect on a remote store in 3.8.0",
	corpusBytes: 12_000_000,
	scenario: func(s *scenario) {
		s.share()
		live := s.goLive("live")
		lag := func(recoveryLimit, replicationLimit string) float64 {
			s.set(map[string]string{recovery.SettingLimiter: recoveryLimit, settingReplication: replicationLimit})
			return s.lagOf(live, s.pause).Seconds()
		}
		free, own, both := lag("0", "-1"), lag("0", "256kb"), lag("512kb", "1gb")
		s.between("lag with replication at 256kb by lag without a limit", own/free, 0.3, 3)
		s.between("lag with recovery at 512kb and replication at 1gb by lag without a limit", both/free, 5, 1000)
	},
}
