#!/usr/bin/env bash
# dist.sh DIST HOME - lays out an OpenSearch home folder from a distribution: DIST/opensearch.tar.gz
# or DIST/home, and DIST/repository-s3.zip unless the plugin is in it.
#
# Its Java and its settings stay behind: streamgate brings both.
set -euo pipefail

dist=$1 home=$2
mkdir -p "$home"
if [ -e "$dist/opensearch.tar.gz" ]; then
  tar -xzf "$dist/opensearch.tar.gz" --strip-components=1 -C "$home"
else
  cp -r "$dist/home/." "$home"
fi
rm -rf "$home"/{jdk,config,data,logs,cds,secrets}
mkdir -p "$home"/{bin,config,modules,plugins}
rm -f "$home/lib/streamgate-node.jar" # of a home that was streamgate's
if [ -e "$dist/repository-s3.zip" ]; then
  unzip -q "$dist/repository-s3.zip" -d "$home/plugins/repository-s3"
fi
for wanted in 'lib/opensearch-*.jar' modules/transport-netty4 plugins/repository-s3/plugin-descriptor.properties; do
  compgen -G "$home/$wanted" > /dev/null || { echo "not in the distribution: $wanted" >&2; exit 1; }
done
