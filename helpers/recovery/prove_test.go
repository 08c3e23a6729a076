package recovery_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"streamgate/helpers/recovery"
)

// proven is the evidence of a recovery that did what its arm, eight streams, asks for.
func proven() recovery.Evidence {
	return recovery.Evidence{
		Settings:  map[string]string{recovery.SettingStreams: "8", recovery.SettingLimiter: "0b"},
		WantBytes: 201_369_206, WantFiles: 79, DownloadedBytes: 201_369_206,
		PeerFiles: 2, PeerBytes: 5120,
		Store:   &recovery.Traffic{Gets: 82, SentBytes: 201_418_022},
		LogRead: true, Threads: 8, PoolLargest: 8, PoolFiles: 79, Concurrency: 7.6,
		PrimaryDocuments: 212_345, ReplicaDocuments: 212_345, Segments: 50, FilesRead: 79, CPU: 0.6,
	}
}

// Is a recovery that came whole from the remote store, with its arm's settings, found proven?
// All the others of this file are this one, spoilt in one place.
func TestProveFindsNothing(t *testing.T) {
	for name, c := range map[string]struct {
		arm    recovery.Arm
		change func(*recovery.Evidence)
	}{
		"the whole evidence":                        {recovery.Unlimited("multi", 8), func(*recovery.Evidence) {}},
		"a store and a log out of reach":            {recovery.Unlimited("multi", 8), func(e *recovery.Evidence) { e.Store, e.LogRead, e.Threads = nil, false, 0 }},
		"a store that sent no byte too many":        {recovery.Unlimited("multi", 8), func(e *recovery.Evidence) { e.Store.SentBytes = e.WantBytes }},
		"fewer files than streams":                  {recovery.Unlimited("multi", 8), func(e *recovery.Evidence) { e.WantFiles, e.Threads = 3, 3 }},
		"streams left to the node":                  {recovery.Unlimited("default", 0), func(e *recovery.Evidence) { e.Threads = 2 }},
		"a limit that the node printed as it was":   {recovery.Unlimited("multi", 8), func(e *recovery.Evidence) { e.Settings[recovery.SettingLimiter] = "0" }},
		"a setting of the node's that no arm asked": {recovery.Unlimited("multi", 8), func(e *recovery.Evidence) { e.Settings["other"] = "1" }},
	} {
		t.Run(name, func(t *testing.T) {
			evidence := proven()
			c.change(&evidence)
			assert.Empty(t, recovery.Prove(c.arm, evidence))
		})
	}
}

// Is each fault found, alone and in words? Every row spoils one thing and wants one line; the
// text is what stands in the report.
func TestProveNamesEachFault(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(*recovery.Evidence)
		want  string
	}{
		"other streams read back": {
			func(e *recovery.Evidence) { e.Settings[recovery.SettingStreams] = "1" },
			`setting indices.recovery.max_concurrent_remote_store_streams read back as "1", the arm sets "8"`},
		"a setting the version does not know": {
			func(e *recovery.Evidence) { delete(e.Settings, recovery.SettingStreams) },
			`setting indices.recovery.max_concurrent_remote_store_streams read back as "", the arm sets "8"`},
		"a limit": {
			func(e *recovery.Evidence) { e.Settings[recovery.SettingLimiter] = "40mb" },
			`setting indices.recovery.max_bytes_per_sec read back as "40mb", the arm sets "0"`},
		"more than a commit from the peer": {
			func(e *recovery.Evidence) { e.PeerBytes = 1<<20 + 1 },
			"1048577 bytes came from the primary's node, at most 1048576 may"},
		"no documents": {
			func(e *recovery.Evidence) { e.PrimaryDocuments, e.ReplicaDocuments = 0, 0 },
			"the primary holds no documents: there is nothing to prove"},
		"a fallback": {
			func(e *recovery.Evidence) {
				e.Fallback = []string{"[node-2] Exception while downloading segment files from remote store, will continue with peer to peer segment copy", "another"}
			},
			"the download was given up for a peer copy: [node-2] Exception while downloading segment files from remote store, will continue with peer to peer segment copy"},
		"failed bytes": {
			func(e *recovery.Evidence) { e.FailedBytes = 1 },
			"1 bytes of downloads failed"},
		"a byte too few downloaded": {
			func(e *recovery.Evidence) { e.DownloadedBytes-- },
			"201369205 bytes came from the remote store, its objects hold 201369206"},
		"a byte too many downloaded": {
			func(e *recovery.Evidence) { e.DownloadedBytes++ },
			"201369207 bytes came from the remote store, its objects hold 201369206"},
		"nothing to compare with": {
			func(e *recovery.Evidence) { e.WantBytes, e.DownloadedBytes = 0, 0 },
			"no file of the shard is known in the remote store: there is nothing to prove"},
		"a log that tells of no stream": {
			func(e *recovery.Evidence) { e.Threads = 0 },
			"the downloader logged 0 streams, the arm asks for 8"},
		"a file from the peer": {
			func(e *recovery.Evidence) { e.PeerFiles, e.PeerBytes = 3, 4_000_000 },
			"3 files (4000000 bytes) came from the primary's node, at most 2 may"},
		"a store that sent too little": {
			func(e *recovery.Evidence) { e.Store.SentBytes = e.WantBytes - 1 },
			"the store counted 201369205 bytes sent, its objects hold 201369206"},
		"a document missing": {
			func(e *recovery.Evidence) { e.ReplicaDocuments-- },
			"the replica holds 212344 documents, the primary 212345"},
		"a document too many": {
			func(e *recovery.Evidence) { e.ReplicaDocuments++ },
			"the replica holds 212346 documents, the primary 212345"},
		"segments that differ": {
			func(e *recovery.Evidence) { e.Unequal = []string{"_3", "_k"} },
			"segments differ from the primary's: _3, _k"},
		"a file with other bytes": {
			func(e *recovery.Evidence) { e.UnlikeFiles = []string{"file _3.cfs has other bytes than the primary's"} },
			"the replica is not what the primary is, byte for byte: file _3.cfs has other bytes than the primary's"},
		"a merge": {
			func(e *recovery.Evidence) { e.Merges = 1 },
			"1 merges ran on the primary"},
		"too few streams": {
			func(e *recovery.Evidence) { e.Threads = 4 },
			"the downloader logged 4 streams, the arm asks for 8"},
		"too many streams": {
			func(e *recovery.Evidence) { e.Threads = 9 },
			"the downloader logged 9 streams, the arm asks for 8"},
		"too few streams for few files": {
			func(e *recovery.Evidence) { e.WantFiles, e.Threads = 3, 2 },
			"the downloader logged 2 streams, the arm asks for 3"},
	} {
		t.Run(name, func(t *testing.T) {
			evidence := proven()
			c.spoil(&evidence)
			assert.Equal(t, []string{c.want}, recovery.Prove(recovery.Unlimited("multi", 8), evidence))
		})
	}
}

// Is an arm that forgot the rate limit found out? At its default of 40mb both arms sit on it and
// take the same time; lifted by somebody else, or unknown to the version, it does not matter.
func TestProveNamesALimiterLeftAlone(t *testing.T) {
	forgotten := recovery.Arm{Name: "multi", Streams: 8, Settings: map[string]string{recovery.SettingStreams: "8"}}
	evidence := proven()
	assert.Empty(t, recovery.Prove(forgotten, evidence), "lifted")
	evidence.Settings[recovery.SettingLimiter] = "40mb"
	assert.Equal(t, []string{"the rate limit indices.recovery.max_bytes_per_sec is 40mb and the arm leaves it alone: " +
		"it may set the pace, not the streams (#10282)"}, recovery.Prove(forgotten, evidence))
	delete(evidence.Settings, recovery.SettingLimiter)
	assert.Empty(t, recovery.Prove(forgotten, evidence), "unknown")
}

// Is more than one fault told, settings in one order? Go's maps have none.
func TestProveNamesAllFaults(t *testing.T) {
	arm := recovery.Unlimited("multi", 8)
	evidence := proven()
	evidence.Settings, evidence.FailedBytes = nil, 8_000_000
	for range 20 {
		faults := recovery.Prove(arm, evidence)
		require.Len(t, faults, 3)
		assert.Contains(t, faults[0], recovery.SettingLimiter)
		assert.Contains(t, faults[1], recovery.SettingStreams)
		assert.Equal(t, "8000000 bytes of downloads failed", faults[2])
	}
}

// What does an arm set? Without streams it must leave the node's own number alone.
func TestUnlimited(t *testing.T) {
	assert.Equal(t, recovery.Arm{Name: "multi", Streams: 8, Settings: map[string]string{
		"indices.recovery.max_concurrent_remote_store_streams": "8", "indices.recovery.max_bytes_per_sec": "0",
	}}, recovery.Unlimited("multi", 8))
	assert.Equal(t, map[string]string{"indices.recovery.max_bytes_per_sec": "0"}, recovery.Unlimited("default", 0).Settings)
}
