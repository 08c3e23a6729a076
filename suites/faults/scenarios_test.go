package faults

import (
	"slices"
	"time"
)

// strikeAt is the share of the shard's bytes at which most faults strike: well into the
// download, with most of it to come.
const strikeAt = 0.3

// both are the suite's two arms: one connection at a time, and eight.
var both = []int{1, 8}

// What most expectations are made of.
var (
	isEqual, isFailed = []ending{equal}, []ending{failed}
	fromRemote        = []source{remote}
	fromPeer          = []source{peer}
	fromNowhere       = []source{nowhere}
	again             = []source{peer, attempts}
)

// Texts in which OpenSearch names its trouble.
const (
	fellBack = "will continue with peer to peer segment copy"
	noList   = "Exception when listing blobs by prefix"
)

// scenarios are all there are, by what is broken.
func scenarios() []scenario {
	return slices.Concat(linkScenarios(), storeScenarios(), objectScenarios(), nodeScenarios(), indexScenarios())
}

func linkScenarios() []scenario {
	return []scenario{
		{
			name: "link slower", streams: both,
			fault: fault{at: strikeAt, strike: linkSlow(100_000), heal: clearLink, last: 3 * time.Second},
			does:  "waits: bytes come, if slowly, so no timeout of the S3 client passes.",
			want:  expectation{ending: isEqual, source: fromRemote, least: 3 * time.Second, most: limit},
		},
		{
			name: "latency spike", streams: both,
			fault: fault{at: strikeAt, strike: linkDelay(500 * time.Millisecond), heal: clearLink, last: 3 * time.Second},
			does:  "waits: half a second more for each answer is below the S3 client's read timeout.",
			want:  expectation{ending: isEqual, source: fromRemote, least: 2 * time.Second, most: limit},
		},
		{
			name: "link breaks once", streams: both,
			fault: fault{at: strikeAt, strike: linkBreak},
			does: "rides it out: the repository's stream asks for the rest of each object that was cut, up to three times (S3RetryingInputStream). " +
				"With one stream this is one GET that fails; Toxiproxy knows no requests, so failing the k-th GET only cannot be had.",
			want: expectation{ending: isEqual, source: fromRemote, least: time.Second, most: limit},
		},
		{
			name: "link resets for good", streams: both,
			fault: fault{at: strikeAt, strike: linkReset, heal: clearLink},
			does:  givesUp,
			want:  expectation{ending: isFailed, source: fromNowhere, says: noList, least: time.Second, most: limit},
		},
		{
			name: "answers truncated", streams: both, quick: 1,
			fault: fault{strike: linkCut(100_000), heal: clearLink},
			does: "gives the download up after four GETs per object (S3RetryingInputStream; no file is asked for again, #8885) and lets the primary's node " +
				"send the files, which shows in one line of the target's log: the replica is whole and green, and nothing of it came from the store " +
				"(#11331, since 2.12). Metadata is small enough to pass.",
			want: expectation{ending: isEqual, source: fromPeer, says: fellBack, least: 0, most: limit},
		},
		{
			name: "link stalls", streams: both,
			fault: fault{at: strikeAt, strike: linkStall, heal: clearLink},
			does: givesUp + " Each attempt waits out four read timeouts; with the default of 50 s the five of them take half an hour. " +
				"It does end: a recovery that hangs for ever (#20177, #22763) was not seen here.",
			want: expectation{ending: isFailed, source: fromNowhere, says: "Read timed out", least: 4 * time.Second, most: limit},
		},
	}
}

// givesUp is what becomes of a recovery that cannot reach the store any more.
const givesUp = "fails the replica for all to see, and for good: see Giving up."

// givingUp is why, for the README.
const givingUp = `When the store cannot be reached the download is given up for a peer copy, but that needs the store
as well: the target lists the shard's metadata when it opens its engine, and each later attempt lists
it before it starts. Five attempts (index.allocation.max_retries) follow each other without a pause and
are spent in seconds. Then the replica stays unassigned until someone calls
_cluster/reroute?retry_failed=true, also when the store is back.
`

func storeScenarios() []scenario {
	return []scenario{
		{
			name: "MinIO killed and restarted", streams: both,
			fault: fault{at: strikeAt, strike: storeKill, heal: storeStart, last: time.Second},
			does: "recovers in a later attempt, when the store is back before all five are spent: files that an earlier attempt " +
				"has brought, most of them from the primary's node, are used again. Whether the last attempt finds them or copies them itself is a race, " +
				"so the bytes are counted as the one or the other.",
			want: expectation{ending: isEqual, source: again, says: fellBack, least: time.Second, most: limit},
		},
		{
			name: "MinIO away for 5 s", streams: both,
			fault: fault{at: strikeAt, strike: storeKill, heal: storeStart, last: 5 * time.Second},
			does: "fails the replica for good, as a store that stays away does: five attempts are spent in some 4 s. On a slow machine the last attempt can come after " +
				"MinIO, and succeed; either is right, and a replica that is green must be equal.",
			want: expectation{ending: []ending{failed, equal}, source: []source{nowhere, peer, attempts}, least: time.Second, most: limit},
		},
		{
			name: "MinIO away", streams: both,
			fault: fault{at: strikeAt, strike: storeKill, heal: storeStart},
			does:  givesUp,
			want:  expectation{ending: isFailed, source: fromNowhere, says: noList, least: time.Second, most: limit},
		},
		{
			name: "link away for longer than any timeout", streams: both,
			fault: fault{at: strikeAt, strike: linkDown, heal: linkUp, last: 10 * time.Second},
			does:  givesUp,
			want:  expectation{ending: isFailed, source: fromNowhere, says: "Connection refused", least: time.Second, most: limit},
		},
		{
			name: "bucket read-only", streams: both,
			fault: fault{at: strikeAt, strike: storeReadOnly, heal: storeWritable},
			does:  "does not notice: a replica only reads.",
			want:  expectation{ending: isEqual, source: fromRemote, least: time.Second, most: limit},
		},
		{
			name: "credentials revoked", streams: both,
			fault: fault{at: strikeAt, strike: storeRevoke, heal: storeGrant},
			does:  givesUp + " (MinIO reads its credentials at its start only, so this begins with a restart of a second.)",
			want:  expectation{ending: isFailed, source: fromNowhere, says: "Status Code: 403", least: time.Second, most: limit},
		},
	}
}

func objectScenarios() []scenario {
	return []scenario{
		{
			name: "object damaged by one byte", streams: both, quick: 8,
			fault: fault{strike: damage, heal: putBack},
			does: "does not notice, and serves the damage: the index is green, and a search on the replica returns other documents than the primary's or fails. " +
				"Nothing sums up the bytes of a file that came from the store: what is compared, after the download and in the peer phase, is the file's length and " +
				"the checksum that its footer states, which one byte elsewhere does not change (Store.MetadataSnapshot and IndexShard.localDirectoryContains read it with " +
				"CodecUtil.retrieveChecksum). Lucene sums up its small metadata files when it opens them, and whole data files only when it merges, which a replica never does. " +
				"A check after the download (#8740, by #10119) was taken out again for its cost, to rely on the store's own checksum (#10847): " +
				"neither 2.11.0, 2.11.1 nor 2.12.0 has it. Besides, since #19220 the S3 client verifies none unless it must (WHEN_REQUIRED), and one that the store made of damaged bytes would fit anyway. " +
				"#12294, open, asks for a design. This is a defect: the day it is mended, this scenario fails.",
			want: expectation{ending: []ending{wrong}, source: fromRemote, least: time.Second, most: limit},
		},
		{
			name: "object damaged, index.shard.check_on_startup: checksum", streams: []int{8},
			fault: fault{strike: damageChecked, heal: putBack}, spoils: true,
			does: "finds the damage: with that setting each copy's files are summed up before it starts, which reads all of them. The download is thrown away, " +
				"the primary's node sends everything (error while listing local files, recovering as if there are none), and the replica is right. " +
				"The setting is off by default, and an open index does not take it.",
			want: expectation{ending: isEqual, source: fromPeer, says: "checksum failed", least: time.Second, most: limit},
		},
		{
			name: "object damaged in its checksum", streams: both,
			fault: fault{strike: damageFooter, heal: putBack},
			does: "downloads all, finds in the peer phase that one file does not state the primary's checksum, and lets the primary's node send that one. No log line tells. " +
				"With the scenarios before it shows what is compared: what the footer says, not what the file holds.",
			want: expectation{ending: isEqual, source: fromPeer, least: time.Second, most: limit},
		},
		{
			name: "object truncated by one byte", streams: both,
			fault: fault{strike: truncate, heal: putBack},
			does: "downloads all, and finds in the peer phase that one file has not the length and checksum of the primary's: " +
				"the primary's node sends that one. No log line tells.",
			want: expectation{ending: isEqual, source: fromPeer, least: time.Second, most: limit},
		},
		{
			name: "object removed", streams: both,
			fault: fault{strike: remove, heal: putBack},
			does: "gives the download up at the missing object and copies everything from the primary's node, which one line of the target's log tells (#11331). " +
				"It happens without anyone's doing when the primary's node deletes merged segments while a replica is slow to fetch them (#11328, #11455, both open).",
			want: expectation{ending: isEqual, source: fromPeer, says: fellBack, most: limit},
		},
	}
}

func nodeScenarios() []scenario {
	return []scenario{
		{
			name: "primary's node killed", streams: both,
			fault: fault{at: strikeAt, strike: killPrimary, heal: startPrimary, last: 3 * time.Second},
			does: "turns the index red, since no copy in sync is left, and waits. When the node is back, its primary downloads its translog from the store, twice and " +
				"over one connection (which has an eighth of the link when 8 streams share it, hence the time), and starts from its disk; " +
				"then the replica's recovery begins anew, with the files that are there.",
			want: expectation{ending: isEqual, source: again, least: 5 * time.Second, most: limit},
		},
		{
			name: "target's node killed", streams: both,
			fault: fault{at: strikeAt, strike: killTarget, heal: startTarget, last: time.Second},
			does: "starts again when the node is back: files that were whole are used again, those that were not are found out by their " +
				"footer and fetched anew from the store. Nothing of this shows but in the counted bytes, which are less than the shard's.",
			want: expectation{ending: isEqual, source: []source{remote, attempts}, least: 5 * time.Second, most: limit},
		},
		{
			name: "target paused for 20 s", streams: both,
			fault: fault{at: strikeAt, strike: pauseTarget, heal: unpauseTarget, last: 20 * time.Second},
			does:  "goes on where it was: the node is not missed before its third failed check (10 s each), and what the link had sent waits in the socket.",
			want:  expectation{ending: isEqual, source: fromRemote, least: 20 * time.Second, most: limit},
		},
	}
}

func indexScenarios() []scenario {
	return []scenario{
		{
			name: "second replica while the first recovers", streams: both,
			fault: fault{at: strikeAt, strike: secondReplica}, settle: settleSecond,
			does: "recovers both, each from the store.",
			want: expectation{ending: isEqual, source: fromRemote, least: time.Second, most: limit},
		},
		{
			name: "index deleted", streams: both, quick: 1,
			fault: fault{at: strikeAt, strike: deleteIndex}, spoils: true,
			does: "cancels the recovery; no node keeps a file of the shard.",
			want: expectation{ending: []ending{gone}, source: fromNowhere, most: limit},
		},
		{
			name: "writes going on", streams: both,
			fault: fault{at: 0.1, strike: write, heal: stopWriting}, settle: settleWrites, spoils: true,
			does: "downloads what was there at its start; what is written meanwhile follows with the next refresh, by segment replication. " +
				"No acknowledged document is missing on the replica.",
			want: expectation{ending: isEqual, source: fromRemote, least: time.Second, most: limit},
		},
	}
}
