#!/usr/bin/env bash
# train.sh - runs a node once during the image build and keeps the classes it loaded in a
# class-data-sharing archive, which a later start maps instead of parsing some 200 jars.
#
# The archive is only used by a JVM with the same class path and the same flags: both are
# in config/java.args, with the class to run, written here and read again by entrypoint.sh.
set -euo pipefail

classpath=$(printf '%s:' "$PWD"/lib/*.jar) # absolute: a security manager lets no other path be read
main=OpenSearch # of a home without an S3 plugin, where no node has secrets
[ ! -e lib/streamgate-node.jar ] || main=StreamgateNode
{
  cat config/java.args.in
  # Before 3.0 a node insists on a security manager; newer Javas do not start with the word.
  if compgen -G 'lib/opensearch-2.*.jar' > /dev/null; then echo -Djava.security.manager=allow; fi
  printf -- '-cp %s\n%s\n' "${classpath%:}" "org.opensearch.bootstrap.$main"
} > config/java.args

log=$(mktemp)
java -Xms512m -Xmx512m -XX:ArchiveClassesAtExit=cds/node.jsa @config/java.args \
  -E discovery.type=single-node -E network.host=127.0.0.1 -E node.name=training > "$log" 2>&1 &
node=$!
for _ in $(seq 120); do
  grep -q ' started$' "$log" && break
  kill -0 "$node" 2>/dev/null || break
  sleep 1
done
grep -q ' started$' "$log" || { cat "$log"; echo "the training node did not start" >&2; exit 1; }
kill -TERM "$node"
wait "$node" || true # 143: ended by the signal, after the archive was written
[ -s cds/node.jsa ] || { cat "$log"; echo "no class-data-sharing archive was written" >&2; exit 1; }
rm -rf data/* logs/* "$log"
