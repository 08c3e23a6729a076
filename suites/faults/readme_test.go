package faults

import (
	"fmt"
	"os"
	"strings"
	"time"
)

const readme = "README.md"

// writeReadme writes the suite's README from a run of all scenarios.
func writeReadme(version string, outcomes []outcome) error {
	if err := os.WriteFile(readme, []byte(markdown(version, outcomes)), 0o644); err != nil {
		return fmt.Errorf("write the table: %w", err)
	}
	return nil
}

const head = `# Recovery under faults

A replica recovers from the remote store while something breaks. It must end as a proven equal of
its primary, or fail for all to see. A plain go test plays a few of them, in under
a minute; make faults plays all. This file is written by a run of all:

    go test -count=1 -v ./suites/faults
    STREAMGATE_SCENARIOS=all go test -count=1 -v -timeout 40m ./suites/faults -update
    go test -count=1 -v ./suites/faults -scenario 'object removed'

The outcome is one of

- **equal**: the replica is STARTED and proven: documents counted, segments by name and size, each
  segment file byte for byte (SHA-256 on both nodes), a checksum over every _id and _source read
  from each copy;
- **failed visibly**: there is no replica, the index is not green, allocation explain and the
  target's log say why;
- **index gone**: the index was deleted, no node holds a file of it;
- **GREEN AND WRONG**: the index is green and the replica is not the primary's equal. It is what
  must never be: see Findings.

"Bytes from": remote – all from the store; peer – the primary's node sent files, which shows in a
log line at most (#11331); earlier attempts – the recovery failed and a later attempt found files
on its disk, whose bytes no API counts any more. Remote and peer bytes are what OpenSearch counts
for the last attempt. "A gate" is what the proof of a measured recovery (helpers/recovery) makes of
it: it takes only what came from the store and is the primary's byte for byte, so every fallback
and every wrong replica must be refused. Issue numbers are opensearch-project/OpenSearch's; those of
pull requests are among them.

`

// loud is the ending as the table prints it: one that must not be is not to be overlooked.
func (e ending) loud() string {
	if e == wrong {
		return "**" + strings.ToUpper(string(e)) + "**"
	}
	return string(e)
}

// findings are the outcomes that must not be, with what the proof found.
func findings(outcomes []outcome) string {
	var text strings.Builder
	for _, o := range outcomes {
		if o.ending == wrong {
			fmt.Fprintf(&text, "- **%s**, streams: %d: the index is green, and %s.\n", o.scenario, o.streams, strings.Join(o.unequal, "; "))
		}
	}
	if text.Len() == 0 {
		return ""
	}
	return "\n## Findings\n\nOpenSearch ended in neither of the two right ways:\n\n" + text.String()
}

// markdown is the README of a run.
func markdown(version string, outcomes []outcome) string {
	var text strings.Builder
	text.WriteString(head)
	fmt.Fprintf(&text, "OpenSearch %s, %.0f MB of documents in %d segments, link %.0f MB/s for all streams together, S3 read timeout %s:\n\n",
		version, corpusBytes/1e6, segments, rateBytes/1e6, readTimeout)
	text.WriteString("| scenario | streams | outcome | bytes from | remote | peer | time | a gate |\n|---|---|---|---|---|---|---|---|\n")
	for _, o := range outcomes {
		fmt.Fprintf(&text, "| %s | %d | %s | %s | %s | %s | %s | %s |\n",
			o.scenario, o.streams, o.ending.loud(), o.source, megabytes(o.remoteBytes), megabytes(o.peerBytes), o.took.Round(time.Second/10), o.gate())
	}
	text.WriteString(findings(outcomes))
	text.WriteString("\n## What OpenSearch does\n\n")
	for _, x := range scenarios() {
		fmt.Fprintf(&text, "- **%s**: %s\n", x.name, x.does)
	}
	text.WriteString("\n### Giving up\n\n" + givingUp)
	return text.String()
}
