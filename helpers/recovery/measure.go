package recovery

import (
	"context"
	"fmt"
	"slices"
	"time"

	"streamgate/helpers/await"
	"streamgate/helpers/osapi"
)

const (
	// sampleEvery is how often a running recovery is looked at. It is the resolution of
	// Wall and Download; Total is the node's own clock. The look costs the test process
	// about a hundredth of a core.
	sampleEvery = 100 * time.Millisecond

	// DefaultLimit bounds one recovery: some 30 times what the default profile's slow arm takes.
	DefaultLimit = 10 * time.Minute
)

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
	// Traffic asks the store for its own count; nil when the store is out of reach.
	Traffic func(ctx context.Context) (Traffic, error)
	// Elsewhere says that the nodes run on other machines: this one's processors tell nothing.
	Elsewhere bool
	// Limit bounds a recovery; 0 means DefaultLimit.
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
	if err := run(ctx, bench, &r); err != nil {
		return r, err
	}
	if err := collect(ctx, bench, before, &r); err != nil {
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

// run asks for a replica and samples its recovery until it is STARTED.
func run(ctx context.Context, bench Bench, r *Recovery) error {
	limit := bench.Limit
	if limit == 0 {
		limit = DefaultLimit
	}
	r.Start = time.Now().UTC()
	if err := setReplicas(ctx, bench, 1); err != nil {
		return err
	}
	err := await.Until(ctx, "the replica is STARTED", limit, sampleEvery, func(ctx context.Context) (bool, string, error) {
		shard, err := replica(ctx, bench)
		if err != nil {
			return false, "", err
		}
		point := Point{time.Since(r.Start), shard.Index.Size.RecoveredBytes}
		// After INDEX the bytes are the peer phase's; before it there are none.
		if shard.Stage == "INDEX" && point.Bytes >= last(r.Evidence.Progress).Bytes {
			r.Evidence.Progress = append(r.Evidence.Progress, point)
			if bench.Watch != nil {
				bench.Watch(point)
			}
		}
		if shard.Stage != "DONE" {
			return false, fmt.Sprintf("stage %s, %d bytes", shard.Stage, shard.Index.Size.RecoveredBytes), nil
		}
		started, err := isStarted(ctx, bench)
		return started, "stage DONE, not STARTED", err
	})
	r.Wall = time.Since(r.Start)
	return err
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
