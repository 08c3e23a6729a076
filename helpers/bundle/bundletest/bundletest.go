// Package bundletest makes runs that never happened, for the tests of whatever reads a
// bundle: two arms, six rounds, numbers like those of a run on two cores. The same call
// always gives the same run.
//
// What does not belong here: anything that code outside of tests needs.
package bundletest

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"time"

	"streamgate/helpers/bundle"
	"streamgate/helpers/config"
	"streamgate/helpers/recovery"
	"streamgate/helpers/verdict"
)

const (
	// Rounds is how many rounds Run has.
	Rounds = 6

	rateBytes     = 11_000_000
	documents     = 212_345
	files         = 52
	notDownload   = 900 * time.Millisecond
	sampleEvery   = 100 * time.Millisecond
	betweenRounds = 40 * time.Second
)

var start = time.Date(2026, 11, 30, 19, 0, 0, 0, time.UTC)

// Run is a complete run that passes.
func Run() bundle.Run {
	run := bundle.Run{
		Dir:         filepath.Join("out", "20261130T190000Z-multistream-7f3a2c"),
		Environment: Environment(), Recoveries: Recoveries(Rounds),
	}
	run.Verdict = Judge(run)
	return run
}

// OnTarget is Run on a cluster that was there already: its link is not known, so that only the
// speed-up is judged, and its log, its disks and its store's count were out of reach.
func OnTarget() bundle.Run {
	run := Run()
	e := &run.Environment
	e.Link, e.Images, e.Engine = bundle.Link{Unknown: true}, nil, bundle.Engine{}
	e.Target = &bundle.Target{DataNodes: 3}
	e.Unproven = []string{"how many streams a download really had: the node's log would say", "how many bytes the store has sent"}
	e.Settings = slices.DeleteFunc(e.Settings, func(s config.Setting) bool { return s.Variable == "STREAMGATE_LINK_RATE" })
	e.Claims = e.Claims[:1]
	e.Claims[0].BestPossible = 0
	for i := range run.Recoveries {
		evidence := &run.Recoveries[i].Evidence
		evidence.Store, evidence.LogRead, evidence.Threads, evidence.FilesRead, evidence.CPU = nil, false, 0, 0, 0
	}
	run.Verdict = Judge(run)
	return run
}

// Judge is bundle.Judge for runs that must make sense; it panics when one does not.
func Judge(run bundle.Run) verdict.Verdict {
	judged, err := bundle.Judge(run.Environment, run.Recoveries)
	if err != nil {
		panic(err)
	}
	return judged
}

// Environment is that of Run.
func Environment() bundle.Environment {
	e := bundle.Environment{
		SchemaVersion: bundle.SchemaVersion,
		Suite:         "multistream", RunID: "7f3a2c", Start: start,
		Profile: "quick", Seed: 20261130, Order: recovery.Mirrored,
		Settings: []config.Setting{
			{Variable: "STREAMGATE_PROFILE", Value: "quick", Source: "default"},
			{Variable: "STREAMGATE_CORPUS_SIZE", Value: "200MB", Source: "profile quick"},
			{Variable: "STREAMGATE_LINK_RATE", Value: "11MB/s", Source: "environment"},
			{Variable: "STREAMGATE_MIN_SPEEDUP", Value: "3", Source: "profile quick"},
			{Variable: "STREAMGATE_MIN_EFFICIENCY", Value: "0.6", Source: "profile quick"},
			{Variable: "STREAMGATE_SEED", Value: "20261130", Source: "environment"},
		},
		Arms:  []recovery.Arm{recovery.Unlimited("single", 1), recovery.Unlimited("multi", 8)},
		Looks: verdict.DefaultLooks(),
		Files: remoteFiles(),
		Corpus: bundle.Corpus{
			Name: "generated", Documents: documents, RawBytes: 200_000_417, Repetitions: 1,
			SHA256: "4d1f5e0c7b0b6a1d9a53c2e8f7b6a5d4c3b2a190f8e7d6c5b4a3928170f6e5d4",
		},
		Link: bundle.Link{
			NominalRateBytes: rateBytes,
			Measured: &bundle.Calibration{
				RateAlone: 11_020_000, Connections: 8, RateEach: 10_940_000, Unshaped: 158_000_000,
				FirstByte: 1400 * time.Microsecond,
			},
		},
		Images: map[string]bundle.Image{
			"opensearch": {Reference: "streamgate/opensearch:9d2c41", Digest: "sha256:9d2c41aa"},
			"minio":      {Reference: "streamgate/minio:51b7e0", Digest: "sha256:51b7e0bb"},
			"toxiproxy":  {Reference: "streamgate/toxiproxy:77aa10", Digest: "sha256:77aa10cc"},
		},
		OpenSearch: "3.8.0",
		Engine:     bundle.Engine{Name: "Docker Engine", Version: "26.1.5"},
		Machine: bundle.Host{
			CPUModel: "Example CPU @ 2.60GHz", Cores: 2, MemoryBytes: 25_244_000_000, Kernel: "6.1.0",
			System: "linux/amd64", Go: "go1.26.8", Commit: "0123456789abcdef0123456789abcdef01234567",
		},
	}
	e.Claims = claims(e)
	return e
}

// Slow makes a recovery of Run take so many times as long, all of it in the download, and lets its
// samples tell of that.
func Slow(r *recovery.Recovery, times float64) {
	stretch := 1 + (times-1)*r.Total.Seconds()/r.Download.Seconds()
	begin := r.Evidence.Progress[0].After
	for i, point := range r.Evidence.Progress {
		r.Evidence.Progress[i].After = begin + time.Duration(stretch*float64(point.After-begin))
	}
	more := recovery.Span(r.Evidence.Progress) - r.Download
	r.Download, r.Total, r.Wall = r.Download+more, r.Total+more, r.Wall+more
}

// Reclaim gives the environment the claims that follow from its files, arms and link, after a test has
// changed one of them.
func Reclaim(e *bundle.Environment) { e.Claims = claims(*e) }

func claims(e bundle.Environment) []verdict.Claim {
	single, _ := e.Best(e.Arms[0])
	multi, _ := e.Best(e.Arms[1])
	return []verdict.Claim{
		verdict.SpeedUpAtLeast("speed-up", "multi", "single", 3).
			WithBest(single.Time.Seconds() / multi.Time.Seconds()).From("profile quick, STREAMGATE_MIN_SPEEDUP"),
		verdict.EfficiencyAtLeast("efficiency", "multi", multi.Time, 0.6).From("profile quick, STREAMGATE_MIN_EFFICIENCY"),
	}
}

// remoteFiles are about 201 MB in files of 2 to 6 MB.
func remoteFiles() []recovery.File {
	list := make([]recovery.File, files)
	for i := range list {
		list[i] = recovery.File{Name: fmt.Sprintf("_%x.cfs", i), SizeBytes: 3_873_000 + int64(i*7919%29-14)*131_071}
	}
	return list
}

// Recoveries are a warm-up of each arm and that many rounds.
func Recoveries(rounds int) []recovery.Recovery {
	e := Environment()
	var list []recovery.Recovery
	for round := 0; round <= rounds; round++ {
		order := e.Arms
		if round > 0 {
			order = recovery.Order(e.Arms, e.Seed, round)
		}
		for i, arm := range order {
			list = append(list, one(e, arm, round, i))
		}
	}
	return list
}

// one is a recovery that takes its best possible time, some per cent more, and what is not
// download.
func one(e bundle.Environment, arm recovery.Arm, round, place int) recovery.Recovery {
	best, _ := e.Best(arm)
	noise := 1.02 + 0.01*float64((round*5+place*3+arm.Streams)%8)
	download := time.Duration(float64(best.Time) * noise).Truncate(time.Millisecond)
	bytes := recovery.Sum(e.Files)
	r := recovery.Recovery{
		Round: round, WarmUp: round == 0, Arm: arm,
		Start: start.Add(time.Minute + time.Duration(2*round+place)*betweenRounds),
		Total: download + notDownload, Wall: download + notDownload + 240*time.Millisecond, Download: download,
		Evidence: recovery.Evidence{
			Settings:  map[string]string{recovery.SettingLimiter: "0b", recovery.SettingStreams: fmt.Sprint(arm.Streams)},
			WantBytes: bytes, WantFiles: len(e.Files), DownloadedBytes: bytes, PeerFiles: 1, PeerBytes: 412,
			Store:   &recovery.Traffic{Gets: int64(len(e.Files)) + 3, SentBytes: bytes + 48_816},
			LogRead: true, Threads: arm.Streams, Concurrency: math.Round(96*float64(arm.Streams)) / 100,
			PoolLargest: arm.Streams, PoolFiles: int64(len(e.Files)),
			PrimaryDocuments: documents, ReplicaDocuments: documents, Segments: 50, FilesRead: len(e.Files),
			CPU: 0.12 + 0.04*float64(arm.Streams),
		},
	}
	for after := 500 * time.Millisecond; after < download+500*time.Millisecond; after += sampleEvery {
		share := float64(after-500*time.Millisecond) / float64(download)
		r.Evidence.Progress = append(r.Evidence.Progress, recovery.Point{After: after, Bytes: int64(share * float64(bytes))})
	}
	r.Evidence.Progress = append(r.Evidence.Progress, recovery.Point{After: download + 500*time.Millisecond, Bytes: bytes})
	return r
}
