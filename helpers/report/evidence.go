package report

import (
	"fmt"
	"strings"

	"streamgate/helpers/recovery"
)

// evidenceHeads are the columns of the evidence table, evidenceCells its cells.
var evidenceHeads = []string{
	"round", "arm", "proof", "time", "wall", "download", "downloaded", "failed", "from peer",
	"GETs", "streams used", "concurrency", "pool", "documents", "segments", "files alike", "CPU",
}

func evidenceCells(r recovery.Recovery) []string {
	e := r.Evidence
	round, gets, threads := fmt.Sprint(r.Round), unknown, unknown
	if r.WarmUp {
		round = "warm-up"
	}
	if e.Store != nil {
		gets = fmt.Sprint(e.Store.Gets)
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
		fmt.Sprintf("%s, %d B", count(int(e.PeerFiles), "file", "files"), e.PeerBytes), gets, threads,
		fmt.Sprintf("%.2f", e.Concurrency), fmt.Sprint(e.PoolLargest),
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
