package doctor

import (
	"context"
	"math"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/moby/moby/client"
	"github.com/shirou/gopsutil/v4/disk"
	"github.com/shirou/gopsutil/v4/mem"
	"golang.org/x/sys/unix"

	"streamgate/fixtures/engine"
	"streamgate/fixtures/images"
	"streamgate/helpers/config"
	"streamgate/helpers/source"
)

// Look gathers the facts of this machine, under the settings of environ, a list shaped like
// os.Environ().
func Look(ctx context.Context, environ []string) Facts {
	facts := Facts{
		OutFreeBytes: unknown, MemoryFreeBytes: unknown, MaxMapCount: unknown, OpenFiles: openFiles(),
		Cores: runtime.NumCPU(), Loopback: listen(ctx), Root: os.Geteuid() == 0,
	}
	_, facts.RepositoryFault = config.Root()
	facts.Config, facts.ConfigFault = config.Load(environ)
	if facts.ConfigFault == nil {
		facts.OutFreeBytes = outFree(ctx, facts.Config.OutDir)
	}
	if memory, err := mem.VirtualMemoryWithContext(ctx); err == nil {
		facts.MemoryFreeBytes = int64(memory.Available)
	}
	if text, err := os.ReadFile("/proc/sys/vm/max_map_count"); err == nil {
		if count, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil {
			facts.MaxMapCount = count
		}
	}
	facts.Engine = lookAtEngine(ctx)
	if facts.Engine.Fault == nil && facts.ConfigFault == nil && facts.RepositoryFault == nil {
		facts.Images = lookAtImages(ctx, facts.Config)
	}
	return facts
}

func lookAtEngine(ctx context.Context) Engine {
	found := Engine{FreeBytes: unknown}
	api, err := engine.Connect()
	if err != nil {
		found.Fault, found.APIVersion = err, pingVersion(ctx)
		return found
	}
	ctx, cancel := context.WithTimeout(ctx, lookLimit)
	defer cancel()
	version, err := api.ServerVersion(ctx, client.ServerVersionOptions{})
	if err != nil {
		found.Fault = err
		return found
	}
	found.Name, found.Version, found.APIVersion = version.Platform.Name, version.Version, version.APIVersion
	// Where the engine's folder is not on this machine, as with Docker Desktop, there is
	// nothing to look at.
	if info, err := api.Info(ctx, client.InfoOptions{}); err == nil {
		if usage, err := disk.UsageWithContext(ctx, info.Info.DockerRootDir); err == nil {
			found.FreeBytes = int64(usage.Free)
		}
	}
	if found.Leftovers, err = engine.Leftovers(ctx); err != nil {
		found.Fault = err
	}
	return found
}

// pingVersion asks an engine that Connect refused for its API version: an old one still
// answers a ping. It is empty when none answers.
func pingVersion(ctx context.Context) string {
	ctx, cancel := context.WithTimeout(ctx, lookLimit)
	defer cancel()
	api, err := client.New(client.FromEnv)
	if err != nil {
		return ""
	}
	defer func() { _ = api.Close() }()
	answer, err := api.Ping(ctx, client.PingOptions{})
	if err != nil {
		return ""
	}
	return answer.APIVersion
}

func lookAtImages(ctx context.Context, c config.Config) Images {
	ctx, cancel := context.WithTimeout(ctx, lookLimit)
	defer cancel()
	found := Images{}
	refs, err := references(c)
	if err == nil {
		found.Missing, found.Base, err = images.Missing(ctx, refs)
	}
	if err != nil {
		found.Fault = err
		return found
	}
	if found.Asked = len(found.Missing) > 0 && !found.Base; found.Asked {
		found.Registry = images.AskRegistry(ctx)
	}
	return found
}

// references are the images of a run, or of both sides of a comparison.
func references(c config.Config) ([]string, error) {
	var refs []string
	for _, from := range []source.Source{c.CandidateSource(), c.BaseSource()} {
		want := images.WantedIn(c)
		want.OpenSearch = from
		set, err := images.References(want)
		if err != nil {
			return nil, err
		}
		for _, ref := range set.List() {
			if !slices.Contains(refs, ref) {
				refs = append(refs, ref)
			}
		}
	}
	return refs, nil
}

// listen finds out whether a port can be had on loopback, where a stack's are published.
func listen(ctx context.Context) error {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	return listener.Close()
}

// outFree looks at the nearest folder there is: the one for bundles may not be made yet.
func outFree(ctx context.Context, dir string) int64 {
	root, err := config.Root()
	if err != nil {
		return unknown
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(root, dir)
	}
	for {
		if usage, err := disk.UsageWithContext(ctx, dir); err == nil {
			return int64(usage.Free)
		}
		if dir == filepath.Dir(dir) {
			return unknown
		}
		dir = filepath.Dir(dir)
	}
}

func openFiles() int64 {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		return unknown
	}
	return int64(min(limit.Max, math.MaxInt64))
}
