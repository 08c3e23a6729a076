// Package budget holds the suites to the time for which they may have the machine.
//
// Suites wait for each other where timings are judged. With enough cores go test starts all of them
// at once, so that the last one waits for the sum of the others' holds, and has 10 minutes, go test's
// own limit. What a suite asks and how long a scenario takes belongs to the suite.
package budget

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"streamgate/fixtures/machine"
	"streamgate/fixtures/suite"
)

func TestMain(m *testing.M) { suite.Main(m) }

// check is given by make test, after all suites.
var check = flag.Bool("check", false, "hold what the suites have noted against the limit")

// limit is for all suites together: go test's own limit for a package. On 2 cores, where two suites at
// a time start their stacks on the same processors, they took 390 to 550 s; the aim is half the limit,
// which would leave room for a machine of half the speed.
const limit = 10 * time.Minute

// budget sums up holds by program and mode.
func budget(lines io.Reader) (byProgram map[string]float64, total float64, err error) {
	byProgram = map[string]float64{}
	decoder := json.NewDecoder(lines)
	for {
		var hold machine.Hold
		err := decoder.Decode(&hold)
		if errors.Is(err, io.EOF) {
			return byProgram, total, nil
		}
		if err != nil {
			return nil, 0, fmt.Errorf("read a hold: %w", err)
		}
		byProgram[hold.Who+", "+hold.Mode] += hold.Seconds
		total += hold.Seconds
	}
}

// table is the sums as text.
func table(byProgram map[string]float64, total float64) string {
	var b strings.Builder
	b.WriteString("the suites had the machine for\n")
	for _, who := range slices.Sorted(maps.Keys(byProgram)) {
		fmt.Fprintf(&b, "  %6.1f s  %s\n", byProgram[who], who)
	}
	fmt.Fprintf(&b, "  %6.1f s  in all, at most %.0f s", total, limit.Seconds())
	return b.String()
}

// Did the suites of this make test have the machine for no longer than they may?
func TestSuitesKeepTheBudget(t *testing.T) {
	if !*check {
		return // the suites are not all over yet
	}
	path, err := suite.HoldsPath()
	require.NoError(t, err)
	content, err := os.ReadFile(path)
	require.NoError(t, err, "no suite has noted how long it had the machine")
	byProgram, total, err := budget(bytes.NewReader(content))
	require.NoError(t, err)
	_, _ = fmt.Fprintln(t.Output(), table(byProgram, total))
	assert.LessOrEqual(t, total, limit.Seconds())
}

// Are holds summed up by suite and mode, and is a file that is broken an error?
func TestBudget(t *testing.T) {
	const lines = `{"who":"a.test","mode":"alone","seconds":1.5}
{"who":"b.test","mode":"shared","seconds":2}
{"who":"a.test","mode":"alone","seconds":3}
`
	byProgram, total, err := budget(strings.NewReader(lines))
	require.NoError(t, err)
	assert.Equal(t, map[string]float64{"a.test, alone": 4.5, "b.test, shared": 2}, byProgram)
	assert.InDelta(t, 6.5, total, 1e-9)
	assert.Contains(t, table(byProgram, total), "     4.5 s  a.test, alone\n     2.0 s  b.test, shared\n     6.5 s  in all, at most 600 s")
	_, _, err = budget(strings.NewReader(`{"who":`))
	assert.ErrorContains(t, err, "read a hold")
}
