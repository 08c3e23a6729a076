#!/usr/bin/env bash
# debootstrap.sh - prints a tar archive of a minimal Debian trixie, for docker import.
#
# It stands in for debian:trixie-slim where no image registry answers. The same state of
# Debian's archive gives the same bytes, as far as that is cheap: lists, caches and logs
# are left out and no time in the archive is later than the release it was made from.
set -euo pipefail

suite=trixie
scripts=/usr/share/debootstrap/scripts
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

stop() { echo "debootstrap: $*" >&2; exit 1; }

[ ! -t 1 ] || stop "standard output is a terminal: pipe it into docker import"
# From here on only the archive may reach standard output, which is file 3.
exec 3>&1 1>&2

packages=()
command -v debootstrap > /dev/null || packages+=(debootstrap)
[ -e /usr/share/keyrings/debian-archive-keyring.gpg ] || packages+=(debian-archive-keyring)
if [ "${#packages[@]}" -gt 0 ]; then
  "$here/packages.sh" "${packages[@]}" ||
    stop "a base image needs debootstrap as root on Debian or Ubuntu, or a reachable image registry"
fi
[ "$(id -u)" = 0 ] || stop "debootstrap needs root: run as root, or where an image registry answers"

# /tmp may be mounted without device files, which debootstrap refuses; /var/tmp is not.
work=$(mktemp -d "${TMPDIR:-/var/tmp}/streamgate-base.XXXXXX")
root=$work/root
builder=

clean_up() {
  if [ -n "$builder" ]; then # a group of its own, so its children in the chroot end as well
    kill -TERM -- "-$builder" 2> /dev/null && wait "$builder" 2> /dev/null
  fi
  # An interrupted debootstrap leaves these mounted; removing files must never reach the host's.
  umount "$root/proc" "$root/sys" 2> /dev/null
  rm -rf --one-file-system "$work"
}
# A second signal, or one on the heels of a broken pipe, must not cut the clean-up short.
trap 'trap "" HUP INT TERM; clean_up || true' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# A debootstrap older than the release has no script for it; Debian's scripts are links to sid's.
arguments=(--variant=minbase "$suite" "$root")
[ -e "$scripts/$suite" ] || arguments=(--keyring=/usr/share/keyrings/debian-archive-keyring.gpg --variant=minbase "$suite" "$root" '' "$scripts/sid")

echo "debootstrap: making a minimal Debian $suite, about half a minute"
setsid debootstrap "${arguments[@]}" > "$work/log" 2>&1 < /dev/null &
builder=$!
if ! wait "$builder"; then
  builder=
  tail -n 20 "$work/log"
  stop "making Debian $suite ended with an error, see the lines above"
fi
builder=

released=$(sed -n 's/^Date: //p' "$root"/var/lib/apt/lists/*Release | head -n 1)

# Names of this machine, then what differs from run to run.
rm -f "$root/etc/hostname" "$root/etc/resolv.conf"
rm -rf "$root"/var/lib/apt/lists/* "$root"/var/cache/apt/* "$root"/var/cache/ldconfig/* "$root"/var/cache/debconf/*-old \
  "$root"/var/lib/dpkg/*-old "$root"/etc/*- "$root"/tmp/* "$root"/run/*
find "$root/var/log" -type f -delete

tar --create --directory="$root" --sort=name --numeric-owner --one-file-system \
  --mtime="${released:-now}" --clamp-mtime \
  --exclude='./proc/*' --exclude='./sys/*' --exclude='./dev/*' . >&3
