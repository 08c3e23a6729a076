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

// What the delay before the first byte may be off the one asked for. The measured one is the least of
// 20 requests and goes into the bound, so one that is too long would make the best possible time too
// long, and with it a slow recovery efficient.
const (
	// firstByteEarly is what may be missing: Toxiproxy counts whole milliseconds, and drops the rest.
	firstByteEarly = time.Millisecond
	// firstByteLate is what network and store may add: 1.2 to 3.1 ms were measured on two cores, the most
	// with eight more jobs on them. Ten, for each of 50 files on 8 streams, are 3 % of the quick profile's
	// best possible time: less than the rate may be off.
	firstByteLate = 10 * time.Millisecond
	// headBytes come ahead of the first byte of an answer, at the link's rate.
	headBytes = 1000
)

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
	if l.Measured == nil {
		return nil
	}
	return append(l.rateFaults(), l.firstByteFaults()...)
}

const linkMeaning = "the machine, not OpenSearch, is being measured"

func (l Link) rateFaults() []string {
	if l.NominalRateBytes == 0 {
		return nil
	}
	var faults []string
	for _, found := range []struct {
		connections int
		rate        float64
	}{{1, l.Measured.RateAlone}, {l.Measured.Connections, l.Measured.RateEach}} {
		nominal := float64(l.NominalRateBytes)
		if math.Abs(found.rate/nominal-1) > rateTolerance {
			faults = append(faults, fmt.Sprintf("link: with %d at once, a connection carries %.2f MB/s, nominal are %.2f MB/s, allowed is %.0f %% off: %s",
				found.connections, found.rate/1e6, nominal/1e6, 100*rateTolerance, linkMeaning))
		}
	}
	if together := float64(l.Measured.Connections) * l.Measured.RateEach; together >= l.Measured.Unshaped {
		faults = append(faults, fmt.Sprintf("link: %d connections carry %.1f MB/s together, the unshaped path carries %.1f MB/s: %s",
			l.Measured.Connections, together/1e6, l.Measured.Unshaped/1e6, linkMeaning))
	}
	return faults
}

func (l Link) firstByteFaults() []string {
	if l.NominalRateBytes == 0 && l.NominalFirstByte == 0 {
		return nil
	}
	least, most := max(l.NominalFirstByte-firstByteEarly, 0), l.NominalFirstByte+firstByteLate
	if l.NominalRateBytes > 0 {
		most += time.Duration(headBytes * float64(time.Second) / float64(l.NominalRateBytes))
	}
	if found := l.Measured.FirstByte; found < least || found > most {
		return []string{fmt.Sprintf("link: the first byte comes after %v, nominal are %v, allowed are %v to %v: %s",
			found.Round(time.Microsecond), l.NominalFirstByte, least, most.Round(time.Microsecond), linkMeaning)}
	}
	return nil
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
