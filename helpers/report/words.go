package report

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/docker/go-units"

	"streamgate/helpers/bundle"
	"streamgate/helpers/recovery"
	"streamgate/helpers/verdict"
)

// unknown stands for a number that is not there.
const unknown = "–"

// seconds writes a time in seconds, to the millisecond that OpenSearch measures in.
func seconds(d time.Duration) string {
	if d <= 0 {
		return unknown
	}
	return strconv.FormatFloat(d.Seconds(), 'f', 3, 64) + " s"
}

// size writes bytes with decimal units.
func size(bytes float64) string {
	if bytes <= 0 {
		return unknown
	}
	return units.CustomSize("%.4g %s", bytes, 1000, []string{"B", "kB", "MB", "GB", "TB", "PB"})
}

func rate(bytesPerSecond float64) string {
	if bytesPerSecond <= 0 {
		return unknown
	}
	return size(bytesPerSecond) + "/s"
}

func percent(share float64) string {
	if share <= 0 {
		return unknown
	}
	return strconv.FormatFloat(100*share, 'f', 0, 64) + " %"
}

// figure writes a number of the verdict. A number that is not the limit never looks like
// it: it gets as many digits as that takes, up to the six it has.
func figure(number *float64, limit float64) string {
	if number == nil {
		return unknown
	}
	for digits := 3; digits < 6; digits++ {
		if text := plain(*number, digits); *number == limit || text != plain(limit, digits) {
			return text
		}
	}
	return plain(*number, 6)
}

// plain writes a number with that many significant digits and no exponent.
func plain(x float64, digits int) string {
	short, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', digits, 64), 64)
	if err != nil {
		short = x
	}
	return strconv.FormatFloat(short, 'f', -1, 64)
}

// demand writes what a claim asks for: "at least 3".
func demand(claim verdict.Claim) string {
	words := "at least "
	if claim.Direction == verdict.AtMost {
		words = "at most "
	}
	return words + plain(claim.Limit, 6)
}

// interval writes the bounds of a result: "5.61 to 6.02".
func interval(r verdict.Result) string {
	if r.Lower == nil || r.Upper == nil {
		return unknown
	}
	return figure(r.Lower, r.Claim.Limit) + " to " + figure(r.Upper, r.Claim.Limit)
}

// best writes the best possible value of a claim.
func best(claim verdict.Claim) string {
	if claim.BestPossible == 0 {
		return unknown
	}
	return plain(claim.BestPossible, 3)
}

// ofBest writes the share of the best possible value that was reached. For an efficiency
// that is the efficiency itself, and not said twice.
func ofBest(r verdict.Result) string {
	if r.OfBest == nil || r.Claim.BestSeconds != 0 {
		return unknown
	}
	return percent(*r.OfBest)
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func streams(arm recovery.Arm) string {
	if arm.Streams == 0 {
		return "the node's"
	}
	return strconv.Itoa(arm.Streams)
}

// recoveryName is how a recovery is spoken of.
func recoveryName(r recovery.Recovery) string {
	if r.WarmUp {
		return "warm-up, arm " + r.Arm.Name
	}
	return fmt.Sprintf("round %d, arm %s", r.Round, r.Arm.Name)
}

// headline is the run in one line.
func headline(run bundle.Run) string {
	e := run.Environment
	return clip(fmt.Sprintf("%s, profile %s, %s, OpenSearch %s", e.Suite, clip(e.Profile, 40),
		count(run.Verdict.Rounds, "round", "rounds"), clip(versions(e), 60)), 160)
}

// versions are the OpenSearch of the first stack, and of those beside it by their names.
func versions(e bundle.Environment) string {
	words := orUnknown(e.OpenSearch)
	for _, s := range e.Stacks {
		words += ", " + s.Name + " " + orUnknown(s.OpenSearch)
	}
	return words
}

func orUnknown(text string) string {
	if text == "" {
		return unknown
	}
	return text
}

// clip makes a text of others fit into a line: one line, printable, at most so many runes.
func clip(text string, most int) string {
	// A rune has at most four bytes: what lies beyond can be cut without a look at it.
	if bytes := utf8.UTFMax * most; len(text) > bytes+utf8.UTFMax {
		text = strings.ToValidUTF8(text[:bytes+utf8.UTFMax], "")
	}
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r):
			return -1
		}
		return r
	}, text)
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}
