package issues

import (
	"streamgate/fixtures/stack"
)

// opensearch-project/OpenSearch#18962 is about nodes whose remote store attributes differ:
// all of a cluster must have the same, cluster managers without data included.
//
//	Set up    two nodes, the second with another base_path in its repository's attributes
//	Measured  the first line of a node's log that names the refusal
//	Claimed   the exact words, with both nodes
var issue18962 = report{
	numbers:  []int{18962},
	shows:    "a node whose remote store attributes differ is refused, and the log says which two do not match",
	versions: "2.10 and later",
	untimed:  true,
	scenario: func(s *scenario) {
		refusal := s.refuse(func(spec *stack.Spec) {
			spec.NodeSettings = map[string]map[string]string{"node-2": {
				"node.attr.remote_store.repository." + stack.Repository + ".settings.base_path": "elsewhere",
			}}
		}, "incompatible node attributes")
		s.keepFile("refusal.txt", []byte(refusal.Line+"\n"))
		s.contains("the refusal", refusal.Line, "a remote store node [{node-2}")
		s.contains("its reason", refusal.Line, "is trying to join a remote store cluster with incompatible node attributes in comparison with existing node [{node-1}")
		s.between("seconds from the first container to the line", refusal.After.Seconds(), 0, 60)
	},
}
