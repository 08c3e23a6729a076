package bundle

import (
	"context"
	"fmt"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/shirou/gopsutil/v4/cpu"
	"github.com/shirou/gopsutil/v4/host"
	"github.com/shirou/gopsutil/v4/mem"
)

// Host is the machine that a run was made on, and the program that made it. It names
// neither the machine nor its user.
type Host struct {
	CPUModel    string `json:"cpu_model"`
	Cores       int    `json:"cores"` // logical processors
	MemoryBytes int64  `json:"memory_bytes"`
	Kernel      string `json:"kernel"`
	System      string `json:"system"` // "linux/amd64"
	Go          string `json:"go"`
	// Commit is streamgate's own, with "-dirty" after it when files differed from it;
	// empty when it is not known.
	Commit string `json:"commit"`
}

// gitLimit bounds the question for the commit.
const gitLimit = 5 * time.Second

// Machine describes the machine that it runs on.
func Machine(ctx context.Context) (Host, error) {
	found := Host{System: runtime.GOOS + "/" + runtime.GOARCH, Go: runtime.Version(), Commit: commit(ctx)}
	processors, err := cpu.InfoWithContext(ctx)
	if err != nil {
		return Host{}, fmt.Errorf("describe processors: %w", err)
	}
	if len(processors) > 0 {
		found.CPUModel = strings.TrimSpace(processors[0].ModelName)
	}
	if found.Cores, err = cpu.CountsWithContext(ctx, true); err != nil {
		return Host{}, fmt.Errorf("count processors: %w", err)
	}
	memory, err := mem.VirtualMemoryWithContext(ctx)
	if err != nil {
		return Host{}, fmt.Errorf("read size of memory: %w", err)
	}
	found.MemoryBytes = int64(memory.Total)
	if found.Kernel, err = host.KernelVersionWithContext(ctx); err != nil {
		return Host{}, fmt.Errorf("read version of kernel: %w", err)
	}
	return found, nil
}

// commit asks the program first and git second: go build stamps a program with its commit,
// go test does not.
func commit(ctx context.Context) string {
	if info, ok := debug.ReadBuildInfo(); ok {
		if stamped := stampedCommit(info.Settings); stamped != "" {
			return stamped
		}
	}
	ctx, cancel := context.WithTimeout(ctx, gitLimit)
	defer cancel()
	// A run from an archive, without git, is none the worse: its commit stays unknown.
	described, err := exec.CommandContext(ctx, "git", "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*").Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(described))
}

func stampedCommit(settings []debug.BuildSetting) string {
	revision, suffix := "", ""
	for _, setting := range settings {
		switch {
		case setting.Key == "vcs.revision":
			revision = setting.Value
		case setting.Key == "vcs.modified" && setting.Value == "true":
			suffix = "-dirty"
		}
	}
	if revision == "" {
		return ""
	}
	return revision + suffix
}
