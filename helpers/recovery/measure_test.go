package recovery

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"streamgate/helpers/osapi"
)

// The nodes of the recording, and the kinds of its requests.
const (
	primaryID = "r8huHdi4SH6K4n4nUoH82A"
	targetID  = "ToJp7uohS8yZRLwPZTKEVQ"

	setCluster   = "PUT /_cluster/settings"
	getCluster   = "GET /_cluster/settings"
	setIndex     = "PUT /so/_settings"
	shardStores  = "GET /so/_shard_stores"
	targetStats  = "GET /_nodes/" + targetID + "/stats/indices,thread_pool"
	recoveries   = "GET /so/_recovery"
	routing      = "GET /_cluster/state/routing_table/so"
	remoteStats  = "GET /_remotestore/stats/so"
	countPrimary = "GET /so/_count?preference=_only_nodes%3A" + primaryID
	countTarget  = "GET /so/_count?preference=_only_nodes%3A" + targetID
	mergeStats   = "GET /so/_stats/merge"
	segments     = "GET /so/_segments"
)

// What the pool and the node counted in it.
const (
	poolLargest    = 3
	poolFiles      = 6
	downloadMillis = 1176
)

// The arm of the recording.
func two() Arm { return Unlimited("multi", 2) }

// bench is one on which all can be read: the scripted cluster, and functions for the rest.
func (s *script) bench() Bench {
	reads := 0
	return Bench{
		API: s.serve(), Index: "so", Primary: Node{primaryID, "node-1"}, Target: Node{targetID, "node-2"},
		Files: []File{{"_0.cfs", 1_184_000}, {"_1.cfs", 1_088_001}, {"_1.si", 7}},
		LogLines: func(context.Context, time.Time, ...string) ([]string, error) {
			return []string{"[TRACE][o.o.i.s.RemoteStoreFileDownloader] [node-2] Starting download of 6 files with 2 threads"}, nil
		},
		Sums: func(_ context.Context, node Node) (map[string]string, error) {
			return map[string]string{"_0.cfs": "same", "_1.cfs": "on " + node.Name, "_1.cfe": "same"}, nil
		},
		FilesOn: func(context.Context, Node) ([]string, error) { return nil, nil },
		Traffic: func(context.Context) (Traffic, error) {
			reads++
			return Traffic{Gets: int64(100 * reads), SentBytes: int64(7_000_000 * reads)}, nil
		},
	}
}

// Is each part of the evidence read from its own place? The cluster answers as a real one did, with
// every number another, so that whatever is read instead shows.
func TestMeasureReadsEachFact(t *testing.T) {
	s := recorded(t)
	s.edit(remoteStats, "indices.so.shards.0.1.segment.download.total_download_size.failed_bytes", 31)
	s.edit(remoteStats, "indices.so.shards.0.0.segment.download", map[string]any{
		"total_download_size": map[string]any{"started_bytes": 91, "succeeded_bytes": 92, "failed_bytes": 93}})
	s.edit(countPrimary, "count", 2016)
	s.edit(mergeStats, "indices.so.primaries.merges.current", 3)
	s.edit(segments, "indices.so.shards.0.1.segments._1.num_docs", 1009)
	bench := s.bench()
	var watched []Point
	bench.Watch = func(p Point) { watched = append(watched, p) }
	r, err := Measure(t.Context(), bench, two())
	require.NoError(t, err)

	assert.Equal(t, two(), r.Arm)
	assert.Equal(t, 846*time.Millisecond, r.Total, "the API's own time")
	assert.Greater(t, r.Wall, 8*sampleEvery)
	assert.NotEqual(t, r.Total, r.Wall)
	assert.WithinDuration(t, time.Now(), r.Start.Add(r.Wall), time.Minute)

	e := r.Evidence
	assert.Equal(t, map[string]string{SettingLimiter: "0", SettingStreams: "2"}, e.Settings)
	assert.Equal(t, int64(2_272_008), e.WantBytes)
	assert.Equal(t, 3, e.WantFiles)
	assert.Equal(t, int64(2_272_360), e.DownloadedBytes)
	assert.Equal(t, int64(31), e.FailedBytes)
	assert.Equal(t, int64(1), e.PeerFiles)
	assert.Equal(t, int64(403), e.PeerBytes)
	assert.True(t, e.LogRead)
	assert.Equal(t, 2, e.Threads)
	assert.Empty(t, e.Fallback)
	assert.Equal(t, &Traffic{Gets: 100, SentBytes: 7_000_000}, e.Store)
	assert.Equal(t, int64(2016), e.PrimaryDocuments)
	assert.Equal(t, int64(2015), e.ReplicaDocuments)
	assert.Equal(t, 2, e.Segments)
	assert.Equal(t, []string{"_1"}, e.Unequal)
	assert.Equal(t, int64(3), e.Merges)
	assert.Equal(t, 3, e.FilesRead)
	assert.Len(t, e.UnlikeFiles, 1)
	assert.Contains(t, e.UnlikeFiles[0], "_1.cfs")
	assert.Equal(t, poolLargest, e.PoolLargest)
	assert.Equal(t, int64(poolFiles), e.PoolFiles)
	assert.InDelta(t, downloadMillis/1000.0, e.Concurrency*r.Download.Seconds(), 1e-6)
	assert.GreaterOrEqual(t, e.CPU, 0.0)
	assert.LessOrEqual(t, e.CPU, 1.0)

	require.NotEmpty(t, e.Progress)
	assert.Equal(t, int64(0), e.Progress[0].Bytes)
	assert.Equal(t, int64(2_272_360), e.Progress[len(e.Progress)-1].Bytes, "the peer phase's bytes are no download")
	assert.Equal(t, watched, e.Progress[len(e.Progress)-len(watched):])
	assert.Positive(t, r.Download)
	assert.Less(t, r.Download, r.Wall)
	assert.Equal(t, Prove(two(), e), r.Invalid)
	assert.NotEmpty(t, r.Invalid)
}

// Is a recovery valid whose facts are right, with nothing out of reach, and does it not read this
// machine's processors where the nodes run elsewhere?
func TestMeasureOfASoundRecovery(t *testing.T) {
	s := recorded(t)
	bench := s.bench()
	bench.Files = []File{{"_0.cfs", 1_184_254}, {"_1.cfs", 1_088_106}}
	bench.Sums = func(context.Context, Node) (map[string]string, error) {
		return map[string]string{"_0.cfs": "a", "_1.cfs": "b"}, nil
	}
	bench.Elsewhere = true
	r, err := Measure(t.Context(), bench, two())
	require.NoError(t, err)
	assert.Empty(t, r.Invalid)
	assert.Zero(t, r.Evidence.CPU)
	assert.Equal(t, 2, r.Evidence.FilesRead)

	s = recorded(t)
	bare := s.bench()
	bare.Files = bench.Files
	bare.LogLines, bare.Sums, bare.Traffic = nil, nil, nil
	r, err = Measure(t.Context(), bare, two())
	require.NoError(t, err)
	assert.Empty(t, r.Invalid, "what is out of reach is no fault")
	assert.False(t, r.Evidence.LogRead)
	assert.Nil(t, r.Evidence.Store)
	assert.Zero(t, r.Evidence.FilesRead)
}

// Are the settings of the arm before set back, this arm's set, and the replica taken away and asked for
// again, in that order?
func TestMeasureSetsWhatTheArmSays(t *testing.T) {
	s := recorded(t)
	_, err := Measure(t.Context(), s.bench(), two())
	require.NoError(t, err)
	assert.Equal(t, []string{
		`{"persistent":{"indices.recovery.*":null}}`,
		`{"persistent":{"indices.recovery.max_bytes_per_sec":"0","indices.recovery.max_concurrent_remote_store_streams":"2"}}`,
	}, s.bodies(setCluster))
	assert.Equal(t, []string{`{"index.number_of_replicas":0}`, `{"index.number_of_replicas":1}`}, s.bodies(setIndex))
	var order []string
	for _, e := range s.asked {
		if e.Method == http.MethodPut || e.key() == targetStats || e.key() == recoveries && len(order) < 5 {
			order = append(order, e.key())
		}
	}
	assert.Equal(t, []string{setCluster, setCluster, setIndex, targetStats, setIndex}, order[:5], "counters are read before the replica is asked for")

	s = recorded(t)
	_, err = Measure(t.Context(), s.bench(), Arm{Name: "as it is"})
	require.NoError(t, err)
	assert.Equal(t, []string{`{"persistent":{"indices.recovery.*":null}}`}, s.bodies(setCluster))
}

// Are the settings that are in force read back, and not those that were sent?
func TestMeasureReadsSettingsBack(t *testing.T) {
	s := recorded(t)
	s.edit(getCluster, "persistent", map[string]any{SettingLimiter: "40mb"})
	s.edit(getCluster, "defaults", map[string]any{SettingStreams: "1"})
	r, err := Measure(t.Context(), s.bench(), two())
	require.NoError(t, err)
	assert.Equal(t, map[string]string{SettingLimiter: "40mb", SettingStreams: "1"}, r.Evidence.Settings)
	assert.Contains(t, strings.Join(r.Invalid, "\n"), `setting indices.recovery.max_bytes_per_sec read back as "40mb", the arm sets "0"`)
}

// Does a log line that tells of a fallback become evidence, and the larger number of threads count?
func TestMeasureReadsTheLog(t *testing.T) {
	s := recorded(t)
	bench := s.bench()
	var asked []string
	var sinceWhen time.Time
	begin := time.Now()
	bench.LogLines = func(_ context.Context, since time.Time, texts ...string) ([]string, error) {
		asked, sinceWhen = texts, since
		return []string{
			"Starting download of 1 files with 1 threads", "Starting download of 6 files with 8 threads",
			"Exception while downloading segment files from remote store, will continue with peer to peer segment copy",
		}, nil
	}
	r, err := Measure(t.Context(), bench, two())
	require.NoError(t, err)
	assert.Equal(t, 8, r.Evidence.Threads)
	assert.Equal(t, []string{"Exception while downloading segment files from remote store, will continue with peer to peer segment copy"}, r.Evidence.Fallback)
	assert.Equal(t, []string{fallbackLine, threadsLine}, asked)
	assert.WithinDuration(t, begin, sinceWhen, 5*time.Second)
}

// Is a replica awaited that is not STARTED when its recovery is DONE, or that nobody recovers yet?
func TestMeasureAwaitsStarted(t *testing.T) {
	s := recorded(t)
	started := s.answers[routing][0]
	s.edit(routing, "routing_table.indices.so.shards.0.1.state", "INITIALIZING")
	s.answers[routing] = append(s.answers[routing], s.answers[routing][0], started)
	r, err := Measure(t.Context(), s.bench(), two())
	require.NoError(t, err)
	assert.Len(t, s.answers[routing], 1, "it was asked three times")
	assert.GreaterOrEqual(t, r.Wall, 2*sampleEvery)

	s = recorded(t)
	s.edit(routing, "routing_table.indices.so.shards.0.1.node", primaryID)
	bench := s.bench()
	bench.Limit = 200 * time.Millisecond
	_, err = Measure(t.Context(), bench, two())
	require.ErrorContains(t, err, "await the replica is STARTED: limit passed")
	require.ErrorContains(t, err, "last seen: stage DONE, not STARTED")
}

// Does whatever cannot be read end the measurement with an error that says what it was? Nothing is
// taken for 0 that was not read.
func TestMeasureFails(t *testing.T) {
	broken := errors.New("out of order")
	for name, c := range map[string]struct {
		key   string
		bench func(*Bench)
		want  string
	}{
		"settings not taken": {setCluster, nil, "set back the settings of the arm before"},
		"settings not read":  {getCluster, nil, "read back the settings of arm multi"},
		"replicas not set":   {setIndex, nil, "set the number of replicas to 0"},
		"counters":           {targetStats, nil, "read the target's counters"},
		"remote statistics":  {remoteStats, nil, "read the remote store's statistics"},
		"primary's count":    {countPrimary, nil, "count the primary's documents"},
		"replica's count":    {countTarget, nil, "count the replica's documents"},
		"merges":             {mergeStats, nil, "count the primary's merges"},
		"segments":           {segments, nil, "list the segments"},
		"log": {"", func(b *Bench) {
			b.LogLines = func(context.Context, time.Time, ...string) ([]string, error) { return nil, broken }
		}, "out of order"},
		"store": {"", func(b *Bench) {
			b.Traffic = func(context.Context) (Traffic, error) { return Traffic{}, broken }
		}, "out of order"},
		"store, the second time": {"", func(b *Bench) {
			b.Traffic = func() func(context.Context) (Traffic, error) {
				reads := 0
				return func(context.Context) (Traffic, error) {
					if reads++; reads > 1 {
						return Traffic{}, broken
					}
					return Traffic{}, nil
				}
			}()
		}, "out of order"},
		"primary's disk": {"", func(b *Bench) { b.Sums = sumsFail(broken, "node-1") }, "out of order"},
		"target's disk":  {"", func(b *Bench) { b.Sums = sumsFail(broken, "node-2") }, "out of order"},
	} {
		t.Run(name, func(t *testing.T) {
			s := recorded(t)
			if c.key != "" {
				s.fail(c.key, http.StatusInternalServerError)
			}
			bench := s.bench()
			if c.bench != nil {
				c.bench(&bench)
			}
			_, err := Measure(t.Context(), bench, two())
			assert.ErrorContains(t, err, c.want)
		})
	}
}

// Are the second request of a kind and the last look at the recovery needed too?
func TestMeasureFailsLater(t *testing.T) {
	s := recorded(t)
	s.answers[setCluster][1].Status = http.StatusBadRequest
	_, err := Measure(t.Context(), s.bench(), two())
	require.ErrorContains(t, err, "set the settings of arm multi")

	s = recorded(t)
	s.answers[setIndex][1].Status = http.StatusBadRequest
	_, err = Measure(t.Context(), s.bench(), two())
	require.ErrorContains(t, err, "set the number of replicas to 1")

	s = recorded(t)
	last := len(s.answers[recoveries]) - 1
	s.answers[recoveries][last].Status = http.StatusBadRequest
	_, err = Measure(t.Context(), s.bench(), two())
	require.ErrorContains(t, err, "read the recovery")

	s = recorded(t)
	s.answers[targetStats][1].Status = http.StatusBadRequest
	_, err = Measure(t.Context(), s.bench(), two())
	require.ErrorContains(t, err, "read the target's counters")
}

func sumsFail(err error, on string) func(context.Context, Node) (map[string]string, error) {
	return func(_ context.Context, node Node) (map[string]string, error) {
		if node.Name == on {
			return nil, err
		}
		return map[string]string{}, nil
	}
}

// Is a request that fails while the recovery runs asked again, and an end of the context an end?
func TestMeasureGoesOn(t *testing.T) {
	s := recorded(t)
	s.answers[recoveries][2].Status = http.StatusServiceUnavailable
	_, err := Measure(t.Context(), s.bench(), two())
	require.NoError(t, err)

	s = recorded(t)
	s.answers[recoveries] = s.answers[recoveries][:2] // never more than it begins with
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err = Measure(ctx, s.bench(), two())
	require.ErrorIs(t, err, context.DeadlineExceeded)
}

// How long may a recovery take? Four times its best possible time, and never less than 10 min; one of
// which nobody knows that ends once it stands still.
func TestLimits(t *testing.T) {
	assert.Equal(t, 10*time.Minute, LimitFor(0))
	assert.Equal(t, 10*time.Minute, LimitFor(150*time.Second))
	assert.Equal(t, 56*time.Minute, LimitFor(14*time.Minute)) // 10 GB at 12 MB/s

	now := time.Now()
	s := sampler{}
	assert.False(t, s.stalled("stage INDEX, 5 bytes", now))
	assert.False(t, s.stalled("stage INDEX, 5 bytes", now.Add(stallLimit-1)))
	assert.True(t, s.stalled("stage INDEX, 5 bytes", now.Add(stallLimit)))
	assert.False(t, s.stalled("stage INDEX, 6 bytes", now.Add(stallLimit)), "it goes on")
	assert.False(t, s.stalled("stage INDEX, 6 bytes", now.Add(2*stallLimit-1)))
	s = sampler{bench: Bench{Limit: time.Hour}}
	assert.False(t, s.stalled("", now))
	assert.False(t, s.stalled("", now.Add(2*stallLimit)), "the limit ends it")
}

// What becomes a point of the progress? Bytes of the stage INDEX that do not fall, with the last look
// before them as the begin.
func TestSample(t *testing.T) {
	at := func(stage string, bytes int64) (shard osapi.ShardRecovery) {
		shard.Stage, shard.Index.Size.RecoveredBytes = stage, bytes
		return shard
	}
	var watched atomic.Int64
	r := Recovery{}
	s := sampler{recovery: &r, bench: Bench{Watch: func(Point) { watched.Add(1) }}}
	s.sample(at("", 0), 100*time.Millisecond)
	s.sample(at("INIT", 0), 200*time.Millisecond)
	s.sample(at("INDEX", 10), 300*time.Millisecond)
	s.sample(at("INDEX", 10), 400*time.Millisecond)
	s.sample(at("INDEX", 30), 500*time.Millisecond)
	s.sample(at("INDEX", 4), 600*time.Millisecond) // the peer phase begins
	s.sample(at("TRANSLOG", 50), 700*time.Millisecond)
	assert.Equal(t, []Point{point(200, 0), point(300, 10), point(400, 10), point(500, 30)}, r.Evidence.Progress)
	assert.Equal(t, int64(3), watched.Load())

	r.Evidence.Progress = nil
	s.sample(at("INDEX", 0), 100*time.Millisecond)
	s.sample(at("INDEX", 5), 200*time.Millisecond)
	assert.Equal(t, []Point{point(100, 0), point(200, 5)}, r.Evidence.Progress, "seen before the first byte")
}
