package report

import (
	"fmt"
	"strings"

	"streamgate/helpers/recovery"
)

// evidenceHeads are the columns of the evidence table, evidenceCells its cells.
var evidenceHeads = []string{
	"round", "arm", "proof", "time", "wall", "download", "downloaded", "failed", "from peer",
	"store sent", "streams used", "concurrency", "documents", "segments", "files alike", "CPU",
}

// evidenceLegend says what the columns are and where each comes from, for who has not read the code.
var evidenceLegend = []string{
	"time: what the recovery API calls the total time, and what is judged; wall: from the request for a replica until it is STARTED; download: from the first byte to the last, as sampled",
	"downloaded, failed: what _remotestore/stats counts on the replica's node, against the sizes of the shard's objects in the store",
	"from peer: what the primary's node sent; its commit file always comes from there, segment files must not",
	"store sent: what the store says itself: the files, and a few GETs more for their list",
	"streams used: threads that the downloading node's log tells of; concurrency: files under way at a time, on average",
	"documents, segments: of the replica against the primary; files alike: segment files on both disks with equal SHA-256",
	"CPU: busy share of all processors meanwhile",
}

func evidenceCells(r recovery.Recovery) []string {
	e := r.Evidence
	round, sent, threads := fmt.Sprint(r.Round), unknown, unknown
	if r.WarmUp {
		round = "warm-up"
	}
	if e.Store != nil {
		sent = fmt.Sprintf("%d B in %d GETs", e.Store.SentBytes, e.Store.Gets)
	}
	if e.Threads > 0 {
		threads = fmt.Sprint(e.Threads)
	}
	alike := unknown
	if e.FilesRead > 0 {
		alike = outOf(int64(max(0, e.FilesRead-len(e.UnlikeFiles))), int64(e.FilesRead))
	}
	proof := "holds"
	if len(r.Invalid) > 0 {
		proof = "invalid: " + strings.Join(r.Invalid, "; ")
	}
	return []string{
		round, r.Arm.Name, proof, seconds(r.Total), seconds(r.Wall), seconds(r.Download),
		outOf(e.DownloadedBytes, e.WantBytes) + " B", fmt.Sprintf("%d B", e.FailedBytes),
		fmt.Sprintf("%s, %d B", count(int(e.PeerFiles), "file", "files"), e.PeerBytes), sent, threads,
		fmt.Sprintf("%.2f", e.Concurrency),
		outOf(e.ReplicaDocuments, e.PrimaryDocuments), fmt.Sprint(e.Segments), alike, percent(e.CPU),
	}
}

// outOf writes how much of something is there, short when it is all.
func outOf(have, want int64) string {
	if have == want {
		return fmt.Sprintf("all %d", have)
	}
	return fmt.Sprintf("%d of %d", have, want)
}
