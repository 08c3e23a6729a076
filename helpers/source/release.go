package source

// Release is what is known about one release of OpenSearch, as far as a stack or a measurement
// depends on it.
type Release struct {
	Version string
	// Java is the major version that runs it: the least that it supports and that Debian has, or
	// the one that it is distributed with where that starts it.
	Java string
	// Published says whether its S3 plugin is on Maven Central.
	Published bool
	// Folder says whether it is known to run from Maven Central without that plugin, on a remote
	// store that is a folder which its nodes share.
	Folder bool
	// Agent is the version of opensearch-agent-bootstrap that it is built with. The server's classes
	// need it, but it was published with some releases only; the nearest one does for the others.
	Agent string
	// Encryption says whether an S3 repository knows server_side_encryption_type (since 3.1).
	// Without it nothing may be set, and nothing needs to be: only 3.8 sends AES256 unasked (#22144).
	Encryption bool
	// Streams is the default of indices.recovery.max_concurrent_remote_store_streams in words;
	// empty where the setting does not exist.
	Streams string
	// Pool says whether the node has a remote_recovery thread pool, which bounds the streams.
	Pool bool
	// Bad says in one line, with the number of its issue, why numbers of this release are worth
	// nothing; empty for most.
	Bad string
}

// How many streams a download has when nobody sets them.
const (
	tenStreams  = "10"
	halfTheCPUs = "max(1, cpus/2)"
)

// lucene912 is why remote store does not work from 2.18.0 until the fix in 2.19.2.
const lucene912 = "a node reads remote segments from a thread that may not (#15902, fixed in 2.19.2)"

// Releases is the version table, oldest first.
var Releases = []Release{
	{Version: "2.10.0", Java: "21", Folder: true},
	{Version: "2.11.0", Java: "21", Folder: true, Streams: tenStreams, Pool: true},
	{Version: "2.18.0", Java: "21", Streams: halfTheCPUs, Pool: true, Bad: lucene912},
	{Version: "2.19.0", Java: "21", Streams: halfTheCPUs, Pool: true, Bad: lucene912},
	{Version: "2.19.1", Java: "21", Streams: halfTheCPUs, Pool: true, Bad: lucene912},
	{Version: "2.19.3", Java: "21", Streams: halfTheCPUs, Pool: true},
	{Version: "2.19.6", Java: "21", Folder: true, Streams: halfTheCPUs, Pool: true},
	{Version: "3.1.0", Java: "21", Published: true, Agent: "3.1.0", Encryption: true, Streams: halfTheCPUs, Pool: true},
	{Version: "3.2.0", Java: "21", Published: true, Agent: "3.1.0", Encryption: true, Streams: halfTheCPUs, Pool: true},
	{Version: "3.3.0", Java: "21", Published: true, Agent: "3.3.0", Encryption: true, Streams: halfTheCPUs, Pool: true},
	{Version: "3.3.2", Java: "21", Published: true, Agent: "3.3.0", Encryption: true, Streams: halfTheCPUs, Pool: true},
	{Version: "3.5.0", Java: "25", Published: true, Agent: "3.6.0", Encryption: true, Streams: halfTheCPUs, Pool: true},
	{Version: "3.6.0", Java: "25", Published: true, Agent: "3.6.0", Encryption: true, Streams: halfTheCPUs, Pool: true},
	{Version: "3.8.0", Java: "25", Published: true, Agent: "3.8.0", Encryption: true, Streams: halfTheCPUs, Pool: true},
}
