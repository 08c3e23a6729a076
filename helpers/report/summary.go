package report

import (
	"fmt"
	"slices"
	"time"

	"streamgate/helpers/bundle"
	"streamgate/helpers/recovery"
)

// busyCPU is the share of the machine's processors from which on a recovery is flagged:
// beyond it the machine may be what was measured.
const busyCPU = 0.9

// arm is what a report says of one arm: medians over its valid recoveries.
type arm struct {
	recovery.Arm
	Recoveries int
	Time       time.Duration
	Download   time.Duration
	Bytes      int64
	Files      int
	// Best is the best possible time, 0 when it is not known.
	Best time.Duration
}

// arms summarises every arm of a run, in the order of the environment.
func arms(run bundle.Run) []arm {
	list := make([]arm, 0, len(run.Environment.Arms))
	for _, each := range run.Environment.Arms {
		list = append(list, summarise(run, each))
	}
	return list
}

func summarise(run bundle.Run, of recovery.Arm) arm {
	summary := arm{Arm: of}
	if best, ok := run.Environment.Best(of); ok {
		summary.Best = best.Time
	}
	var times, downloads []float64
	for _, r := range measured(run.Recoveries) {
		if r.Arm.Name != of.Name || len(r.Invalid) > 0 {
			continue
		}
		times = append(times, r.Total.Seconds())
		downloads = append(downloads, r.Download.Seconds())
		// Proven to be what every replica has to fetch, so the same for all.
		summary.Bytes, summary.Files = r.Evidence.DownloadedBytes, r.Evidence.WantFiles
	}
	summary.Recoveries = len(times)
	if len(times) > 0 {
		summary.Time, summary.Download = duration(bundle.Median(times)), duration(bundle.Median(downloads))
	}
	return summary
}

// rate is bytes per second, 0 without a recovery.
func (a arm) rate() float64 {
	if a.Time <= 0 {
		return 0
	}
	return float64(a.Bytes) / a.Time.Seconds()
}

// efficiency is the best possible time over the median time of the download, 0 when one is not
// known: see verdict.EfficiencyAtLeast.
func (a arm) efficiency() float64 {
	if a.Download <= 0 {
		return 0
	}
	return a.Best.Seconds() / a.Download.Seconds()
}

// parts splits an arm's time: what no download could save, what its download took beyond
// that, and what came before and after the download.
func (a arm) parts() (best, beyond, rest time.Duration) {
	download := min(a.Download, a.Time)
	best = min(a.Best, download)
	return best, download - best, a.Time - download
}

// measured are the recoveries without warm-ups.
func measured(recoveries []recovery.Recovery) []recovery.Recovery {
	return slices.DeleteFunc(slices.Clone(recoveries), func(r recovery.Recovery) bool { return r.WarmUp })
}

// clipUnproven bounds a line of what is unproven.
const clipUnproven = 300

// unproven is what goes wherever the outcome goes, a line each.
func unproven(run bundle.Run) []string {
	var list []string
	for _, line := range run.Verdict.Unproven {
		list = append(list, "unproven: "+clip(line, clipUnproven))
	}
	return list
}

// remarks are what a reader should know beside the verdict: an incomplete run, recoveries
// during which the machine was busy, a corpus that repeats itself.
func remarks(run bundle.Run) []string {
	var list []string
	if run.Incomplete != "" {
		list = append(list, run.Incomplete)
	}
	if remark := busyRemark(measured(run.Recoveries)); remark != "" {
		list = append(list, remark)
	}
	if times := run.Environment.Corpus.Repetitions; times > 1 {
		list = append(list, "the corpus is smaller than asked for: its posts were loaded "+count(times, "time", "times")+", with fresh ids")
	}
	if run.Environment.Link.NominalRateBytes > 0 && run.Environment.Link.Measured == nil {
		list = append(list, "the link was not measured: best possible times are those of its nominal rate")
	}
	return list
}

// busyRemark flags a machine that had nothing left to give; empty when it had.
func busyRemark(recoveries []recovery.Recovery) string {
	busy, most := 0, recovery.Recovery{}
	for _, r := range recoveries {
		if r.Evidence.CPU >= busyCPU {
			busy++
		}
		if r.Evidence.CPU > most.Evidence.CPU {
			most = r
		}
	}
	if busy == 0 {
		return ""
	}
	return fmt.Sprintf("the processors were %s busy or more in %d of %d recoveries (most in %s: %s): the machine may be what was measured",
		percent(busyCPU), busy, len(recoveries), recoveryName(most), percent(most.Evidence.CPU))
}

func duration(seconds float64) time.Duration {
	return time.Duration(seconds * float64(time.Second)).Round(time.Microsecond)
}
