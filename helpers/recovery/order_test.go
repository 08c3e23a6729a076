package recovery

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Does each arm go first equally often in any two rounds that make a pair, does the seed decide which
// begins, and is an order the same when it is drawn again?
func TestOrder(t *testing.T) {
	arms := []Arm{{Name: "a"}, {Name: "b"}, {Name: "c"}}
	began := map[string]int{}
	for seed := range uint64(300) {
		for round := 1; round < 12; round += 2 {
			first, second := Order(arms, seed, round), Order(arms, seed, round+1)
			assert.Equal(t, first, Order(arms, seed, round))
			for i := range first {
				assert.Equal(t, first[i], second[len(second)-1-i])
			}
			began[first[0].Name]++
		}
	}
	for _, arm := range arms {
		assert.InDelta(t, 600, began[arm.Name], 80, arm.Name)
	}
	assert.Equal(t, "a", arms[0].Name, "the arms themselves stay as they are")

	one := arms[:2]
	differ := 0
	for pair := range 50 {
		if Order(one, 7, 2*pair+1)[0].Name != Order(one, 7, 1)[0].Name {
			differ++
		}
	}
	assert.InDelta(t, 25, differ, 15, "pairs are drawn one by one")
}
