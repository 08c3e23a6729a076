//go:build guards

package guards

import (
	"flag"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"streamgate/helpers/config"
	"streamgate/helpers/mutation"
)

// engine lets the guards be broken too whose tests start containers: some minutes more.
var engine = flag.Bool("engine", false, "break also the guards whose tests start containers")

// limit bounds one guard: build a test binary, run one test of it.
const limit = 10 * time.Minute

// Does breaking a guard turn the test red that is named beside it? The test must pass on the code as
// it is, and fail by its own name on the broken one: a build that fails is no answer.
func TestEveryGuardIsHeld(t *testing.T) {
	root, err := config.Root()
	require.NoError(t, err)
	for _, g := range guards(t) {
		if g.Engine && !*engine {
			continue
		}
		t.Run(g.Guard, func(t *testing.T) {
			honest := source(t, g.File)
			broken, err := g.Apply(honest)
			require.NoError(t, err)
			args := []string{"-timeout=9m", "-run=" + pattern(g.Test), g.Package}

			green, err := mutation.Run(t.Context(), root, g.File, honest, limit, append([]string{"-v"}, args...)...)
			require.NoError(t, err)
			require.Equal(t, mutation.Lived, green.Fate, "the test is red without the break:\n%s", green.Output)
			require.Contains(t, green.Output, "--- PASS: "+g.Test, "the test did not run")

			red, err := mutation.Run(t.Context(), root, g.File, broken, limit, args...)
			require.NoError(t, err)
			require.NotEqual(t, mutation.NotViable, red.Fate, "the broken code does not compile:\n%s", red.Output)
			assert.Contains(t, mutation.RedTests(red.Output), g.Test, "nothing turned red:\n%s", red.Output)
		})
	}
}

// pattern is -run's for exactly that test or subtest.
func pattern(test string) string {
	var parts []string
	for part := range strings.SplitSeq(test, "/") {
		parts = append(parts, "^"+regexp.QuoteMeta(part)+"$")
	}
	return strings.Join(parts, "/")
}
