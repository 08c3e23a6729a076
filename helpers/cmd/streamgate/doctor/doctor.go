// Package doctor says whether streamgate can work on a machine, and what to do where it cannot.
//
// Look gathers facts, Judge makes findings of them; so what is said of a machine without an
// engine is tested without such a machine. Nothing is changed, nothing is started, and no
// host is dialled: whether an image registry answers is a question to the engine.
//
// What does not belong here: printing (the command), and everything that makes a machine
// ready (docker/).
package doctor

import (
	"time"

	"streamgate/fixtures/engine"
	"streamgate/helpers/config"
)

// State is the word in front of a finding.
type State string

// The states there are.
const (
	OK      State = "ok"
	Warning State = "warning" // streamgate works, with a drawback
	Stop    State = "stop"    // streamgate cannot work
)

// Finding is one line of the doctor.
type Finding struct {
	Check string `json:"check"`
	State State  `json:"state"`
	Found string `json:"found"`
	// Advice says what to do; empty when all is well.
	Advice string `json:"advice,omitempty"`
}

// unknown is a number that cannot be read here.
const unknown int64 = -1

// Facts are what Judge has to know of a machine. Numbers that cannot be read are -1.
type Facts struct {
	Config      config.Config
	ConfigFault error
	// RepositoryFault is why the repository, whose files the images are made of, is not found.
	RepositoryFault error

	Engine Engine
	Images Images

	OutFreeBytes    int64 // of the folder for bundles
	MemoryFreeBytes int64 // available, without swapping
	Cores           int
	Loopback        error // why nothing can listen on 127.0.0.1

	MaxMapCount int64 // vm.max_map_count
	OpenFiles   int64 // the hard limit of a process

	Root bool
}

// Engine is the container engine. With a Fault the rest is not known, but for an API version
// that is too old.
type Engine struct {
	Fault      error
	Name       string
	Version    string
	APIVersion string
	FreeBytes  int64 // where it keeps images and containers
	Leftovers  []engine.Leftover
}

// Images are those of a run.
type Images struct {
	Fault   error
	Missing []string
	// Base is true when there is an image to build on.
	Base bool
	// Registry is why no registry answers the engine; nil also when it was not asked, since
	// nothing is to be fetched.
	Registry error
	Asked    bool
}

// Worst is the state that decides: stop before warning before ok.
func Worst(findings []Finding) State {
	worst := OK
	for _, f := range findings {
		if f.State == Stop || worst == OK {
			worst = f.State
		}
		if worst == Stop {
			break
		}
	}
	return worst
}

// lookLimit bounds each question that Look asks; together they take seconds.
const lookLimit = 5 * time.Second
