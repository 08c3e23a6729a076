package recovery

import (
	"context"
	"fmt"
	"slices"
	"time"

	"streamgate/helpers/await"
	"streamgate/helpers/osapi"
)

// sampleEvery is how often a running recovery is looked at. It is the resolution of
// Wall and Download; Total is the node's own clock. The look costs the test process
// about a hundredth of a core. Tests look more often.
var sampleEvery = 100 * time.Millisecond

const (
	// leastLimit is the least that a recovery is given: a node under load can need minutes for what
	// is no download.
	leastLimit = 10 * time.Minute
	// slowest is how many times its best possible time a recovery may take: with an efficiency below
	// a quarter something else is wrong.
	slowest = 4
	// stallLimit is how long a recovery of which nobody knows the best possible time may go on without
	// another byte, stage or state.
	stallLimit = 10 * time.Minute
	// longest bounds even a recovery that goes on.
	longest = 7 * 24 * time.Hour
)

// LimitFor is the limit of a recovery whose best possible time, from helpers/bound, is known: four
// times that, and at least 10 min.
func LimitFor(best time.Duration) time.Duration { return max(leastLimit, slowest*best) }

// Bench is what a recovery is measured on: an index of one shard, the node that holds its
// primary and the one that its replica will land on.
type Bench struct {
	API     *osapi.Client
	Index   string
	Primary Node
	Target  Node
	// Files are the objects that a replica fetches.
	Files []File

	// LogLines searches the target's log; nil when the log is out of reach.
	LogLines func(ctx context.Context, since time.Time, texts ...string) ([]string, error)
	// Sums reads each segment file of the shard on a node's disk and returns its SHA-256, by the
	// file's name; nil when the disks are out of reach.
	Sums func(ctx context.Context, node Node) (map[string]string, error)
	// FilesOn lists the files of the shard on a node's disk, by their path below its folder; nil
	// when the disks are out of reach.
	FilesOn func(ctx context.Context, node Node) ([]string, error)
	// Traffic asks the store for its own count; nil when the store is out of reach.
	Traffic func(ctx context.Context) (Traffic, error)
	// Elsewhere says that the nodes run on other machines: this one's processors tell nothing.
	Elsewhere bool
	// Limit bounds a recovery: see LimitFor. With 0, where nobody knows how long one takes, it ends
	// after 10 min without progress.
	Limit time.Duration
	// Watch, when set, is told of every sample.
	Watch func(Point)
}

// Measure makes the target recover a replica and returns what it took, with its evidence.
//
//	T0  the arm's settings are set and read back
//	T1  no copy of the shard is left on the target's disk; counters are read
//	T2  one replica is asked for; _recovery is sampled
//	T3  the cluster state has the replica STARTED; clocks and counters are read
//	T4  the replica is held against the primary and the store
//
// A recovery that does not end within the bench's limit is an error; one that ends but
// fails its proof is returned with Invalid filled.
func Measure(ctx context.Context, bench Bench, arm Arm) (Recovery, error) {
	r := Recovery{Arm: arm}
	var err error
	if r.Evidence.Settings, err = apply(ctx, bench.API, arm); err != nil {
		return r, err
	}
	if err := Clear(ctx, bench); err != nil {
		return r, err
	}
	before, err := count(ctx, bench)
	if err != nil {
		return r, err
	}
	begun, err := run(ctx, bench, &r)
	if err != nil {
		return r, err
	}
	if err := collect(ctx, bench, before, begun, &r); err != nil {
		return r, err
	}
	r.Invalid = Prove(arm, r.Evidence)
	return r, nil
}

// apply sets the arm's settings and reads back what is in force, the rate limit also when
// the arm leaves it alone. What an arm before has set is set back first: no arm inherits.
func apply(ctx context.Context, api *osapi.Client, arm Arm) (map[string]string, error) {
	settings := map[string]any{}
	names := []string{SettingLimiter}
	for name, value := range arm.Settings {
		settings[name] = value
		names = append(names, name)
	}
	if err := api.SetClusterSettings(ctx, map[string]any{"indices.recovery.*": nil}); err != nil {
		return nil, fmt.Errorf("set back the settings of the arm before: %w", err)
	}
	if len(settings) > 0 { // OpenSearch refuses an update without any
		if err := api.SetClusterSettings(ctx, settings); err != nil {
			return nil, fmt.Errorf("set the settings of arm %s: %w", arm.Name, err)
		}
	}
	got, err := api.ClusterSettings(ctx, names...)
	if err != nil {
		return nil, fmt.Errorf("read back the settings of arm %s: %w", arm.Name, err)
	}
	return got, nil
}

// counters are what is read before and after a recovery.
type counters struct {
	node    osapi.NodeStats
	traffic *Traffic
	cpu     cpuTimes
}

func count(ctx context.Context, bench Bench) (counters, error) {
	var c counters
	var err error
	if c.node, err = bench.API.NodeStats(ctx, bench.Target.ID); err != nil {
		return c, fmt.Errorf("read the target's counters: %w", err)
	}
	if bench.Traffic != nil {
		traffic, err := bench.Traffic(ctx)
		if err != nil {
			return c, err
		}
		c.traffic = &traffic
	}
	if !bench.Elsewhere {
		c.cpu, err = readCPU(ctx)
	}
	return c, err
}

// run asks for a replica and samples its recovery until it is STARTED. It returns when it asked.
func run(ctx context.Context, bench Bench, r *Recovery) (begun time.Time, err error) {
	limit := bench.Limit
	if limit == 0 {
		limit = longest
	}
	r.Start = Now()
	begun = time.Now()
	if err := setReplicas(ctx, bench, 1); err != nil {
		return begun, err
	}
	s := sampler{bench: bench, begun: begun, recovery: r}
	err = await.Until(ctx, "the replica is STARTED", limit, sampleEvery, s.look)
	r.Wall = time.Since(begun)
	return begun, err
}

// sampler follows a recovery.
type sampler struct {
	bench    Bench
	begun    time.Time
	recovery *Recovery

	lookedAt time.Duration // the last look before the download
	state    string        // what was seen last, and since when
	since    time.Time
}

// look is one sample; it is done when the replica is STARTED.
func (s *sampler) look(ctx context.Context) (done bool, state string, err error) {
	shard, err := replica(ctx, s.bench)
	if err != nil {
		return false, "", err
	}
	s.sample(shard, time.Since(s.begun))
	if shard.Stage == "DONE" {
		done, err = isStarted(ctx, s.bench)
		state = "stage DONE, not STARTED"
	} else {
		state = fmt.Sprintf("stage %s, %d bytes", shard.Stage, shard.Index.Size.RecoveredBytes)
	}
	if err == nil && !done && s.stalled(state, time.Now()) {
		err = await.Stop(fmt.Errorf("no progress for %s: %s", stallLimit, state))
	}
	return done, state, err
}

// sample notes the bytes that have come while the download runs. After INDEX the bytes are the peer
// phase's; before it there are none.
func (s *sampler) sample(shard osapi.ShardRecovery, after time.Duration) {
	progress := &s.recovery.Evidence.Progress
	point := Point{after, shard.Index.Size.RecoveredBytes}
	if shard.Stage != "INDEX" || point.Bytes < last(*progress).Bytes {
		if len(*progress) == 0 {
			s.lookedAt = after
		}
		return
	}
	if len(*progress) == 0 && point.Bytes > 0 {
		*progress = append(*progress, Point{After: s.lookedAt}) // nothing had come by then
	}
	*progress = append(*progress, point)
	if s.bench.Watch != nil {
		s.bench.Watch(point)
	}
}

// stalled tells of a recovery without a limit that has shown the same for too long.
func (s *sampler) stalled(state string, now time.Time) bool {
	if state != s.state {
		s.state, s.since = state, now
	}
	return s.bench.Limit == 0 && now.Sub(s.since) >= stallLimit
}

func last(points []Point) Point {
	if len(points) == 0 {
		return Point{}
	}
	return points[len(points)-1]
}

// replica is the recovery entry of the copy on the target; the zero value while there is none.
func replica(ctx context.Context, bench Bench) (osapi.ShardRecovery, error) {
	recoveries, err := bench.API.Recoveries(ctx, bench.Index)
	if err != nil {
		return osapi.ShardRecovery{}, err
	}
	for _, shard := range recoveries {
		if !shard.Primary && shard.Target.ID == bench.Target.ID {
			return shard, nil
		}
	}
	return osapi.ShardRecovery{}, nil
}

func isStarted(ctx context.Context, bench Bench) (bool, error) {
	copies, err := bench.API.ShardCopies(ctx, bench.Index)
	return slices.ContainsFunc(copies, func(c osapi.ShardCopy) bool {
		return !c.Primary && c.Node == bench.Target.ID && c.State == "STARTED"
	}), err
}
