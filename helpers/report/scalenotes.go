package report

import (
	"fmt"
)

// scaleNotes are what a reader has to know beside the tables, a line each: first what the
// prediction is and is not.
func scaleNotes(run ScaleRun) []string {
	list := predictionNotes(run)
	for _, p := range run.Points {
		if p.Missing != "" {
			list = append(list, fmt.Sprintf("%s with %s: not measured: %s", size(float64(p.CorpusBytes)), count(p.Streams, "stream", "streams"), clip(p.Missing, clipReason)))
		}
		if invalid := p.invalid(); len(invalid) > 0 {
			list = append(list, fmt.Sprintf("%s with %s: left out, since invalid: %s; the first because %s", size(float64(p.CorpusBytes)),
				count(p.Streams, "stream", "streams"), count(len(invalid), "recovery", "recoveries"), clip(invalid[0], clipReason)))
		}
	}
	return append(list,
		fmt.Sprintf("Best possible: %s and %v to the first byte for each connection, as set; efficiency is best possible over the median.", rate(float64(run.LinkRateBytes)), run.LinkFirstByte),
		fmt.Sprintf("Memory: samples of _nodes/stats and of the engine; the heap is %s and holds garbage until a collection. The container's is all that is no file, and does not shrink: "+
			"numbers of streams were measured in turn on one node a size, so the column that was measured later has the more.", size(float64(run.HeapBytes))),
		"Lines: "+scaleMethod+".")
}

// predictionNotes say what the prediction rests on.
func predictionNotes(run ScaleRun) []string {
	list := predictions(run)
	var notes []string
	var beyond float64
	for _, p := range list {
		if p.Missing != "" {
			notes = append(notes, fmt.Sprintf("No prediction with %s: %s.", count(p.Streams, "stream", "streams"), p.Missing))
			continue
		}
		beyond = max(beyond, p.Beyond)
		if share := run.ofLink(p); share < fullLink {
			notes = append(notes, fmt.Sprintf("With %s the line rises at %s, %s of what the link gives: processor, disk or OpenSearch set the pace on this machine, and the prediction is this machine's.",
				count(p.Streams, "stream", "streams"), rate(p.Fit.RateBytes), percent(share)))
		}
	}
	if beyond == 0 {
		return notes
	}
	how := "it lies within the sizes measured"
	if beyond > 1 {
		how = fmt.Sprintf("an extrapolation to %.1f times the largest size measured, with the number of streams where that is least", beyond)
	}
	return append([]string{
		fmt.Sprintf("%s is a prediction, not a measurement: %s. It assumes the same link, %s a connection; about as many files (%d segments), each larger in proportion; "+
			"and that processor, memory and disk do not begin to limit on the way.", seedSize, how, rate(float64(run.LinkRateBytes)), run.Segments),
		fmt.Sprintf("Measured by the seed report for its %s (OpenSearch's, %d bytes): %.3f min without multistream, %.3f min with it. Those were other machines, another link, and without multistream "+
			"the rate limiter at 40 MiB/s (#10282): they stand beside the prediction, and neither confirms the other.", seedSize, seedBytes, seedSingle.Minutes(), seedMulti.Minutes()),
	}, notes...)
}

// invalid are the first reasons of the recoveries that do not count.
func (p ScalePoint) invalid() []string {
	var list []string
	for _, r := range p.Recoveries {
		if !r.WarmUp && len(r.Invalid) > 0 {
			list = append(list, r.Invalid[0])
		}
	}
	return list
}
