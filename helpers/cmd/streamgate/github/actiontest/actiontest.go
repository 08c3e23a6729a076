// Package actiontest runs a composite action without GitHub, as far as this repository's own
// needs it: each step's inputs, outputs, conditions and files are those that GitHub would give
// it, so that a wrong name in an expression is found before a runner finds it.
//
// Steps that run a script are run. Steps that use another action (a cache, an upload) are handed
// to a function of the test. An expression that is not understood is an error: nothing is
// guessed.
//
// What does not belong here: whole workflows, which actionlint checks and only GitHub runs.
package actiontest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Action is an action.yml.
type Action struct {
	Inputs  map[string]Input  `yaml:"inputs"`
	Outputs map[string]Output `yaml:"outputs"`
	Runs    struct {
		Using string `yaml:"using"`
		Steps []Step `yaml:"steps"`
	} `yaml:"runs"`
	// Dir is the folder of the action's file.
	Dir string `yaml:"-"`
}

// Input is what a caller may hand in.
type Input struct {
	Description string `yaml:"description"`
	Default     string `yaml:"default"`
}

// Output is what a caller gets, an expression.
type Output struct {
	Description string `yaml:"description"`
	Value       string `yaml:"value"`
}

// Step is one step. It either runs a line of a shell or uses another action.
type Step struct {
	ID    string            `yaml:"id"`
	Name  string            `yaml:"name"`
	If    string            `yaml:"if"`
	Shell string            `yaml:"shell"`
	Run   string            `yaml:"run"`
	Uses  string            `yaml:"uses"`
	With  map[string]string `yaml:"with"`
	Env   map[string]string `yaml:"env"`
}

// Read reads an action.yml; a key that is not known is an error.
func Read(file string) (Action, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return Action{}, fmt.Errorf("read the action: %w", err)
	}
	var known struct {
		Name        string `yaml:"name"`
		Description string `yaml:"description"`
		Action      `yaml:",inline"`
	}
	decoder := yaml.NewDecoder(bytes.NewReader(content))
	decoder.KnownFields(true)
	if err := decoder.Decode(&known); err != nil {
		return Action{}, fmt.Errorf("read the action %s: %w", filepath.Base(filepath.Dir(file)), err)
	}
	known.Dir = filepath.Dir(file)
	return known.Action, nil
}

// Job is where an action runs.
type Job struct {
	// Temp is the runner's folder for temporary files, and also the caller's workspace.
	Temp string
	// Environ is what every step gets beside its own variables, shaped like os.Environ().
	Environ []string
	// Uses stands in for a step that uses another action, and returns that step's outputs.
	Uses func(step Step) (outputs map[string]string, err error)
}

// Ran is a step that was run, or skipped.
type Ran struct {
	Step    Step
	Skipped bool
	Code    int    // exit code of the shell
	Output  string // what it has printed
}

// Result is what an action leaves.
type Result struct {
	Steps   []Ran
	Outputs map[string]string
	// Summary is that of all steps, as GitHub shows it.
	Summary string
	// Failed is true when a step has failed: the job is red.
	Failed bool
}

// Run runs the action's steps in order. A failing step is no error but part of the result.
func (a Action) Run(ctx context.Context, job Job, inputs map[string]string) (Result, error) {
	scope := scope{inputs: map[string]string{}, steps: map[string]map[string]string{}, temp: job.Temp, actionPath: a.Dir}
	for name, input := range a.Inputs {
		scope.inputs[name] = input.Default
	}
	for name, value := range inputs {
		if _, known := a.Inputs[name]; !known {
			return Result{}, fmt.Errorf("run the action: it has no input %q", name)
		}
		scope.inputs[name] = value
	}
	result := Result{Outputs: map[string]string{}}
	for i, step := range a.Runs.Steps {
		scope.failed = result.Failed
		ran, summary, err := runStep(ctx, job, scope, step, i)
		if err != nil {
			return result, fmt.Errorf("step %d, %s: %w", i+1, step.title(), err)
		}
		result.Steps = append(result.Steps, ran)
		result.Summary += summary
		result.Failed = result.Failed || ran.Code != 0
	}
	scope.failed = result.Failed
	for name, output := range a.Outputs {
		value, err := scope.fill(output.Value)
		if err != nil {
			return result, fmt.Errorf("output %s: %w", name, err)
		}
		result.Outputs[name] = value
	}
	return result, nil
}

// Find is the step of that name as it ran; false when there is none.
func (r Result) Find(name string) (Ran, bool) {
	for _, ran := range r.Steps {
		if ran.Step.title() == name {
			return ran, true
		}
	}
	return Ran{}, false
}

func (s Step) title() string {
	for _, title := range []string{s.Name, s.Uses, s.Run} {
		if title != "" {
			return title
		}
	}
	return "(empty)"
}

// runStep fills the expressions of one step, and runs it unless its condition says no.
func runStep(ctx context.Context, job Job, scope scope, step Step, number int) (ran Ran, summary string, err error) {
	ran.Step = step
	wanted, err := scope.wants(step.If)
	if err != nil || !wanted {
		ran.Skipped = true
		if step.ID != "" {
			scope.steps[step.ID] = nil
		}
		return ran, "", err
	}
	if step.With, err = scope.fillAll(step.With); err != nil {
		return ran, "", err
	}
	if step.Env, err = scope.fillAll(step.Env); err != nil {
		return ran, "", err
	}
	ran.Step = step
	var outputs map[string]string
	switch {
	case step.Uses != "" && job.Uses != nil:
		outputs, err = job.Uses(step)
	case step.Uses != "":
		return ran, "", errors.New("nothing stands in for the other action")
	default:
		ran, outputs, summary, err = shell(ctx, job, scope, step, number)
	}
	if step.ID != "" {
		scope.steps[step.ID] = outputs
	}
	return ran, summary, err
}

// shell runs a step's line as GitHub does: bash that stops at the first error, in the caller's
// workspace, with files of its own for its summary and its outputs.
func shell(ctx context.Context, job Job, scope scope, step Step, number int) (ran Ran, outputs map[string]string, summary string, err error) {
	if step.Shell != "bash" {
		return ran, nil, "", fmt.Errorf("shell %q: only bash is known", step.Shell)
	}
	if strings.Contains(step.Run, "${{") {
		return ran, nil, "", errors.New("an expression inside a script: hand it in with env")
	}
	files := map[string]string{}
	for _, name := range []string{"GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT"} {
		files[name] = filepath.Join(job.Temp, fmt.Sprintf("%s-%d", strings.ToLower(name), number))
		if err := os.WriteFile(files[name], nil, 0o600); err != nil {
			return ran, nil, "", err
		}
	}
	command := exec.CommandContext(ctx, "bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step.Run)
	command.Dir = job.Temp
	command.Env = append(os.Environ(), job.Environ...)
	set := map[string]string{"RUNNER_TEMP": job.Temp, "GITHUB_WORKSPACE": job.Temp, "GITHUB_ACTION_PATH": scope.actionPath}
	maps.Copy(set, files)
	maps.Copy(set, step.Env)
	for name, value := range set {
		command.Env = append(command.Env, name+"="+value)
	}
	text, err := command.CombinedOutput()
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) {
		return ran, nil, "", err
	}
	ran = Ran{Step: step, Code: command.ProcessState.ExitCode(), Output: string(text)}
	if outputs, err = readOutputs(files["GITHUB_OUTPUT"]); err != nil {
		return ran, nil, "", err
	}
	written, err := os.ReadFile(files["GITHUB_STEP_SUMMARY"])
	return ran, outputs, string(written), err
}

// readOutputs reads lines NAME=VALUE, the later one of a name counting.
func readOutputs(file string) (map[string]string, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	outputs := map[string]string{}
	for line := range strings.Lines(string(content)) {
		name, value, found := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		if !found {
			return nil, fmt.Errorf("output %q: want NAME=VALUE", line)
		}
		outputs[name] = value
	}
	return outputs, nil
}
