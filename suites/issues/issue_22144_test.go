package issues

import (
	"streamgate/fixtures/stack"
)

// opensearch-project/OpenSearch#22144 made AES256 the default of the repository setting
// server_side_encryption_type, for buckets that demand the header. A store without a KMS
// refuses it: since 3.8 nodes with a MinIO remote store do not start (#22729); #23041 takes
// it back.
//
//	Set up    a stack whose nodes do not set server_side_encryption_type
//	Measured  the first line of a node's log that names the refusal, and when
//	Claimed   it is the known one, and it comes in seconds, not as a start that timed out
var issue22144 = report{
	numbers:  []int{22144},
	shows:    "with the default encryption a node refuses a MinIO without KMS, and says so within seconds",
	versions: "3.8",
	untimed:  true,
	scenario: func(s *scenario) {
		refusal := s.refuse(func(spec *stack.Spec) {
			spec.Settings["node.attr.remote_store.repository."+stack.Repository+".settings.server_side_encryption_type"] = ""
		}, "KMS is not configured")
		s.keepFile("refusal.txt", []byte(refusal.Line+"\n"))
		s.contains("the log names the refusal", refusal.Line, "Server side encryption specified but KMS is not configured")
		s.contains("and its status", refusal.Line, "Status Code: 501")
		s.between("seconds from the first container to the line", refusal.After.Seconds(), 0, 60)
	},
}
