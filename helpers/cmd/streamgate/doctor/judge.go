package doctor

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/docker/go-units"
	"github.com/moby/moby/client"

	"streamgate/fixtures/engine"
)

// What a run needs of a machine.
const (
	// diskFactor is how many times the corpus must fit on the engine's disk: primary,
	// replica, store, and room for translog and logs. fixtures/suite refuses a run by it too.
	diskFactor = 4
	// buildBytes is room for building the images, which are 1.1 GB when done (docker image ls;
	// stages that are thrown away take more than that for a while, so this is generous).
	buildBytes = 8_000_000_000
	// outBytes holds many bundles of a few MB each.
	outBytes = 500_000_000

	// outsideHeap is what a node takes beside its heap, at least; storeBytes is MinIO's.
	outsideHeap = 256 << 20
	storeBytes  = 512 << 20
	// roomyFactor of the heaps is what a stack is seen to need with the caches that make it fast.
	roomyFactor = 2

	leastOpenFiles = 4096
	// triedAPI is the oldest engine API that streamgate was run with.
	triedAPI = "1.41"
)

// Judge makes findings of facts, always in the same order.
func Judge(f Facts) []Finding {
	findings := []Finding{settings(f)}
	if f.RepositoryFault != nil {
		findings = append(findings, Finding{"repository", Stop, f.RepositoryFault.Error(), "change into the folder of a checkout of streamgate"})
	}
	findings = append(findings, engineFinding(f.Engine))
	if f.Engine.Fault == nil {
		findings = append(findings, diskFinding(f), imagesFinding(f), registryFinding(f), leftoversFinding(f.Engine.Leftovers))
	}
	return append(findings, outFinding(f), memoryFinding(f), coresFinding(f.Cores), portsFinding(f.Loopback), kernelFinding(f))
}

func settings(f Facts) Finding {
	if f.ConfigFault != nil {
		return Finding{"settings", Stop, f.ConfigFault.Error(), "correct or unset the variable"}
	}
	return Finding{"settings", OK, "profile " + f.Config.Profile.Name, ""}
}

func engineFinding(e Engine) Finding {
	const check = "engine"
	switch {
	case e.Fault != nil && older(e.APIVersion, client.MinAPIVersion):
		return Finding{check, Stop, fmt.Sprintf("the container engine speaks API %s, %s is the least", e.APIVersion, client.MinAPIVersion),
			"update the engine: Docker 20.10 or later"}
	case errors.Is(e.Fault, engine.ErrNoEngine):
		return Finding{check, Stop, "no container engine answers",
			"start one, or run make engine as root on Debian or Ubuntu, which installs docker.io"}
	case e.Fault != nil:
		return Finding{check, Stop, e.Fault.Error(), "see what the engine says: docker version"}
	case older(e.APIVersion, triedAPI):
		return Finding{check, Warning, fmt.Sprintf("%s, API %s", e.words(), e.APIVersion),
			"streamgate was tried with API " + triedAPI + " and later: update the engine if a run fails"}
	}
	return Finding{check, OK, fmt.Sprintf("%s, API %s", e.words(), e.APIVersion), ""}
}

// words are the engine's name and version; one that was not built by Docker often has no name.
func (e Engine) words() string {
	if e.Name == "" {
		return "engine " + e.Version
	}
	return e.Name + " " + e.Version
}

// stacks is how many run at the same time: a comparison has one for each side.
func (f Facts) stacks() int64 {
	if f.Config.Given("STREAMGATE_BASE") || f.Config.Given("STREAMGATE_CANDIDATE") {
		return 2
	}
	return 1
}

// older compares two API versions, such as 1.41; one that cannot be read is not older.
func older(version, than string) bool {
	a, okA := minor(version)
	b, okB := minor(than)
	return okA && okB && a < b
}

func minor(version string) (int, bool) {
	text, found := strings.CutPrefix(version, "1.")
	number, err := strconv.Atoi(text)
	return number, found && err == nil
}

func diskFinding(f Facts) Finding {
	const check = "disk"
	if f.Engine.FreeBytes == unknown || f.ConfigFault != nil {
		return Finding{check, OK, "the engine's folder is not on this machine: not looked at", ""}
	}
	found := size(f.Engine.FreeBytes) + " free where the engine keeps its containers"
	factor := diskFactor * f.stacks()
	need := factor * f.Config.CorpusBytes
	if f.Engine.FreeBytes < need {
		return Finding{check, Stop, found, fmt.Sprintf("free some: the profile's corpus of %s needs %d times its size, %s; or lower STREAMGATE_CORPUS_SIZE",
			size(f.Config.CorpusBytes), factor, size(need))}
	}
	if len(f.Images.Missing) > 0 && f.Engine.FreeBytes < need+buildBytes {
		return Finding{check, Warning, found, fmt.Sprintf("building the images may take up to %s for a while: free some if it fails", size(buildBytes))}
	}
	return Finding{check, OK, found, ""}
}

func imagesFinding(f Facts) Finding {
	const check = "images"
	switch missing := len(f.Images.Missing); {
	case f.ConfigFault != nil:
		return Finding{check, Warning, "not looked at, as long as the settings are wrong", "correct the settings first"}
	case f.RepositoryFault != nil:
		return Finding{check, Warning, "not looked at: their tags are made of the repository's files", "find the repository first"}
	case f.Images.Fault != nil:
		return Finding{check, Warning, f.Images.Fault.Error(), "see what the engine says: docker images"}
	case missing > 0:
		return Finding{check, Warning, "missing: " + strings.Join(f.Images.Missing, ", "),
			"nothing: the first run builds them, in 6 to 8 min on 2 cores; it loads from Maven Central, the Go module proxy and Debian's archive, which were not asked"}
	}
	return Finding{check, OK, "all are there", ""}
}

func registryFinding(f Facts) Finding {
	const check = "registry"
	switch {
	case !f.Images.Asked:
		return Finding{check, OK, "not asked: nothing has to be fetched from one", ""}
	case f.Images.Registry == nil:
		return Finding{check, OK, "answers the engine", ""}
	case f.Root:
		return Finding{check, OK, "does not answer the engine: debootstrap makes the base", ""}
	}
	return Finding{check, Warning, "does not answer the engine: " + f.Images.Registry.Error(),
		"run make gate once as root on Debian or Ubuntu, where debootstrap makes the base instead"}
}

func leftoversFinding(list []engine.Leftover) Finding {
	const check = "leftovers"
	kept, orphans := 0, 0
	for _, l := range list {
		switch {
		case l.Kept:
			kept++
		case l.Orphan:
			orphans++
		}
	}
	switch {
	case kept > 0:
		return Finding{check, Warning, fmt.Sprintf("%d containers of a stack that is kept; they cost a measurement memory and time", kept),
			"streamgate down, when you are done with it"}
	case orphans > 0:
		return Finding{check, Warning, fmt.Sprintf("%d containers of runs that have died", orphans),
			"nothing: the next run removes them; streamgate clean does so now"}
	case len(list) > 0:
		return Finding{check, OK, fmt.Sprintf("none; %d containers of a run that is going on", len(list)), ""}
	}
	return Finding{check, OK, "none", ""}
}

func outFinding(f Facts) Finding {
	const check = "bundles"
	switch {
	case f.OutFreeBytes == unknown:
		return Finding{check, OK, "the folder for bundles cannot be looked at", ""}
	case f.OutFreeBytes < outBytes:
		return Finding{check, Warning, size(f.OutFreeBytes) + " free in the folder for bundles", "free some, or let STREAMGATE_OUT name another folder"}
	}
	return Finding{check, OK, size(f.OutFreeBytes) + " free in the folder for bundles", ""}
}

func memoryFinding(f Facts) Finding {
	const check = "memory"
	if f.MemoryFreeBytes == unknown || f.ConfigFault != nil {
		return Finding{check, OK, "not looked at", ""}
	}
	nodes := int64(f.Config.DataNodes)
	least := f.stacks() * (nodes*(f.Config.HeapBytes+outsideHeap) + storeBytes)
	roomy := max(least, f.stacks()*roomyFactor*nodes*f.Config.HeapBytes)
	found := units.BytesSize(float64(f.MemoryFreeBytes)) + " available"
	stack, needs, does := "a stack", "needs", "is"
	if f.stacks() > 1 {
		stack, needs, does = "two stacks", "need", "are"
	}
	stack += fmt.Sprintf(" of %d nodes with %s of heap each", nodes, units.BytesSize(float64(f.Config.HeapBytes)))
	switch {
	case f.MemoryFreeBytes < least:
		return Finding{check, Stop, found, fmt.Sprintf("%s %s %s at least: end something, or lower STREAMGATE_HEAP", stack, needs, units.BytesSize(float64(least)))}
	case f.MemoryFreeBytes < roomy:
		return Finding{check, Warning, found, fmt.Sprintf("%s %s better off with %s", stack, does, units.BytesSize(float64(roomy)))}
	}
	return Finding{check, OK, found, ""}
}

func coresFinding(cores int) Finding {
	if cores < 2 {
		return Finding{"cores", Warning, "1 core", "use 2 or more: on one the machine is measured, not OpenSearch, and a verdict is likely to be invalid"}
	}
	return Finding{"cores", OK, fmt.Sprintf("%d cores", cores), ""}
}

func portsFinding(fault error) Finding {
	if fault != nil {
		return Finding{"ports", Stop, "nothing can listen on 127.0.0.1: " + fault.Error(), "bring up the loopback interface, or free ports"}
	}
	return Finding{"ports", OK, "free ones on 127.0.0.1, chosen by the engine", ""}
}

// kernelFinding asks for little: with transport on loopback OpenSearch makes its own checks of
// descriptors and vm.max_map_count warnings.
func kernelFinding(f Facts) Finding {
	const check = "kernel"
	if f.OpenFiles != unknown && f.OpenFiles < leastOpenFiles {
		return Finding{check, Warning, fmt.Sprintf("a process may open %d files", f.OpenFiles), fmt.Sprintf("raise the hard limit to %d: ulimit -Hn", leastOpenFiles)}
	}
	var parts []string
	if f.OpenFiles != unknown {
		parts = append(parts, fmt.Sprintf("open files %d", f.OpenFiles))
	}
	if f.MaxMapCount != unknown {
		parts = append(parts, fmt.Sprintf("vm.max_map_count %d", f.MaxMapCount))
	}
	return Finding{check, OK, strings.Join(append(parts, "nothing to raise"), ", "), ""}
}

func size(bytes int64) string { return units.HumanSize(float64(bytes)) }
