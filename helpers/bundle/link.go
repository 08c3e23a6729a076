package bundle

import (
	"errors"
	"fmt"
	"math"
	"time"

	"streamgate/helpers/bound"
)

// rateTolerance is how far the measured rate of a connection may be off the nominal one.
// Beyond it the link is not the one that the bound and the claims were made for.
const rateTolerance = 0.05

// Link is the path from the nodes to MinIO, as it was asked for and as it was found.
type Link struct {
	// NominalRateBytes is the rate asked for, in bytes per second and connection; 0 when
	// the link is not shaped.
	NominalRateBytes int64         `json:"nominal_rate_bytes_per_second"`
	NominalFirstByte time.Duration `json:"nominal_first_byte_ns"`
	// Unknown says that nobody shaped or measured it: that of a cluster of others.
	Unknown bool `json:"unknown,omitempty"`
	// Measured is what plain GETs found before the rounds; nil when nobody measured.
	Measured *Calibration `json:"measured,omitempty"`
}

// Calibration is what plain GETs through the link found. Rates are in bytes per second.
type Calibration struct {
	// RateAlone is the rate of one connection on its own.
	RateAlone float64 `json:"rate_alone_bytes_per_second"`
	// Connections is k, RateEach the rate of each connection with k at once.
	Connections int     `json:"connections"`
	RateEach    float64 `json:"rate_each_bytes_per_second"`
	// Unshaped is what the path carries with k connections and no rate limit.
	Unshaped float64 `json:"unshaped_bytes_per_second"`
	// FirstByte is from a request to the first byte of its answer.
	FirstByte time.Duration `json:"first_byte_ns"`
}

// Bound is the link as helpers/bound wants it. Of the two measured rates it takes the
// larger one, so that the best possible time stays a bound.
func (l Link) Bound() bound.Link {
	if l.Measured == nil {
		return bound.Link{RateBytes: float64(l.NominalRateBytes), FirstByte: l.NominalFirstByte}
	}
	return bound.Link{RateBytes: max(l.Measured.RateAlone, l.Measured.RateEach), FirstByte: l.Measured.FirstByte}
}

// Faults says why numbers measured through this link cannot be judged: it is slower or
// faster than nominal, or the machine and not the link is what holds the streams back.
// Nothing when the link was not measured or not shaped.
func (l Link) Faults() []string {
	if l.Measured == nil || l.NominalRateBytes == 0 {
		return nil
	}
	const meaning = "the machine, not OpenSearch, is being measured"
	var faults []string
	for _, found := range []struct {
		connections int
		rate        float64
	}{{1, l.Measured.RateAlone}, {l.Measured.Connections, l.Measured.RateEach}} {
		nominal := float64(l.NominalRateBytes)
		if math.Abs(found.rate/nominal-1) > rateTolerance {
			faults = append(faults, fmt.Sprintf("link: with %d at once, a connection carries %.2f MB/s, nominal are %.2f MB/s, allowed is %.0f %% off: %s",
				found.connections, found.rate/1e6, nominal/1e6, 100*rateTolerance, meaning))
		}
	}
	if together := float64(l.Measured.Connections) * l.Measured.RateEach; together >= l.Measured.Unshaped {
		faults = append(faults, fmt.Sprintf("link: %d connections carry %.1f MB/s together, the unshaped path carries %.1f MB/s: %s",
			l.Measured.Connections, together/1e6, l.Measured.Unshaped/1e6, meaning))
	}
	return faults
}

func (l Link) validate() error {
	if l.NominalRateBytes < 0 || l.NominalFirstByte < 0 {
		return fmt.Errorf("link has a nominal rate of %d B/s and first byte of %v, allowed are 0 and more", l.NominalRateBytes, l.NominalFirstByte)
	}
	m := l.Measured
	if l.Unknown && (m != nil || l.NominalRateBytes != 0 || l.NominalFirstByte != 0) {
		return errors.New("link is unknown and has numbers all the same")
	}
	if m == nil {
		return nil
	}
	for _, rate := range []float64{m.RateAlone, m.RateEach, m.Unshaped} {
		if !(rate > 0) || math.IsInf(rate, 1) {
			return fmt.Errorf("link was measured at %g B/s, allowed are finite rates above 0", rate)
		}
	}
	if m.Connections < 1 || m.FirstByte < 0 {
		return fmt.Errorf("link was measured with %d connections and a first byte of %v, allowed are 1 and more, 0 and more", m.Connections, m.FirstByte)
	}
	return nil
}
