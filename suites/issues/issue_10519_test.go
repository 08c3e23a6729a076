package issues

import (
	"fmt"

	"streamgate/helpers/recovery"
)

// partsSetting is what #23016 calls the number of parts of a file that are fetched at once.
const partsSetting = "max_concurrent_parts"

// opensearch-project/OpenSearch#10519 replaced streams within a file by one stream per file,
// and says what that costs: a very large file becomes the long pole of a recovery. The open
// #23016 brings parts within a file back.
//
//	Set up    24 MB force-merged into one segment, 4 MB/s per connection
//	Measured  1 and 8 streams; if the node knows a setting for parts, 8 streams with 8 parts
//	Claimed   8 streams gain what total/largest allows and no more, since the largest file takes
//	          one connection's time; with parts, they gain more
var issue10519 = report{
	numbers:     []int{10519, 23016},
	shows:       "the largest file is the long pole: one merged segment gains total/largest from 8 streams, not 8",
	versions:    "2.11 and later; parts within a file are not in 3.8.0",
	corpusBytes: 24_000_000,
	scenario: func(s *scenario) {
		const rateBytes = 4_000_000
		s.share()
		so := s.merge(s.place("so", 8))
		parts := s.settingsWith(partsSetting)
		s.shape(rateBytes)
		whole := func(streams int, parallel string) recovery.Arm {
			arm := lifted(streams)
			for _, name := range parts {
				arm.Settings[name] = parallel
				arm.Name += ", " + parallel + " parts"
			}
			return arm
		}
		one, eight := s.recover(so, whole(1, "0")), s.recover(so, whole(8, "0"))
		ratio := one.Total.Seconds() / eight.Total.Seconds()
		pole := float64(recovery.Sum(so.Files)) / float64(largest(so.Files))
		s.between(fmt.Sprintf("speed-up of 8 streams (%.2f) by total/largest (%.2f)", ratio, pole), ratio/pole, 0.75, 1.3)
		floor := float64(largest(so.Files)) / rateBytes
		s.between("time of the download in 8 streams by that of the largest file", eight.Download.Seconds()/floor, 0.85, 1.3)
		if len(parts) == 0 {
			s.holds("the node knows no setting for parts within a file", true, "none of its settings contains %s", partsSetting)
			return
		}
		split := s.recover(so, whole(8, "8"))
		s.between("speed-up of 8 parts over whole files", eight.Total.Seconds()/split.Total.Seconds(), 1.3, 8)
	},
}
