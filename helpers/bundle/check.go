package bundle

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"time"

	"streamgate/helpers/recovery"
)

const (
	// clockSlack is what a clock may be set back while a run goes on.
	clockSlack = 2 * time.Second
	// longestWall is longer than a recovery that anyone waits for.
	longestWall = 7 * 24 * time.Hour
	// maxConcurrency is more than the streams that an arm can have.
	maxConcurrency = 1000
)

// check finds numbers that contradict each other. Its errors name the line of
// recoveries.ndjson.
func check(environment Environment, recoveries []recovery.Recovery) error {
	if err := cmp.Or(environment.Validate(), checkSettings(environment)); err != nil {
		return fmt.Errorf("%s: %w", EnvironmentFile, err)
	}
	if len(recoveries) > 0 && len(environment.Files) == 0 {
		return fmt.Errorf("%s: no remote files, but %s has recoveries", EnvironmentFile, RecoveriesFile)
	}
	if len(recoveries) > 0 && environment.Target == nil && environment.Link.NominalRateBytes > 0 && environment.Link.Measured == nil {
		return fmt.Errorf("%s: the link was not measured, but %s has recoveries", EnvironmentFile, RecoveriesFile)
	}
	previous := environment.Start // the end of what came ahead
	for i, r := range recoveries {
		err := checkRecovery(environment, r)
		if err == nil && r.Start.Before(previous.Add(-clockSlack)) {
			err = fmt.Errorf("starts at %s, before what came ahead of it has ended", r.Start.Format(time.RFC3339Nano))
		}
		if err != nil {
			return fmt.Errorf("%s line %d: round %d, arm %s: %w", RecoveriesFile, i+1, r.Round, r.Arm.Name, err)
		}
		previous = r.Start.Add(r.Wall)
	}
	if err := cmp.Or(checkRounds(environment, recoveries), checkOrder(environment, recoveries)); err != nil {
		return err
	}
	if err := checkBest(environment); err != nil { // last: files and link have been looked at
		return fmt.Errorf("%s: %w", EnvironmentFile, err)
	}
	return nil
}

// checkRecovery holds one recovery against its environment and against itself.
func checkRecovery(environment Environment, r recovery.Recovery) error {
	arm, ok := environment.Arm(r.Arm.Name)
	switch {
	case !ok:
		return fmt.Errorf("%s has no such arm", EnvironmentFile)
	case arm.Streams != r.Arm.Streams || !maps.Equal(arm.Settings, r.Arm.Settings):
		return fmt.Errorf("the arm has other streams or settings in %s", EnvironmentFile)
	case r.WarmUp != (r.Round == 0):
		return errors.New("round 0 and only round 0 is the warm-up")
	case r.Round < 0 || r.Round > environment.Looks.Last():
		return fmt.Errorf("the plan ends at round %d", environment.Looks.Last())
	}
	// The first contradiction is enough: others often follow from it.
	if err := cmp.Or(checkTimes(r), checkEvidence(environment, r), checkProgress(r), checkClocks(r)); err != nil {
		return err
	}
	// Whoever measured may know of more faults than the evidence shows, never of fewer.
	if faults := recovery.Prove(r.Arm, r.Evidence); len(faults) > 0 && len(r.Invalid) == 0 {
		return fmt.Errorf("not marked invalid, but its evidence says: %s", faults[0])
	}
	if missing := missingProof(environment, r.Evidence); missing != "" && len(r.Invalid) == 0 {
		return fmt.Errorf("not marked invalid, but its evidence lacks %s", missing)
	}
	if len(r.Invalid) > 0 {
		return nil
	}
	return checkProven(environment, r)
}

// missingProof names a part of the proof that is not there. On a stack of our own nothing is out of
// reach, and what is not there was not looked at; on a target it is what Unproven lists.
func missingProof(environment Environment, e recovery.Evidence) string {
	switch {
	case environment.Corpus.Documents > 0 && e.PrimaryDocuments != environment.Corpus.Documents:
		return fmt.Sprintf("documents: the corpus has %d, the primary %d", environment.Corpus.Documents, e.PrimaryDocuments)
	case environment.Target != nil:
		return ""
	case !e.LogRead:
		return "the log of the node that downloaded"
	case e.Store == nil:
		return "what the store counted"
	case e.FilesRead == 0:
		return "the files on the disks"
	case e.Segments == 0:
		return "the segments"
	}
	return ""
}

func checkTimes(r recovery.Recovery) error {
	switch {
	case r.Total < 0 || r.Wall < 0 || r.Download < 0:
		return fmt.Errorf("times are %v, %v and %v, allowed are 0 and more", r.Total, r.Wall, r.Download)
	case r.Total == 0 && len(r.Invalid) == 0:
		return errors.New("a recovery that took no time is not marked invalid")
	case r.Wall > longestWall:
		return fmt.Errorf("wall is %v, allowed are at most %v", r.Wall, longestWall)
	case r.Total > r.Wall:
		return fmt.Errorf("total %v is longer than wall %v", r.Total, r.Wall)
	case r.Download > r.Wall:
		return fmt.Errorf("download %v is longer than wall %v", r.Download, r.Wall)
	}
	return nil
}

func checkEvidence(environment Environment, r recovery.Recovery) error {
	listed, _ := environment.On(r.Arm.Name)
	e, files, bytes := r.Evidence, len(listed), recovery.Sum(listed)
	switch {
	case e.WantFiles != files || e.WantBytes != bytes:
		return fmt.Errorf("wants %d files of %d bytes, %s lists %d of %d", e.WantFiles, e.WantBytes, EnvironmentFile, files, bytes)
	case e.CPU < 0 || e.CPU > 1:
		return fmt.Errorf("cpu is %g, allowed are 0 to 1", e.CPU)
	case e.Concurrency < 0 || e.Concurrency > maxConcurrency:
		return fmt.Errorf("concurrency is %g, allowed are 0 to %d", e.Concurrency, maxConcurrency)
	}
	counts := []int64{
		e.DownloadedBytes, e.FailedBytes, e.PeerFiles, e.PeerBytes, e.PrimaryDocuments, e.ReplicaDocuments,
		e.Merges, e.PoolFiles, int64(e.PoolLargest), int64(e.Threads), int64(e.Segments), int64(e.FilesRead),
	}
	if e.Store != nil {
		counts = append(counts, e.Store.Gets, e.Store.SentBytes)
	}
	for _, count := range counts {
		if count < 0 {
			return fmt.Errorf("the evidence counts %d, allowed are 0 and more", count)
		}
	}
	return nil
}

// checkProgress wants samples that go forward, within the recovery.
func checkProgress(r recovery.Recovery) error {
	var last recovery.Point
	for i, point := range r.Evidence.Progress {
		if point.After < last.After || point.Bytes < last.Bytes || point.After > r.Wall {
			return fmt.Errorf("progress sample %d has %d bytes after %v: it goes back, or lies after the end", i+1, point.Bytes, point.After)
		}
		last = point
	}
	return nil
}

// checkRounds wants every arm once in every round but the last, which a kill may have cut; the
// warm-up is round 0.
func checkRounds(environment Environment, recoveries []recovery.Recovery) error {
	type place struct {
		round int
		arm   string
	}
	seen := map[place]bool{}
	last := 0
	for _, r := range recoveries {
		at := place{r.Round, r.Arm.Name}
		if seen[at] {
			return fmt.Errorf("%s: round %d has two recoveries of arm %s", RecoveriesFile, r.Round, r.Arm.Name)
		}
		if r.Round < last {
			return fmt.Errorf("%s: round %d comes after round %d", RecoveriesFile, r.Round, last)
		}
		seen[at], last = true, r.Round
	}
	for round := range last {
		for _, arm := range environment.Arms {
			if !seen[place{round, arm.Name}] {
				return fmt.Errorf("%s: round %d is there, but round %d has no recovery of arm %s", RecoveriesFile, last, round, arm.Name)
			}
		}
	}
	return nil
}
