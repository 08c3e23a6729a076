// Package config is the environment of a run, read and checked once, before anything starts.
//
// One struct, Config, is the only list of STREAMGATE_ variables: its tags hold each variable's name, meaning, bounds
// and default, and everything else here (parsing, checks, the printed settings, the README's table) is made from it.
// To add a variable, add a field.
//
// What does not belong here: anything that must look at the world. Whether a corpus file exists, an engine answers or
// the disk is large enough is asked by the fixtures that need it. No other room reads the environment for settings.
package config

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/caarlos0/env/v11"
)

// prefix marks the variables that are ours; an unknown one among them is a misspelling and stops the run.
const prefix = "STREAMGATE_"

// profileVariable is read ahead of the others, because it decides what the others are when unset.
const profileVariable = prefix + "PROFILE"

// Config is every setting of a run, complete and checked. Only Load makes one that can be used.
//
// Tags: `env` names the variable; `means` says what it is for; `min` and `max` are inclusive bounds and `above` an
// exclusive one, written as a user would write the value; `rule` names a check of rules; `per` is a unit of time the
// value may carry ("20MB/s"); `envDefault` is the value when unset, `unset` says what happens instead of a value; `of`
// is "stack" where a variable describes a stack of our own; `private` is "place" for what leads to a machine or a person
// and is left out of Settings, "secret" for what may not even stand in an error.
type Config struct {
	// Profile is the profile in force. Its fields (c.Rounds, c.Segments …) already hold what the environment overrode.
	Profile

	CorpusFile    string `env:"STREAMGATE_CORPUS" means:"file of real posts to load: Posts.xml or posts.json" rule:"path" unset:"a generated corpus"`
	CorpusSeed    uint64 `env:"STREAMGATE_CORPUS_SEED" means:"seed of the generated corpus: same seed, same bytes" envDefault:"1"`
	Seed          uint64 `env:"STREAMGATE_SEED" means:"seed of the order of the arms; set it to repeat a run" unset:"drawn at random"`
	SingleStreams int    `env:"STREAMGATE_SINGLE_STREAMS" means:"download streams of the arm single" min:"1" max:"64" envDefault:"1"`
	MultiStreams  int    `env:"STREAMGATE_MULTI_STREAMS" means:"download streams of the arm multi" min:"1" max:"64" envDefault:"8"`
	HeapBytes     int64  `env:"STREAMGATE_HEAP" of:"stack" means:"Java heap of each OpenSearch node" min:"512MiB" max:"32GiB" envDefault:"1GiB"`
	Bucket        string `env:"STREAMGATE_BUCKET" of:"stack" means:"bucket of the remote store" rule:"bucket" envDefault:"streamgate"`

	OpenSearch       string `env:"STREAMGATE_OPENSEARCH" of:"stack" means:"where the OpenSearch under test comes from" rule:"source" envDefault:"maven:3.8.0"`
	Base             string `env:"STREAMGATE_BASE" of:"stack" means:"of a comparison, what the candidate is held against" rule:"source" unset:"STREAMGATE_OPENSEARCH"`
	Candidate        string `env:"STREAMGATE_CANDIDATE" of:"stack" means:"of a comparison, what must not be slower" rule:"source" unset:"STREAMGATE_OPENSEARCH"`
	CandidateStreams int    `env:"STREAMGATE_CANDIDATE_STREAMS" of:"stack" means:"of a comparison, streams of the candidate's arm multi; 0 is as many as the base's" min:"0" max:"64" envDefault:"0"`
	Versions         string `env:"STREAMGATE_VERSIONS" of:"stack" means:"releases of the version matrix" rule:"sources" unset:"no matrix"`
	ScaleSizes       string `env:"STREAMGATE_SCALE_SIZES" of:"stack" means:"corpus sizes of a scale run" rule:"sizes" envDefault:"50MB,200MB,1GB,4GB"`
	ScaleStreams     string `env:"STREAMGATE_SCALE_STREAMS" of:"stack" means:"download streams of a scale run, each with each size" rule:"streams" envDefault:"1,2,4,8,16"`
	AllowBad         bool   `env:"STREAMGATE_ALLOW_BAD" means:"measure also releases that are known to be bad" envDefault:"false"`
	OpenSearchImage  string `env:"STREAMGATE_OPENSEARCH_IMAGE" of:"stack" means:"OpenSearch image to use, the same as image:REF" rule:"image" unset:"STREAMGATE_OPENSEARCH"`
	MinIOImage       string `env:"STREAMGATE_MINIO_IMAGE" of:"stack" means:"MinIO image to use" rule:"image" unset:"built from docker/"`
	ToxiproxyImage   string `env:"STREAMGATE_TOXIPROXY_IMAGE" of:"stack" means:"Toxiproxy image to use" rule:"image" unset:"built from docker/"`

	// Target is a cluster that is there already; see HasTarget.
	Target

	Scenarios string `env:"STREAMGATE_SCENARIOS" of:"stack" means:"which scenarios the suites play: those that make test has time for, or all of them" rule:"scenarios" envDefault:"quick"`

	OutDir string `env:"STREAMGATE_OUT" means:"folder for the bundles of runs, relative to the repository" rule:"path" envDefault:"out"`
	Keep   bool   `env:"STREAMGATE_KEEP" of:"stack" means:"leave the containers running after the run" envDefault:"false"`

	// given holds what the environment set, by variable, for the printed origin of each value.
	given map[string]string
	// own are the variables that a suite has values of its own for.
	own map[string]bool
}

// Values of STREAMGATE_SCENARIOS.
const (
	QuickScenarios = "quick"
	AllScenarios   = "all"
)

// AllScenarios tells whether the suites play all of their scenarios, not only those that `make test` has time for.
func (c Config) AllScenarios() bool { return c.Scenarios == AllScenarios }

// Load reads the variables of environ, a list shaped like os.Environ(), and checks them all. An empty value counts as
// unset. When anything is wrong the Config is zero and the error joins one line per fault, so that one attempt shows
// everything there is to correct.
func Load(environ []string) (Config, error) {
	values := ours(environ)
	profile, known := profileNamed(values[profileVariable])
	if !known {
		// The rule on Profile.Name reports the bad name; the default profile lets the other values be checked too.
		profile = Profiles[0]
	}
	config := Config{Profile: profile, given: values}
	seed, err := randomSeed()
	if err != nil {
		return Config{}, err
	}
	config.Seed = seed

	unreadable, err := parse(&config, values)
	if err != nil {
		return Config{}, err
	}
	faults := checkEach(config, values, unreadable)
	faults = append(faults, checkNames(values)...)
	if len(faults) == 0 {
		// Only values that are sound by themselves can be held against each other.
		faults = checkTogether(config)
	}
	if len(faults) > 0 {
		return Config{}, errors.Join(faults...)
	}
	return config, nil
}

// ours picks the variables with our prefix that have a value.
func ours(environ []string) map[string]string {
	values := map[string]string{}
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		if strings.HasPrefix(name, prefix) && value != "" {
			values[name] = value
		}
	}
	return values
}

// parse sets the fields of config from values and returns the names of the fields whose value cannot be read, each with
// the reason. A non-nil error is a fault of this program, such as a field of a type that has no parser.
func parse(config *Config, values map[string]string) (map[string]error, error) {
	readable := maps.Clone(values)
	for _, v := range variables() {
		unit := v.field.Tag.Get("per")
		// A unit alone stays as it is: cut down to nothing it would pass for unset.
		if size, found := strings.CutSuffix(values[v.Name], "/"+unit); unit != "" && found && size != "" {
			readable[v.Name] = size
		}
	}
	err := env.ParseWithOptions(config, env.Options{
		Environment: readable,
		FuncMap: map[reflect.Type]env.ParserFunc{
			// Every int64 of Config is a byte count.
			reflect.TypeFor[int64](): func(text string) (any, error) { return parseSize(text) },
			// The library's own parser wraps the reason in words about Go types.
			reflect.TypeFor[time.Duration](): func(text string) (any, error) { return time.ParseDuration(text) },
		},
	})
	if err == nil {
		return nil, nil
	}
	var all env.AggregateError
	if !errors.As(err, &all) {
		return nil, fmt.Errorf("parse environment: %w", err)
	}
	unreadable := map[string]error{}
	for _, one := range all.Errors {
		var bad env.ParseError
		if !errors.As(one, &bad) {
			return nil, fmt.Errorf("parse environment: %w", one)
		}
		unreadable[bad.Name] = bad.Err
	}
	return unreadable, nil
}

// checkNames reports every variable with our prefix that no field has, in order of name.
func checkNames(values map[string]string) []error {
	var known []string
	for _, v := range variables() {
		known = append(known, v.Name)
	}
	var faults []error
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if !slices.Contains(known, name) {
			faults = append(faults, fmt.Errorf("%s is not known: did you mean %s?", strings.Trim(quote(name), `"`), nearest(name, known)))
		}
	}
	return faults
}

// randomSeed draws the seed of a run that was given none. It comes from the system, not from math/rand, so that two
// runs started in the same instant differ.
func randomSeed() (uint64, error) {
	var raw [8]byte
	if _, err := rand.Read(raw[:]); err != nil {
		return 0, fmt.Errorf("draw seed: %w", err)
	}
	return binary.LittleEndian.Uint64(raw[:]), nil
}
