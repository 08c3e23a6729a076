package report

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"path/filepath"
	"strings"
	"time"

	"streamgate/helpers/bundle"
	"streamgate/helpers/recovery"
)

// Files of a scale run. ScaleRecoveries has one ScaleRecovery a line, each on disk as soon as it
// has ended; Scale writes the others.
const (
	ScaleRecoveries = "recoveries.ndjson"
	ScaleJSON       = "scale.json"
	ScaleMarkdown   = "scale.md"
	ScaleHTML       = "scale.html"
)

//go:embed assets/scale.html.tmpl
var scaleTemplate string

var scalePage = template.Must(template.New("scale").Parse(scaleTemplate))

// ScaleRun is how time and memory grow with the size of a corpus and the number of streams.
type ScaleRun struct {
	RunID string    `json:"run_id"`
	Start time.Time `json:"start"`

	OpenSearch string `json:"opensearch_version"`
	Corpus     string `json:"corpus"` // its name, without a path
	// Segments are those of every size: files grow with the corpus, and do not become more.
	Segments      int           `json:"segments"`
	HeapBytes     int64         `json:"heap_bytes"`
	LinkRateBytes int64         `json:"link_rate_bytes_per_second"` // of a connection, as it was set
	LinkFirstByte time.Duration `json:"link_first_byte_ns"`
	Seed          uint64        `json:"seed"`
	Machine       bundle.Host   `json:"machine"`

	// Points are in rising order of size, then of streams.
	Points []ScalePoint `json:"points"`
}

// ScalePoint is one size with one number of streams.
type ScalePoint struct {
	CorpusBytes int64 `json:"corpus_bytes"` // as text, as it was asked for
	Streams     int   `json:"streams"`
	// IndexBytes and Files are what lies in the remote store; 0 where nothing was loaded.
	IndexBytes int64 `json:"index_bytes"`
	Files      int   `json:"files"`
	// Best is the best possible time on the link as it was set, of those files or, where there are
	// none, of as many equal ones as there are segments.
	Best time.Duration `json:"best_ns"`
	// Missing says in one line why it was not measured.
	Missing string `json:"missing,omitempty"`
	// Recoveries are those of this point, warm-ups included; they are in ScaleRecoveries.
	Recoveries []ScaleRecovery `json:"-"`
}

// ScaleRecovery is one recovery and what it took of the target's memory.
type ScaleRecovery struct {
	CorpusBytes       int64 `json:"corpus_bytes"`
	recovery.Recovery `json:"recovery"`
	Memory            Memory `json:"memory"`
}

// Memory is the target node's, the highest of the samples of a recovery but for the last; 0 is not
// known.
type Memory struct {
	Samples int `json:"samples"`
	// HeapBytes is the Java heap in use, garbage included that no collection has found yet.
	HeapBytes int64 `json:"heap_bytes"`
	// CollectedBytes is the same, of those samples alone that are the first after a collection:
	// about what is really held.
	CollectedBytes int64 `json:"collected_bytes"`
	// DirectBytes are Java's buffers outside of its heap.
	DirectBytes int64 `json:"direct_bytes"`
	// ContainerBytes is what the container has that is not a file, right after the recovery. It hardly
	// shrinks: a node's later recoveries start from what its earlier ones have left.
	ContainerBytes int64 `json:"container_bytes"`
}

// valid are the recoveries that count.
func (p ScalePoint) valid() []ScaleRecovery {
	var list []ScaleRecovery
	for _, r := range p.Recoveries {
		if !r.WarmUp && len(r.Invalid) == 0 {
			list = append(list, r)
		}
	}
	return list
}

// Scale writes the tables and the chart of a scale run into dir, with what they predict for the
// corpus of the seed report, and returns the tables as text.
func Scale(dir string, run ScaleRun) (text string, err error) {
	content, err := json.MarshalIndent(run, "", "  ")
	if err != nil {
		return "", fmt.Errorf("write %s: %w", ScaleJSON, err)
	}
	page, err := scaleHTML(run)
	if err != nil {
		return "", fmt.Errorf("write %s: %w", ScaleHTML, err)
	}
	for _, file := range []struct {
		name    string
		content []byte
	}{{ScaleMarkdown, []byte(scaleMarkdown(run))}, {ScaleHTML, page}, {ScaleJSON, append(content, '\n')}} {
		if err := bundle.WriteFile(filepath.Join(dir, file.name), file.content); err != nil {
			return "", fmt.Errorf("write %s: %w", file.name, err)
		}
	}
	return scaleText(run), nil
}

// scaleTitle is the run in one line.
func scaleTitle(run ScaleRun) string {
	return clip(fmt.Sprintf("Replica recovery by size and streams: OpenSearch %s, %s a connection, %s",
		clip(orUnknown(run.OpenSearch), 40), rate(float64(run.LinkRateBytes)), count(run.Machine.Cores, "core", "cores")), 160)
}

func scaleText(run ScaleRun) string {
	var b strings.Builder
	b.WriteString(scaleTitle(run) + "\n")
	for _, t := range scaleTables(run) {
		b.WriteString("\n" + t.Heading + "\n\n")
		table(&b, append([][]string{t.Heads}, t.Rows...))
	}
	b.WriteString("\n")
	for _, note := range scaleNotes(run) {
		wrap(&b, note, wideColumns)
	}
	return b.String()
}

func scaleMarkdown(run ScaleRun) string {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s\n\n", escape(scaleTitle(run)))
	for _, t := range scaleTables(run) {
		fmt.Fprintf(&b, "### %s\n\n", escape(t.Heading))
		markdownRow(&b, t.Heads...)
		markdownRule(&b, "l"+strings.Repeat("r", len(t.Heads)-1))
		for _, row := range t.Rows {
			markdownRow(&b, row...)
		}
		b.WriteString("\n")
	}
	for _, note := range scaleNotes(run) {
		fmt.Fprintf(&b, "- %s\n", escape(note))
	}
	return b.String()
}

// scaleHTML is one page that stands alone, as HTML writes it for a run.
func scaleHTML(run ScaleRun) ([]byte, error) {
	library, err := echarts()
	if err != nil {
		return nil, err
	}
	content := struct {
		Title           string
		Notes           []string
		Tables          []scaleTable
		Chart           chart
		Style           template.CSS
		Library, Script template.JS
	}{
		Title: scaleTitle(run), Notes: scaleNotes(run), Tables: scaleTables(run), Chart: scaleChart(run),
		// These three are files of this package, not data of a run.
		Style: template.CSS(pageStyle), Library: template.JS(library), Script: template.JS(pageScript),
	}
	var page bytes.Buffer
	err = scalePage.Execute(&page, content)
	return page.Bytes(), err
}
