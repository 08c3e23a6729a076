package config

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Is the distance Levenshtein's? Known pairs, each asked in both directions, because it is symmetric.
func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"a", "", 1}, {"same", "same", 0},
		{"kitten", "sitting", 3}, {"saturday", "sunday", 3}, {"flaw", "lawn", 2}, {"ROUDS", "ROUNDS", 1}, {"abcdef", "badcfe", 4},
	} {
		assert.Equal(t, c.want, distance(c.a, c.b), "%s to %s", c.a, c.b)
		assert.Equal(t, c.want, distance(c.b, c.a), "%s to %s", c.b, c.a)
	}
}

// Which name is meant by a misspelling? The closest; among equals the first, so that the message is the same each time.
func TestNearest(t *testing.T) {
	names := []string{"SEED", "SEEK", "ROUNDS"}
	assert.Equal(t, "ROUNDS", nearest("ROUND", names))
	assert.Equal(t, "SEEK", nearest("SEEKS", names))
	assert.Equal(t, "SEED", nearest("SEE", names))
}
