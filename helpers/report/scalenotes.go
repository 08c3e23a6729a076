package report

import "fmt"

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
		fmt.Sprintf("Memory: heap in use (of %s, with garbage until a collection) and direct buffers are the highest samples of _nodes/stats, five a second; the container's is all that is no file, as the engine "+
			"says after the recovery. It hardly shrinks, and numbers of streams take turns on one node a size: between columns it says little, between sizes more.", size(float64(run.HeapBytes))),
		"Lines: "+scaleMethod+". Off by is the largest distance of a size's median from its line, beyond how many times the largest size measured is predicted, range the least and the most that is predicted without one of the sizes.")
}

// predictionNotes say what the prediction rests on.
func predictionNotes(run ScaleRun) []string {
	list := predictions(run)
	var notes []string
	var nearest, farthest float64
	for _, p := range list {
		if p.Missing != "" {
			notes = append(notes, fmt.Sprintf("No prediction with %s: %s.", count(p.Streams, "stream", "streams"), p.Missing))
			continue
		}
		if farthest = max(farthest, p.Beyond); nearest == 0 || p.Beyond < nearest {
			nearest = p.Beyond
		}
		switch share := run.ofLink(p); {
		case share > overLink:
			notes = append(notes, fmt.Sprintf("With %s the line rises at %s, more than the link gives: the sizes are too small, and what is beside the download hides it. No prediction stands on that.",
				count(p.Streams, "stream", "streams"), rate(p.Fit.RateBytes)))
		case share < fullLink:
			notes = append(notes, fmt.Sprintf("With %s the line rises at %s, %s of what the link gives: processor, disk or OpenSearch set the pace on this machine, and the prediction is this machine's.",
				count(p.Streams, "stream", "streams"), rate(p.Fit.RateBytes), percent(share)))
		}
	}
	if farthest == 0 {
		return notes
	}
	how := "it lies within the sizes measured"
	if farthest > 1 {
		how = "it is an extrapolation, " + plain(nearest, 2)
		if plain(farthest, 2) != plain(nearest, 2) {
			how += " to " + plain(farthest, 2)
		}
		how += " times as far as was measured with that many streams"
	}
	return append([]string{
		fmt.Sprintf("%s is a prediction, not a measurement: %s. It assumes the same link, %s a connection; about as many files (%d segments), each larger in proportion; "+
			"and that processor, memory and disk do not begin to limit on the way.", seedSize, how, rate(float64(run.LinkRateBytes)), run.Segments),
		fmt.Sprintf("Measured by the seed report for its %s (%d bytes, which OpenSearch shows as 34.1gb): %.3f min without multistream, %.3f min with it. Those were other machines, another link, and without multistream "+
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
