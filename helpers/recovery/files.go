package recovery

import (
	"fmt"
	"maps"
	"regexp"
	"slices"

	"streamgate/helpers/osapi"
)

// segmentName is what a segment file's name begins with: _3 of _3.cfs and of _3_1.liv.
var segmentName = regexp.MustCompile(`^_[0-9a-z]+`)

// UnlikeFiles holds the files of the primary's segments against the replica's, by their sums. It
// returns how many there are and what is wrong with some of them; nothing when all are alike.
//
// A replica may be green and wrong: a download is checked for its length and for the checksum
// that stands in the file's own footer, not for the bytes that this checksum is of. suites/faults
// shows it with one changed byte.
//
// What else lies in either folder, such as files of an older commit, serves no search and is left out.
func UnlikeFiles(segments map[string]osapi.Segment, primary, replica map[string]string) (files int, unlike []string) {
	seen := map[string]bool{}
	for _, file := range slices.Sorted(maps.Keys(primary)) {
		segment := segmentName.FindString(file)
		if _, live := segments[segment]; !live {
			continue
		}
		seen[segment] = true
		files++
		if theirs, have := replica[file]; !have {
			unlike = append(unlike, fmt.Sprintf("file %s is not on the replica", file))
		} else if theirs != primary[file] {
			unlike = append(unlike, fmt.Sprintf("file %s has other bytes than the primary's", file))
		}
	}
	for _, segment := range slices.Sorted(maps.Keys(segments)) {
		if !seen[segment] {
			unlike = append(unlike, fmt.Sprintf("segment %s has no file on the primary", segment))
		}
	}
	return files, unlike
}
