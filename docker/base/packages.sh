#!/usr/bin/env bash
# packages.sh PACKAGE... - installs Debian or Ubuntu packages, as root and without questions.
#
# Quiet while all goes well, since apt-get's hundreds of lines would hide the few that
# matter; its last lines are shown when it fails.
set -euo pipefail

refuse() { # reason: one sentence, then stop
  echo "packages: cannot install $packages: $1" >&2
  exit 1
}

packages=$*
[ "$(id -u)" = 0 ] || refuse "that needs root"
command -v apt-get > /dev/null || refuse "there is no apt-get here"

log=$(mktemp)
trap 'rm -f "$log"' EXIT
echo "packages: apt-get install $packages" >&2
export DEBIAN_FRONTEND=noninteractive

# A list that cannot be refreshed may still hold what is asked for, so only the install decides.
apt-get update > "$log" 2>&1 < /dev/null || true
# The time limit covers machines where an unattended upgrade holds dpkg's lock.
if ! apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends "$@" >> "$log" 2>&1 < /dev/null; then
  tail -n 20 "$log" >&2
  refuse "apt-get failed, see the lines above"
fi
