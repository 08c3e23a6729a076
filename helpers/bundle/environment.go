package bundle

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"streamgate/helpers/bound"
	"streamgate/helpers/config"
	"streamgate/helpers/recovery"
	"streamgate/helpers/verdict"
)

// Bounds of an environment. They keep a broken or hostile bundle from filling memory, and
// a report readable; a real run stays far below.
const (
	maxArms   = 16
	maxClaims = 32
	maxFiles  = 100_000
	// maxFileSize is more than a disk holds, and so little that the sum of maxFiles fits an int64.
	maxFileSize = 1 << 46
	maxName     = 64

	maxUnproven = 32
)

// Environment is environment.json: all that is needed to judge a run again and to tell
// whether two runs may be compared.
type Environment struct {
	SchemaVersion int `json:"schema_version"`

	Suite string    `json:"suite"`
	RunID string    `json:"run_id"`
	Start time.Time `json:"start"`

	Profile  string           `json:"profile"`
	Settings []config.Setting `json:"settings"`
	// Seed is what the order of the arms in each round was drawn from.
	Seed uint64 `json:"seed"`

	// Order says how the arms of a round were ordered from the seed; empty in bundles from before it
	// was kept.
	Order  string          `json:"order,omitempty"`
	Arms   []recovery.Arm  `json:"arms"`
	Claims []verdict.Claim `json:"claims"`
	// Looks are the planned looks; the last one is the most rounds of the run.
	Looks verdict.Looks `json:"looks"`

	// Files are the objects of the remote store that every replica has to fetch. Where the
	// store of a target was not listed, they are the primary's segments.
	Files  []recovery.File `json:"files"`
	Corpus Corpus          `json:"corpus"`
	Link   Link            `json:"link"`

	// Images are the containers' images by part: "opensearch", "minio", "toxiproxy".
	Images     map[string]Image `json:"images"`
	OpenSearch string           `json:"opensearch_version"`
	// Source is where that OpenSearch came from: "maven:3.8.0".
	Source  string `json:"opensearch_source,omitempty"`
	Engine  Engine `json:"engine"`
	Machine Host   `json:"machine"`

	// Target is the cluster that was measured when it was not a stack of our own; Images and
	// Engine are empty then, and Link is unknown.
	Target *Target `json:"target,omitempty"`
	// Unproven is what could not be proven where it was measured, a line each.
	Unproven []string `json:"unproven,omitempty"`

	// Stacks are those beside the first, which Files, Link, Images and OpenSearch describe.
	Stacks []Stack `json:"stacks,omitempty"`
}

// Target is a cluster that was there already. Nothing here leads to it.
type Target struct {
	DataNodes int `json:"data_nodes"`
	// Listed says that Files were read from its store.
	Listed bool `json:"listed"`
}

// Corpus is what was loaded.
type Corpus struct {
	Name      string `json:"name"` // "generated", or a file's name without its path
	Documents int64  `json:"documents"`
	// RawBytes is the size of the documents as text.
	RawBytes int64  `json:"raw_bytes"`
	SHA256   string `json:"sha256"` // of the documents as text, in hexadecimal
	// Repetitions is how often a file's posts were loaded with fresh ids; 1 is once.
	Repetitions int `json:"repetitions"`
	// Kept names the kept corpus that the run started from; empty when it was loaded.
	Kept string `json:"kept,omitempty"`
}

// Image is a container image.
type Image struct {
	Reference string `json:"reference"`
	// Digest is the registry's digest, or the image's id when it was built here.
	Digest string `json:"digest"`
}

// Engine is what runs the containers.
type Engine struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Arm finds an arm by its name.
func (e Environment) Arm(name string) (recovery.Arm, bool) {
	i := slices.IndexFunc(e.Arms, func(arm recovery.Arm) bool { return arm.Name == name })
	if i < 0 {
		return recovery.Arm{}, false
	}
	return e.Arms[i], true
}

// Best is the best possible time of an arm for its stack's files over its link. It is false
// when the arm leaves its streams to the node, or when files or link are not known.
func (e Environment) Best(arm recovery.Arm) (bound.Bound, bool) {
	files, link := e.On(arm.Name)
	sizes := make([]int64, len(files))
	for i, file := range files {
		sizes[i] = file.SizeBytes
	}
	best, err := bound.Best(sizes, arm.Streams, link.Bound())
	return best, err == nil
}

var namePattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

// Validate says what is wrong with an environment, the most basic fault first.
func (e Environment) Validate() error {
	switch {
	case e.SchemaVersion != SchemaVersion:
		return fmt.Errorf("schema version is %d, this streamgate reads %d", e.SchemaVersion, SchemaVersion)
	case len(e.Suite) > maxName || !namePattern.MatchString(e.Suite):
		return fmt.Errorf("suite is %q, allowed are up to %d letters, digits, '.', '_' and '-'", e.Suite, maxName)
	case len(e.RunID) > maxName || !namePattern.MatchString(e.RunID):
		return fmt.Errorf("run id is %q, allowed are up to %d letters, digits, '.', '_' and '-'", e.RunID, maxName)
	case e.Start.IsZero():
		return errors.New("no start time")
	case e.Profile == "":
		return errors.New("no profile")
	}
	if err := e.validateQuestion(); err != nil {
		return err
	}
	return e.validateMeasured()
}

// validateQuestion checks what was asked: arms, claims, looks.
func (e Environment) validateQuestion() error {
	if err := validateArms(e.Arms); err != nil {
		return err
	}
	if len(e.Claims) == 0 || len(e.Claims) > maxClaims {
		return fmt.Errorf("%d claims, allowed are 1 to %d", len(e.Claims), maxClaims)
	}
	for _, claim := range e.Claims {
		if err := claim.Validate(); err != nil {
			return err
		}
		for _, term := range claim.Terms {
			if _, found := e.Arm(term.Arm); !found {
				return fmt.Errorf("claim %q is about arm %s, which the run does not have", claim.Name, term.Arm)
			}
		}
	}
	return e.Looks.Validate()
}

func validateArms(arms []recovery.Arm) error {
	if len(arms) == 0 || len(arms) > maxArms {
		return fmt.Errorf("%d arms, allowed are 1 to %d", len(arms), maxArms)
	}
	seen := map[string]bool{}
	for _, arm := range arms {
		switch {
		case arm.Name == "" || len(arm.Name) > maxName:
			return fmt.Errorf("an arm is named %q, allowed are names of 1 to %d bytes", arm.Name, maxName)
		case seen[arm.Name]:
			return fmt.Errorf("two arms are named %q", arm.Name)
		case arm.Streams < 0:
			return fmt.Errorf("arm %s has %d streams, allowed are 0 and more", arm.Name, arm.Streams)
		case arm.Streams > 0 && arm.Settings[recovery.SettingStreams] != "" && arm.Settings[recovery.SettingStreams] != strconv.Itoa(arm.Streams):
			return fmt.Errorf("arm %s has %d streams, its setting says %s", arm.Name, arm.Streams, arm.Settings[recovery.SettingStreams])
		}
		seen[arm.Name] = true
	}
	return nil
}

// validateMeasured checks files, corpus, link and machine.
func (e Environment) validateMeasured() error {
	if err := validateFiles(e.Files); err != nil {
		return err
	}
	switch c := e.Corpus; {
	case c.Documents < 0 || c.RawBytes < 0 || c.Repetitions < 0:
		return fmt.Errorf("corpus has %d documents, %d bytes, %d repetitions, allowed are 0 and more", c.Documents, c.RawBytes, c.Repetitions)
	case e.Machine.Cores < 0 || e.Machine.MemoryBytes < 0:
		return fmt.Errorf("machine has %d cores and %d bytes of memory, allowed are 0 and more", e.Machine.Cores, e.Machine.MemoryBytes)
	}
	if err := e.Link.validate(); err != nil {
		return err
	}
	if err := e.validateTarget(); err != nil {
		return err
	}
	return e.validateStacks()
}

// validateTarget wants a cluster of others to be told from a stack of our own: its link is
// unknown, and something is unproven.
func (e Environment) validateTarget() error {
	switch {
	case e.Target == nil && e.Link.Unknown:
		return errors.New("the link is unknown, which it only is on a target")
	case e.Target == nil:
	case !e.Link.Unknown || len(e.Unproven) == 0 || len(e.Stacks) > 0:
		return errors.New("a target comes with an unknown link, with something unproven, and without stacks beside it")
	case e.Target.DataNodes < 2:
		return fmt.Errorf("the target has %d data nodes, allowed are 2 and more", e.Target.DataNodes)
	}
	if len(e.Unproven) > maxUnproven {
		return fmt.Errorf("%d lines of what is unproven, allowed are at most %d", len(e.Unproven), maxUnproven)
	}
	return nil
}

func validateFiles(files []recovery.File) error {
	if len(files) > maxFiles {
		return fmt.Errorf("%d remote files, allowed are at most %d", len(files), maxFiles)
	}
	seen := map[string]bool{}
	for _, file := range files {
		if file.Name == "" || file.SizeBytes < 0 || file.SizeBytes > maxFileSize || seen[file.Name] {
			return fmt.Errorf("remote file %q with %d bytes: allowed are different names and 0 to %d bytes", file.Name, file.SizeBytes, int64(maxFileSize))
		}
		seen[file.Name] = true
	}
	return nil
}

// shareable returns the environment without what tells of the machine it was written on:
// a path leads to a user's home, and its last part says enough.
func (e Environment) shareable() Environment {
	e.Settings = slices.Clone(e.Settings)
	for i, setting := range e.Settings {
		e.Settings[i].Value = withoutPaths(setting.Value)
	}
	e.Source = withoutPaths(e.Source)
	e.Stacks = slices.Clone(e.Stacks)
	for i, stack := range e.Stacks {
		e.Stacks[i].Source = withoutPaths(stack.Source)
	}
	if e.Corpus.Name != "" {
		e.Corpus.Name = filepath.Base(e.Corpus.Name)
	}
	return e
}

func leadsOutside(value string) bool {
	return filepath.IsAbs(value) || strings.HasPrefix(value, "~") || strings.HasPrefix(value, "..")
}

// withoutPaths leaves of each path, also that of a distribution, its last part. Values may be lists.
func withoutPaths(value string) string {
	parts := strings.Split(value, ",")
	for i, part := range parts {
		kind, path, found := strings.Cut(strings.TrimSpace(part), "dist:")
		switch {
		case found && kind == "":
			parts[i] = "dist:" + filepath.Base(path)
		case leadsOutside(part):
			parts[i] = filepath.Base(part)
		}
	}
	return strings.Join(parts, ",")
}
