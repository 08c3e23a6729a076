//go:build faults

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
its primary (count, segments by name and size, a checksum over every _id and _source read from
each copy), or fail for all to see. This file is written by a run of all scenarios:

    STREAMGATE_PROFILE=full go test -tags faults -count=1 -timeout 40m ./suites/faults -update

"Bytes from": remote – all from the store; peer – the download was given up, in a log line and
nowhere else, and the primary's node sent the files (#11331); earlier attempts – the recovery failed
and a later attempt found files on its disk, whose bytes no API counts any more. Remote and peer
bytes are what OpenSearch counts for the last attempt. Issue numbers are
opensearch-project/OpenSearch's.

`

// markdown is the README of a run.
func markdown(version string, outcomes []outcome) string {
	var text strings.Builder
	text.WriteString(head)
	fmt.Fprintf(&text, "OpenSearch %s, %.0f MB of documents in %d segments, link %.0f MB/s for all streams together, S3 read timeout %s:\n\n",
		version, corpusBytes/1e6, segments, rateBytes/1e6, readTimeout)
	text.WriteString("| scenario | streams | outcome | bytes from | remote | peer | time |\n|---|---|---|---|---|---|---|\n")
	for _, o := range outcomes {
		fmt.Fprintf(&text, "| %s | %d | %s | %s | %s | %s | %s |\n",
			o.scenario, o.streams, o.ending, o.source, megabytes(o.remoteBytes), megabytes(o.peerBytes), o.took.Round(time.Second/10))
	}
	text.WriteString("\n## What OpenSearch does\n\n")
	for _, x := range scenarios() {
		fmt.Fprintf(&text, "- **%s**: %s\n", x.name, x.does)
	}
	return text.String()
}
