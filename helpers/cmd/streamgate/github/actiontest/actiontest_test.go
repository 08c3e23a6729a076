package actiontest_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"streamgate/helpers/cmd/streamgate/github/actiontest"
)

const head = `
name: small
description: an action of this test
inputs:
  who: {description: whom to greet, default: nobody}
outputs:
  greeted: {description: who was greeted, value: "${{ steps.greet.outputs.who }}"}
runs:
  using: composite
  steps:
`

// run runs an action of these steps, with a cache that never has anything.
func run(t *testing.T, steps string, inputs map[string]string) (actiontest.Result, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "action.yml")
	require.NoError(t, os.WriteFile(file, []byte(head+steps), 0o600))
	action, err := actiontest.Read(file)
	if err != nil {
		return actiontest.Result{}, err
	}
	job := actiontest.Job{Temp: t.TempDir(), Uses: func(actiontest.Step) (map[string]string, error) {
		return map[string]string{"cache-hit": "false"}, nil
	}}
	return action.Run(t.Context(), job, inputs)
}

// Do inputs, outputs, summaries and conditions go the way that they go on GitHub? One step
// fails: those after it are skipped, but for the one that says always.
func TestRun(t *testing.T) {
	result, err := run(t, `
    - id: greet
      shell: bash
      env: {WHO: "${{ inputs.who }}"}
      run: echo "who=$WHO" >> "$GITHUB_OUTPUT"; echo "hello" >> "$GITHUB_STEP_SUMMARY"
    - id: cache
      uses: example/cache@1
      with: {key: "of ${{ steps.greet.outputs.who }}"}
    - name: no hit
      if: steps.cache.outputs.cache-hit != 'true' && inputs.who == 'you'
      shell: bash
      run: echo there; exit 3
    - name: skipped
      shell: bash
      run: echo never
    - name: last
      if: always()
      shell: bash
      run: echo "bye" >> "$GITHUB_STEP_SUMMARY"
`, map[string]string{"who": "you"})
	require.NoError(t, err)
	assert.Equal(t, map[string]string{"greeted": "you"}, result.Outputs)
	assert.Equal(t, "hello\nbye\n", result.Summary)
	assert.True(t, result.Failed)
	assert.Equal(t, "of you", result.Steps[1].Step.With["key"])
	failed, found := result.Find("no hit")
	require.True(t, found)
	assert.Equal(t, 3, failed.Code)
	assert.Equal(t, "there\n", failed.Output)
	skipped, found := result.Find("skipped")
	require.True(t, found)
	assert.True(t, skipped.Skipped)

	result, err = run(t, "    - {id: greet, if: inputs.who == 'you', shell: bash, run: exit 1}\n", nil)
	require.NoError(t, err)
	assert.False(t, result.Failed)
	assert.True(t, result.Steps[0].Skipped)
}

// Is everything that GitHub would take for an empty text an error here?
func TestRunRefuses(t *testing.T) {
	const greet = "    - {id: greet, shell: bash, run: 'true'}\n"
	for name, c := range map[string]struct {
		steps  string
		inputs map[string]string
		words  string
	}{
		"input of no such name": {greet, map[string]string{"whom": "x"}, `no input "whom"`},
		"unknown input":         {"    - {shell: bash, run: 'true', env: {A: '${{ inputs.whom }}'}}\n", nil, `"inputs.whom": no such value`},
		"unknown step":          {"    - {shell: bash, run: 'true'}\n", nil, `"steps.greet.outputs.who": no such value`},
		"unknown output":        {"    - {id: greet, shell: bash, run: 'echo whom=x >> $GITHUB_OUTPUT'}\n", nil, `"steps.greet.outputs.who": no such value`},
		"unknown condition":     {"    - {if: failure(), shell: bash, run: 'true'}\n", nil, `"failure()": not understood`},
		"unknown key":           {"    - {shell: bash, runs: 'true'}\n", nil, "field runs not found"},
		"expression in script":  {"    - {shell: bash, run: 'echo ${{ inputs.who }}'}\n", nil, "hand it in with env"},
		"no shell":              {"    - {run: 'true'}\n", nil, `shell ""`},
		"output without value":  {"    - {id: greet, shell: bash, run: 'echo who >> $GITHUB_OUTPUT'}\n", nil, "want NAME=VALUE"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := run(t, c.steps, c.inputs)
			require.ErrorContains(t, err, c.words)
		})
	}
}
