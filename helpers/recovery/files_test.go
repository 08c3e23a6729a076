package recovery_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"streamgate/helpers/osapi"
	"streamgate/helpers/recovery"
)

// Is a copy told by a file of a live segment that is missing or has other bytes? Files that no
// live segment has may differ, and a segment without files proves nothing.
func TestUnlikeFiles(t *testing.T) {
	live := map[string]osapi.Segment{"_0": {}, "_1": {}}
	primary := map[string]string{"_0.cfs": "a", "_1.cfs": "b", "_1_2.liv": "c", "_9.cfs": "old"}
	files, unlike := recovery.UnlikeFiles(live, primary, map[string]string{"_0.cfs": "a", "_1.cfs": "b", "_1_2.liv": "c", "_8.cfs": "d"})
	assert.Equal(t, 3, files)
	assert.Empty(t, unlike)
	for want, replica := range map[string]map[string]string{
		"file _1_2.liv is not on the replica":            {"_0.cfs": "a", "_1.cfs": "b"},
		"file _1.cfs has other bytes than the primary's": {"_0.cfs": "a", "_1.cfs": "B", "_1_2.liv": "c"},
	} {
		_, unlike = recovery.UnlikeFiles(live, primary, replica)
		assert.Equal(t, []string{want}, unlike)
	}
	files, unlike = recovery.UnlikeFiles(live, nil, nil)
	assert.Zero(t, files)
	assert.Len(t, unlike, 2, "two copies of nothing prove nothing")
}
