package bundle

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"streamgate/helpers/config"
	"streamgate/helpers/recovery"
	"streamgate/helpers/verdict"
)

// A bundle says many things twice. What is checked here finds honest mistakes, a file that was edited
// in one place and bits that flipped. It is no signature: whoever makes all places agree has written
// another run.

// sameNumber is how far two ways to compute one number may lie apart, as a share of it.
const sameNumber = 1e-6

func same(a, b float64) bool { return math.Abs(a-b) <= sameNumber*max(math.Abs(a), math.Abs(b)) }

// checkSettings holds what was asked against the settings that it came from.
func checkSettings(e Environment) error {
	settings := map[string]config.Setting{}
	for _, s := range e.Settings {
		if _, twice := settings[s.Variable]; twice {
			return fmt.Errorf("setting %s is there twice", s.Variable)
		}
		settings[s.Variable] = s
	}
	for _, claim := range e.Claims {
		if err := checkLimit(claim, settings); err != nil {
			return err
		}
	}
	if s, ok := settings["STREAMGATE_SEED"]; ok && s.Value != strconv.FormatUint(e.Seed, 10) {
		return fmt.Errorf("the seed is %d, its setting says %s", e.Seed, s.Value)
	}
	if s, ok := settings["STREAMGATE_PROFILE"]; ok && s.Value != "" && s.Value != e.Profile {
		return fmt.Errorf("the profile is %s, its setting says %s", e.Profile, s.Value)
	}
	if s, ok := settings["STREAMGATE_LINK_RATE"]; ok && s.Value != "" && !e.Link.Unknown {
		rate, err := config.Bytes(strings.TrimSuffix(s.Value, "/s"))
		if err != nil || rate != e.Link.NominalRateBytes {
			return fmt.Errorf("the link's nominal rate is %d B/s, its setting says %s", e.Link.NominalRateBytes, s.Value)
		}
	}
	return nil
}

// checkLimit holds a claim's limit against the setting that its origin names, if it names one:
// "profile quick, STREAMGATE_MIN_SPEEDUP".
func checkLimit(claim verdict.Claim, settings map[string]config.Setting) error {
	source, variable, named := strings.Cut(claim.Origin, ", ")
	if !named || !strings.HasPrefix(variable, "STREAMGATE_") {
		return nil
	}
	setting, ok := settings[variable]
	switch limit, err := strconv.ParseFloat(setting.Value, 64); {
	case !ok:
		return fmt.Errorf("claim %q has its limit from %s, which is not among the settings", claim.Name, variable)
	case err != nil || limit != claim.Limit:
		return fmt.Errorf("claim %q has the limit %g, %s says %s", claim.Name, claim.Limit, variable, setting.Value)
	case setting.Source != source:
		return fmt.Errorf("claim %q has its limit from %q, %s has its value from %q", claim.Name, source, variable, setting.Source)
	}
	return nil
}

// checkBest holds the best possible values of the claims against files, link and streams.
func checkBest(e Environment) error {
	for _, claim := range e.Claims {
		value, known := bestOf(e, claim)
		switch {
		case claim.BestSeconds != 0 && (!known || !same(claim.BestSeconds, value)):
			return fmt.Errorf("claim %q is about a best possible time of %g s, files, link and streams give %g s", claim.Name, claim.BestSeconds, value)
		case claim.BestSeconds != 0 && claim.BestPossible != 1:
			return fmt.Errorf("claim %q has a best possible efficiency of %g, it is 1", claim.Name, claim.BestPossible)
		case claim.BestSeconds == 0 && claim.BestPossible != 0 && (!known || !same(claim.BestPossible, value)):
			return fmt.Errorf("claim %q has a best possible value of %g, files, link and streams give %g", claim.Name, claim.BestPossible, value)
		}
	}
	return nil
}

// bestOf is the product of a claim's terms at the arms' best possible times, in seconds for the one
// arm of an efficiency.
func bestOf(e Environment, claim verdict.Claim) (float64, bool) {
	value := 1.0
	for _, term := range claim.Terms {
		arm, _ := e.Arm(term.Arm)
		best, known := e.Best(arm)
		if !known || best.Time <= 0 {
			return 0, false
		}
		power := float64(term.Power)
		if claim.BestSeconds != 0 {
			power = -power
		}
		value *= math.Pow(best.Time.Seconds(), power)
	}
	return value, true
}

// checkClocks holds the times of a recovery against each other and against its samples. Two samples
// between which bytes came lie within the recovery.
func checkClocks(r recovery.Recovery) error {
	progress := r.Evidence.Progress
	if span := recovery.Span(progress); span != r.Download {
		return fmt.Errorf("download is %v, its samples span %v", r.Download, span)
	}
	if len(progress) == 0 {
		return nil
	}
	var first, last time.Duration
	seen, end := false, progress[len(progress)-1].Bytes
	for _, point := range progress {
		if point.Bytes > 0 && !seen {
			first, seen = point.After, true
		}
		if point.Bytes < end {
			last = point.After
		}
	}
	if seen && last-first > r.Total {
		return fmt.Errorf("total is %v, but bytes came for at least %v", r.Total, last-first)
	}
	return nil
}

// Slack for what a proven recovery must have.
const (
	// concurrencySlack is for the end of the span, which is up to a sample too short.
	concurrencySlack = 1.25
	// sampledFor is how long a recovery takes at least of which samples must tell the most.
	sampledFor = time.Second
)

// checkProven holds a valid recovery against what its proof implies.
func checkProven(environment Environment, r recovery.Recovery) error {
	e := r.Evidence
	var reached int64
	if n := len(e.Progress); n > 0 {
		reached = e.Progress[n-1].Bytes
	}
	switch {
	case reached > e.WantBytes:
		return fmt.Errorf("progress reaches %d bytes, the files have %d", reached, e.WantBytes)
	case r.Total >= sampledFor && reached < e.WantBytes/2:
		return fmt.Errorf("progress reaches %d of %d bytes in %v", reached, e.WantBytes, r.Total)
	case environment.Target != nil:
		return nil
	case e.Store != nil && e.Store.Gets < int64(e.WantFiles):
		return fmt.Errorf("the store counted %d GETs, there are %d files", e.Store.Gets, e.WantFiles)
	case e.PoolFiles < int64(e.WantFiles):
		return fmt.Errorf("the pool finished %d files, there are %d", e.PoolFiles, e.WantFiles)
	case e.FilesRead < e.Segments:
		return fmt.Errorf("%d files were read, there are %d segments", e.FilesRead, e.Segments)
	case e.Threads > 0 && e.Concurrency*r.Download.Seconds() > concurrencySlack*float64(e.Threads)*r.Total.Seconds():
		return fmt.Errorf("concurrency is %g, with %d streams in %v", e.Concurrency, e.Threads, r.Total)
	}
	return nil
}

// checkOrder holds the order of the arms against the seed, where the bundle says how they were
// ordered. Warm-ups have the order of the arms.
func checkOrder(environment Environment, recoveries []recovery.Recovery) error {
	if environment.Order == "" {
		return nil // from before the order was kept
	}
	if environment.Order != recovery.Mirrored {
		return fmt.Errorf("%s: the arms are ordered %q, allowed is %s", EnvironmentFile, environment.Order, recovery.Mirrored)
	}
	place := map[int]int{}
	for i, r := range recoveries {
		order := environment.Arms
		if r.Round > 0 {
			order = recovery.Order(environment.Arms, environment.Seed, r.Round)
		}
		at := place[r.Round]
		place[r.Round]++
		if at >= len(order) || order[at].Name != r.Arm.Name {
			return fmt.Errorf("%s line %d: round %d, arm %s: the seed has another order of the arms", RecoveriesFile, i+1, r.Round, r.Arm.Name)
		}
	}
	return nil
}
