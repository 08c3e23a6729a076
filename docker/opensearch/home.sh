#!/usr/bin/env bash
# home.sh VERSION JAVA AGENT HOME - lays out an OpenSearch home folder from Maven artifacts.
# AGENT is the version of opensearch-agent-bootstrap, which not every release has of its own. It is
# empty before 3.0: there Java's security manager did its work, the modules' classes had other
# names, and no S3 plugin is published, so that a remote store can only be a folder.
#
# The published jars carry no plugin-descriptor.properties, so one is written for
# each module and plugin; a jar that lib/ has already must not be in a plugin's
# folder too, or the node stops with a jar conflict.
set -euo pipefail

version=$1 java=$2 agent=$3 home=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
module=ModulePlugin # how the classes of the modules end
[ -n "$agent" ] || module=Plugin
alone='<exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions>'

dependency() { # group, artifact, version, [exclusions]
  printf '<dependency><groupId>%s</groupId><artifactId>%s</artifactId><version>%s</version>%s</dependency>' \
    "$1" "$2" "$3" "${4:-}"
}

project() { # name, dependencies: one module of the reactor
  mkdir -p "$work/$1"
  printf '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><parent><groupId>streamgate</groupId><artifactId>home</artifactId><version>1</version></parent><artifactId>%s</artifactId><packaging>pom</packaging><dependencies>%s</dependencies></project>' \
    "$1" "$2" > "$work/$1/pom.xml"
}

reactor() { # names of the modules
  local modules='' name
  for name; do modules+="<module>$name</module>"; done
  printf '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><groupId>streamgate</groupId><artifactId>home</artifactId><version>1</version><packaging>pom</packaging><modules>%s</modules></project>' \
    "$modules" > "$work/pom.xml"
}

fetch() { # copies every module's dependencies to its target/dependency
  mvn --quiet --batch-mode --threads 4 -f "$work/pom.xml" dependency:copy-dependencies
}

plugin() { # module of the reactor, folder, name, class
  local to="$home/$2" jar
  mkdir -p "$to"
  cp "$work/$1/target/dependency/"*.jar "$to/"
  for jar in "$to"/*.jar; do
    [ -e "$home/lib/$(basename "$jar")" ] && rm "$jar"
  done
  cat > "$to/plugin-descriptor.properties" <<PROPERTIES
name=$3
description=$3
version=$version
opensearch.version=$version
java.version=$java
classname=$4
extended.plugins=
has.native.controller=false
PROPERTIES
}

mkdir -p "$home"/{bin,lib,config,modules,plugins} # the server insists that bin/ is there
project server "$(dependency org.opensearch opensearch "$version")"
project transport "$(dependency org.opensearch.plugin transport-netty4-client "$version")"
project analysis "$(dependency org.opensearch.plugin analysis-common "$version")"
modules=(server transport analysis)
if [ -n "$agent" ]; then
  project s3 "$(dependency org.opensearch.plugin repository-s3 "$version")"
  modules+=(s3)
fi
reactor "${modules[@]}"
fetch
cp "$work/server/target/dependency/"*.jar "$home/lib/"

# What the server needs beside its declared dependencies; log4j in the server's version.
log4j=$(basename "$home"/lib/log4j-api-*.jar .jar)
beside="$(dependency org.apache.logging.log4j log4j-core "${log4j#log4j-api-}")$(dependency org.opensearch opensearch-plugin-classloader "$version" "$alone")"
[ -z "$agent" ] || beside+=$(dependency org.opensearch opensearch-agent-bootstrap "$agent" "$alone")
project beside "$beside"
reactor beside
fetch
cp "$work/beside/target/dependency/"*.jar "$home/lib/"

plugin transport modules/transport-netty4 transport-netty4 "org.opensearch.transport.Netty4$module"
plugin analysis modules/analysis-common analysis-common "org.opensearch.analysis.common.CommonAnalysis$module"
if [ -n "$agent" ]; then
  plugin s3 plugins/repository-s3 repository-s3 org.opensearch.repositories.s3.S3RepositoryPlugin
else # what the security manager must let netty do; the jar does not say it
  cat > "$home/modules/transport-netty4/plugin-security.policy" <<'POLICY'
grant {
  permission java.net.SocketPermission "*", "accept,connect";
  permission java.lang.RuntimePermission "accessDeclaredMembers";
  permission java.lang.RuntimePermission "getClassLoader";
  permission java.lang.RuntimePermission "accessClassInPackage.sun.misc";
  permission java.lang.reflect.ReflectPermission "suppressAccessChecks";
  permission java.util.PropertyPermission "*", "write";
};
POLICY
fi
