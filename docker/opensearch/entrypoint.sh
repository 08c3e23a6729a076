#!/usr/bin/env bash
# entrypoint.sh [-E key=value ...] - starts a node; settings come from config/opensearch.yml,
# secure ones from secrets/secure.properties, the heap from HEAP.
set -euo pipefail
heap=${HEAP:-1g}
exec java -Xms"$heap" -Xmx"$heap" -XX:SharedArchiveFile=cds/node.jsa -Xshare:auto \
  @config/java.args "$@"
