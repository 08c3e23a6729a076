package verdict

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// Which claims need a link that somebody knows? An efficiency without a best time, and no
// speed-up, with or without one; such a claim is refused when it is judged all the same.
func TestLacksBest(t *testing.T) {
	for _, c := range []struct {
		claim Claim
		lacks bool
	}{
		{EfficiencyAtLeast("e", "multi", 0, 0.6), true},
		{EfficiencyAtLeast("e", "multi", time.Second, 0.6), false},
		{SpeedUpAtLeast("s", "multi", "single", 3), false},
		{SpeedUpKept("k", SpeedUp{"a", "b"}, SpeedUp{"c", "d"}, 0.9), false},
	} {
		assert.Equal(t, c.lacks, c.claim.LacksBest(), c.claim.Quantity)
		if c.lacks {
			assert.Error(t, c.claim.From("test").Validate())
		}
	}
}
