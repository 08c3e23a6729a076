package faults

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"streamgate/fixtures/stack"
	"streamgate/helpers/osapi"
	"streamgate/helpers/recovery"
)

// maxNamed is how many differences of a kind are named.
const maxNamed = 3

// stateOn is the state of the replica on a node; empty when there is none.
func (s *stand) stateOn(ctx context.Context, nodeID string) (string, error) {
	copies, err := s.bench.API.ShardCopies(ctx, index)
	for _, c := range copies {
		if !c.Primary && c.Node == nodeID {
			return c.State, err
		}
	}
	return "", err
}

// compare holds the replica on a node against the primary: segments by name and size, their
// files byte for byte, then every document, read from each copy. It says what differs;
// nothing when they are equal.
//
// Files and documents are asked for both: a damaged file may read well, in its postings for
// one, and whole files may be read wrongly.
func (s *stand) compare(ctx context.Context, node recovery.Node) ([]string, error) {
	copies, err := s.bench.API.Segments(ctx, index)
	if err != nil {
		return nil, fmt.Errorf("list the segments: %w", err)
	}
	var primary, replica map[string]osapi.Segment
	for _, c := range copies {
		switch {
		case c.Primary:
			primary = c.Segments
		case c.NodeID == node.ID:
			replica = c.Segments
		}
	}
	unequal := unlikeSegments(primary, replica)
	files, err := s.compareFiles(ctx, primary, node)
	if err != nil {
		return nil, err
	}
	unequal = append(unequal, files...)
	ours, err := readCopy(ctx, s.bench.API, index, s.bench.Primary.ID)
	if err != nil {
		return nil, fmt.Errorf("the primary: %w", err)
	}
	theirs, err := readCopy(ctx, s.bench.API, index, node.ID)
	if err != nil {
		return append(unequal, "the replica cannot be read: "+err.Error()), nil //nolint:nilerr // that is what was asked
	}
	return append(unequal, unlikeContent(ours, theirs)...), nil
}

// compareFiles holds the replica's segment files against the primary's, by their sums.
func (s *stand) compareFiles(ctx context.Context, segments map[string]osapi.Segment, node recovery.Node) ([]string, error) {
	uuid, err := s.uuid(ctx)
	if err != nil {
		return nil, err
	}
	var sums [2]map[string]string
	for i, name := range []string{s.bench.Primary.Name, node.Name} {
		at := slices.IndexFunc(s.stack.Nodes, func(n *stack.Node) bool { return n.Name == name })
		if at < 0 {
			return nil, fmt.Errorf("find the nodes: the stack has no %s", name)
		}
		if sums[i], err = s.stack.Nodes[at].SegmentSums(ctx, uuid, 0); err != nil {
			return nil, err
		}
	}
	_, unlike := recovery.UnlikeFiles(segments, sums[0], sums[1])
	return unlike, nil
}

// unlikeSegments says how the segments of two copies differ.
func unlikeSegments(primary, replica map[string]osapi.Segment) []string {
	if len(primary) == 0 {
		return []string{"the primary has no segment"}
	}
	var unlike []string
	names := slices.Collect(maps.Keys(primary))
	names = slices.AppendSeq(names, maps.Keys(replica))
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		p, ours := primary[name]
		r, theirs := replica[name]
		if ours != theirs || p.SizeBytes != r.SizeBytes || p.Documents != r.Documents {
			unlike = append(unlike, fmt.Sprintf("segment %s: %d bytes and %d documents, the primary's %d and %d",
				name, r.SizeBytes, r.Documents, p.SizeBytes, p.Documents))
		}
	}
	return unlike
}

// unlikeContent says how the documents of two copies differ.
func unlikeContent(primary, replica content) []string {
	if len(primary) == 0 {
		return []string{"the primary has no document"}
	}
	if primary.checksum() == replica.checksum() {
		return nil
	}
	unlike := []string{fmt.Sprintf("checksum of %d documents differs from that of the primary's %d", len(replica), len(primary))}
	var named int
	for _, id := range slices.Sorted(maps.Keys(primary)) {
		theirs, have := replica[id]
		if theirs == primary[id] && have || named == maxNamed {
			continue
		}
		named++
		if have {
			unlike = append(unlike, fmt.Sprintf("document %s differs", id))
		} else {
			unlike = append(unlike, fmt.Sprintf("document %s is not on the replica", id))
		}
	}
	return unlike
}
