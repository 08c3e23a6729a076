package recovery

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// peerFilesAllowed is how many files a replica fetches from the primary's node even after
// a whole download: its own segments_N, which the peer phase always sends.
const peerFilesAllowed = 2

// peerBytesAllowed is more than that file ever has: 4.4 kB were measured with 50 segments.
const peerBytesAllowed = 1 << 20

func itoa(n int) string { return strconv.Itoa(n) }

// Prove says what is wrong with the evidence of a recovery by that arm; nothing when the
// replica came from the remote store, whole, with the arm's settings.
//
// A recovery that fails its proof is invalid: neither slow nor fast. A failed download
// turns silently into a copy from the primary's node and ends green (#11331), and the
// recovery API's final numbers count that copy alone (#10651), so neither is asked.
func Prove(arm Arm, e Evidence) []string {
	faults := settingFaults(arm, e.Settings)
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }

	if len(e.Fallback) > 0 {
		fault("the download was given up for a peer copy: %s", e.Fallback[0])
	}
	if e.FailedBytes > 0 {
		fault("%d bytes of downloads failed", e.FailedBytes)
	}
	if e.WantBytes == 0 {
		fault("no file of the shard is known in the remote store: there is nothing to prove")
	}
	if e.DownloadedBytes != e.WantBytes {
		fault("%d bytes came from the remote store, its objects hold %d", e.DownloadedBytes, e.WantBytes)
	}
	if e.PeerFiles > peerFilesAllowed {
		fault("%d files (%d bytes) came from the primary's node, at most %d may", e.PeerFiles, e.PeerBytes, peerFilesAllowed)
	}
	if e.PeerFiles <= peerFilesAllowed && e.PeerBytes > peerBytesAllowed {
		fault("%d bytes came from the primary's node, at most %d may", e.PeerBytes, peerBytesAllowed)
	}
	if e.Store != nil && e.Store.SentBytes < e.WantBytes {
		fault("the store counted %d bytes sent, its objects hold %d", e.Store.SentBytes, e.WantBytes)
	}
	faults = append(faults, copyFaults(e)...)
	if streams := min(arm.Streams, e.WantFiles); arm.Streams > 0 && e.LogRead && e.Threads != streams {
		fault("the downloader logged %d streams, the arm asks for %d", e.Threads, streams)
	}
	return faults
}

// copyFaults says where the replica is not what the primary is.
func copyFaults(e Evidence) []string {
	var faults []string
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	if e.PrimaryDocuments == 0 {
		fault("the primary holds no documents: there is nothing to prove")
	}
	if e.ReplicaDocuments != e.PrimaryDocuments {
		fault("the replica holds %d documents, the primary %d", e.ReplicaDocuments, e.PrimaryDocuments)
	}
	if len(e.Unequal) > 0 {
		fault("segments differ from the primary's: %s", strings.Join(e.Unequal, ", "))
	}
	if len(e.UnlikeFiles) > 0 {
		fault("the replica is not what the primary is, byte for byte: %s", strings.Join(e.UnlikeFiles, ", "))
	}
	if e.Merges > 0 {
		fault("%d merges ran on the primary", e.Merges)
	}
	return faults
}

// settingFaults says where the settings in force are not what the arm is about.
func settingFaults(arm Arm, inForce map[string]string) []string {
	var faults []string
	for _, name := range slices.Sorted(maps.Keys(arm.Settings)) {
		if want, got := arm.Settings[name], inForce[name]; !sameSetting(want, got) {
			faults = append(faults, fmt.Sprintf("setting %s read back as %q, the arm sets %q", name, got, want))
		}
	}
	if limit := inForce[SettingLimiter]; arm.Settings[SettingLimiter] == "" && limit != "" && !sameSetting("0", limit) {
		faults = append(faults, fmt.Sprintf(
			"the rate limit %s is %s and the arm leaves it alone: it may set the pace, not the streams (#10282)", SettingLimiter, limit))
	}
	return faults
}

// sameSetting compares a setting with how OpenSearch prints it: "0" comes back as "0b".
func sameSetting(want, got string) bool {
	return want == got || want+"b" == got || want == got+"b"
}
