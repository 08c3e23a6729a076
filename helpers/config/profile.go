package config

import (
	"strings"
	"time"
)

// Profile is the size of a run: what it loads, over which link, how often, and what it demands. It gives the value of
// each of its variables that the environment leaves unset. The tags are explained at Config.
type Profile struct {
	Name string `env:"STREAMGATE_PROFILE" means:"sizes, link, rounds and bound of the run" rule:"profile"`

	// CorpusBytes is the size of the documents as text; the index on disk is about as large.
	CorpusBytes int64 `env:"STREAMGATE_CORPUS_SIZE" means:"size of the corpus as text" min:"1MB" max:"1TB"`
	Segments    int   `env:"STREAMGATE_SEGMENTS" means:"segments the corpus is laid out in" min:"1" max:"1000"`

	// LinkRateBytes is bytes per second and connection.
	LinkRateBytes int64         `env:"STREAMGATE_LINK_RATE" means:"rate of the link to MinIO, per connection" per:"s" min:"100kB" max:"10GB"`
	LinkFirstByte time.Duration `env:"STREAMGATE_LINK_FIRST_BYTE" means:"delay the link adds before the first byte of an answer" min:"0s" max:"10s"`

	Rounds int `env:"STREAMGATE_ROUNDS" means:"measured recoveries of each arm" min:"1" max:"100"`
	// MinSpeedup is the least ratio of the arm single's time to the arm multi's.
	MinSpeedup float64 `env:"STREAMGATE_MIN_SPEEDUP" means:"how many times faster multi must be than single" above:"0" max:"1000"`
	DataNodes  int     `env:"STREAMGATE_DATA_NODES" means:"OpenSearch nodes that hold data" min:"2" max:"8"`
}

// Profiles are the profiles there are; the first is the default.
//
// Common to all: the link's rate makes the download, not the CPU, the slow part on 2 cores (unshaped, 8 streams gain
// only 1.35 there; shaped to 20 MB/s they gain 6). The first byte is not delayed, because a delay mostly punishes many
// small files and adds nothing to the ratio. The bound is the "almost 3x+", half of what that link shows, so
// that it is missed by a lost feature and not by a noisy machine. Two nodes are the primary's and the replica's.
var Profiles = []Profile{
	{
		Name: "quick",
		// One stream needs 10 s for it at the link's rate: long against the second of a recovery that is not download,
		// short enough to wait for at a laptop.
		CorpusBytes: 200_000_000,
		// Files of about 4 MB, 2 % of the total: the biggest file is a floor under the time of 8 streams, and must
		// stay well under an eighth of the whole for the streams to show.
		Segments:      50,
		LinkRateBytes: 20_000_000,
		LinkFirstByte: 0,
		// The least number of rounds of which "every round" means something; the whole suite ends within 4.5 min.
		Rounds:     3,
		MinSpeedup: 3.0,
		DataNodes:  2,
	},
	{
		Name:          "ci",
		CorpusBytes:   200_000_000,
		Segments:      50,
		LinkRateBytes: 20_000_000,
		LinkFirstByte: 0,
		// The least at which an exact signed-rank test can pass its first look: all six agreeing is 1/64 < 0.05/3.
		Rounds:     6,
		MinSpeedup: 3.0,
		DataNodes:  2,
	},
	{
		Name: "full",
		// Five times quick: recoveries of most of a minute, in which start-up costs vanish and slow drifts show.
		CorpusBytes: 1_000_000_000,
		// Files of about 17 MB: like those of a real shard, still under 2 % of the total.
		Segments:      60,
		LinkRateBytes: 20_000_000,
		LinkFirstByte: 0,
		// The last look of the sequential test. Longer than 10 min: needs go test -timeout.
		Rounds:     12,
		MinSpeedup: 3.0,
		DataNodes:  2,
	},
}

// profileNamed finds a profile; an empty name is the default's.
func profileNamed(name string) (Profile, bool) {
	if name == "" {
		return Profiles[0], true
	}
	for _, p := range Profiles {
		if p.Name == name {
			return p, true
		}
	}
	return Profile{}, false
}

// profileNames lists the profiles for messages.
func profileNames() string {
	var names []string
	for _, p := range Profiles {
		names = append(names, p.Name)
	}
	return strings.Join(names, ", ")
}
