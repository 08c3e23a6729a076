// Package recovery measures one replica recovery and gathers what proves which path it took.
//
// A Recovery is a value: times, bytes, evidence, and what is wrong with it. Whether it is
// fast enough is helpers/verdict's question, in which order recoveries are made
// helpers/experiment's. Nothing here knows containers: the bench that a recovery is
// measured on is handed in.
package recovery

import (
	"time"

	"streamgate/helpers/osapi"
)

// Arm is one configuration under test.
type Arm struct {
	// Name is what reports and claims call it.
	Name string `json:"name"`
	// Streams is the concurrency that the arm asks for; 0 when it leaves that to the node.
	Streams int `json:"streams"`
	// Settings are dynamic cluster settings, by flat name, Streams' one among them.
	Settings map[string]string `json:"settings"`
}

// Settings that decide how a replica downloads its segments.
const (
	// SettingStreams is how many files one shard downloads at a time; read at the start of
	// a download, so a change reaches the next recovery. It exists since 2.11.
	SettingStreams = "indices.recovery.max_concurrent_remote_store_streams"
	// SettingLimiter is the node's rate limit for recoveries, 40mb by default: with it left
	// alone both arms sit on the limiter and take the same time (#10282).
	SettingLimiter = "indices.recovery.max_bytes_per_sec"
)

// Unlimited is the arm with that many streams and the rate limit lifted.
func Unlimited(name string, streams int) Arm {
	arm := Arm{Name: name, Streams: streams, Settings: map[string]string{SettingLimiter: "0"}}
	if streams > 0 {
		arm.Settings[SettingStreams] = itoa(streams)
	}
	return arm
}

// Recovery is one measured replica recovery with its evidence: one line of
// recoveries.ndjson.
type Recovery struct {
	Round  int  `json:"round"` // from 1; 0 is the warm-up
	Arm    Arm  `json:"arm"`
	WarmUp bool `json:"warm_up,omitempty"`

	Start time.Time `json:"start"`
	// Total is the recovery API's total_time_in_millis of the replica. It is the one that is judged.
	Total time.Duration `json:"total_ns"`
	// Wall is from the request for a replica until the cluster state has it STARTED.
	Wall time.Duration `json:"wall_ns"`
	// Download is from the first to the last change of the downloaded bytes, as sampled.
	Download time.Duration `json:"download_ns"`

	Evidence Evidence `json:"evidence"`
	// Invalid says why this recovery cannot be judged; empty when its proof holds.
	Invalid []string `json:"invalid,omitempty"`
}

// BytesPerSecond is the proven bytes over the judged time.
func (r Recovery) BytesPerSecond() float64 {
	if r.Total <= 0 {
		return 0
	}
	return float64(r.Evidence.DownloadedBytes) / r.Total.Seconds()
}

// File is one object of the remote store that a replica has to fetch.
type File struct {
	Name      string `json:"name"` // as on a node's disk
	SizeBytes int64  `json:"size_bytes"`
}

// Sum is the size of all files together, in bytes.
func Sum(files []File) int64 {
	var bytes int64
	for _, file := range files {
		bytes += file.SizeBytes
	}
	return bytes
}

// Traffic is what the store itself has counted since it started.
type Traffic struct {
	Gets      int64 `json:"gets"`
	SentBytes int64 `json:"sent_bytes"`
}

// Point is one sample of a recovery's progress.
type Point struct {
	After time.Duration `json:"after_ns"` // since the request for a replica
	Bytes int64         `json:"bytes"`
}

// Evidence is what was read to prove a recovery, from sources that do not depend on each
// other: the cluster, the target's log and the store.
type Evidence struct {
	// Settings are the arm's and the rate limit, as they were in force before the recovery.
	Settings map[string]string `json:"settings"`

	// WantBytes and WantFiles are what lies in the remote store for the shard; where it cannot
	// be listed, the primary's segments.
	WantBytes int64 `json:"want_bytes"`
	WantFiles int   `json:"want_files"`
	// DownloadedBytes and FailedBytes are _remotestore/stats' count on the replica.
	DownloadedBytes int64 `json:"downloaded_bytes"`
	FailedBytes     int64 `json:"failed_bytes"`

	// PeerFiles and PeerBytes came from the primary's node after the download.
	PeerFiles int64 `json:"peer_files"`
	PeerBytes int64 `json:"peer_bytes"`
	// LogRead is false when the target's log was out of reach.
	LogRead bool `json:"log_read"`
	// Fallback is the target's log lines that tell of a download given up for a peer copy.
	Fallback []string `json:"fallback,omitempty"`

	// Store is what the store counted meanwhile; nil when it was out of reach.
	Store *Traffic `json:"store,omitempty"`

	// Threads is how many threads the downloader said it started; 0 when it did not say.
	Threads int `json:"threads"`
	// Concurrency is the time spent on files, summed over streams, divided by the download's.
	Concurrency float64 `json:"concurrency"`
	// PoolLargest is the most threads that the remote_recovery pool had since its node
	// started, PoolFiles how many files it finished in this recovery.
	PoolLargest int   `json:"pool_largest"`
	PoolFiles   int64 `json:"pool_files"`

	PrimaryDocuments int64 `json:"primary_documents"`
	ReplicaDocuments int64 `json:"replica_documents"`
	// Segments are the primary's; Unequal names those that differ on the replica.
	Segments int      `json:"segments"`
	Unequal  []string `json:"unequal,omitempty"`
	// FilesRead is how many segment files of the primary were read, there and on the replica, and
	// held against each other by their SHA-256; 0 when the disks were out of reach. UnlikeFiles
	// says how some differ.
	FilesRead   int      `json:"files_read,omitempty"`
	UnlikeFiles []string `json:"unlike_files,omitempty"`
	// Merges is how many merges ran on the primary when the recovery ended.
	Merges int64 `json:"merges"`

	// CPU is the busy share of all of this machine's processors meanwhile, 0 to 1; 0 when the
	// nodes run on other machines.
	CPU float64 `json:"cpu"`

	Progress []Point `json:"progress"`
}

// Node names one node of the cluster both ways.
type Node struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// NodeNamed finds a node by its name.
func NodeNamed(nodes map[string]osapi.Node, name string) (Node, bool) {
	for id, node := range nodes {
		if node.Name == name {
			return Node{id, name}, true
		}
	}
	return Node{}, false
}
