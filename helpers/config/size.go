package config

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/docker/go-units"
)

// sizePattern is stricter than go-units in one thing that matters: "Mb" with a capital M is refused, because it is the
// usual sign for megabits and a link eight times too fast would be taken in silence. "mb", as OpenSearch writes bytes,
// is fine.
var sizePattern = regexp.MustCompile(`^[0-9]+(\.[0-9]+)? ?([kKMGT](i?B)?|[kmgt](i?b)?|B|b)?$`)

// sizeUnits are the units that formatSize may choose, biggest first.
var sizeUnits = []struct {
	name  string
	bytes int64
}{
	{"TiB", units.TiB}, {"TB", units.TB},
	{"GiB", units.GiB}, {"GB", units.GB},
	{"MiB", units.MiB}, {"MB", units.MB},
	{"KiB", units.KiB}, {"kB", units.KB},
}

// Bytes reads a size as the environment has it, such as 200MB or 1GiB.
func Bytes(text string) (int64, error) { return parseSize(text) }

// parseSize reads a byte count for people: kB, MB, GB, TB are powers of 1000, and KiB, MiB, GiB, TiB of 1024.
func parseSize(text string) (int64, error) {
	if !sizePattern.MatchString(text) {
		return 0, fmt.Errorf("not a size: %q", text)
	}
	// go-units has one function per family of units and each takes the other family's names for its own.
	if strings.Contains(text, "i") {
		return units.RAMInBytes(text)
	}
	return units.FromHumanSize(text)
}

// formatSize writes a byte count exactly, in the biggest unit that divides it, so that parseSize gives it back.
// (units.HumanSize rounds to four digits: a printed setting could not be used to repeat a run.)
func formatSize(bytes int64) string {
	for _, unit := range sizeUnits {
		if bytes != 0 && bytes%unit.bytes == 0 {
			return fmt.Sprintf("%d%s", bytes/unit.bytes, unit.name)
		}
	}
	return fmt.Sprintf("%dB", bytes)
}
