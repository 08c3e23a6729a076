#!/usr/bin/env bash
# up.sh - makes a container engine answer.
#
# One that answers already is used as it is and not touched. Otherwise root on Debian or
# Ubuntu gets docker.io installed and dockerd started; everyone else gets one sentence that
# says what to do. The places looked at are those where testcontainers-go looks, so what
# is found here is found by the tests too.
#
# ENGINE_SOCKET, ENGINE_OS_RELEASE and ENGINE_WAIT_SECONDS are for trying this script out;
# the defaults serve otherwise.
set -euo pipefail

socket=${ENGINE_SOCKET:-/var/run/docker.sock}
os_release=${ENGINE_OS_RELEASE:-/etc/os-release}
wait_seconds=${ENGINE_WAIT_SECONDS:-60}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

say() { echo "engine: $*"; }
stop() { echo "engine: $*" >&2; exit 1; }
have() { command -v "$1" > /dev/null 2>&1; }

bounded() { # command...: at most ten seconds where timeout(1) exists (macOS has none)
  if have timeout; then timeout 10 "$@"; else "$@"; fi
}

# The bare machine has neither curl nor the docker command, but Debian's essential perl.
ping_with_perl() { # socket path
  # shellcheck disable=SC2016 # the dollars are Perl's
  bounded perl -MIO::Socket::UNIX -e '
    my $s = IO::Socket::UNIX->new(Peer => shift) or exit 1;
    print $s "GET /_ping HTTP/1.0\r\n\r\n";
    exit(<$s> =~ m{^HTTP/1\.\d 200} ? 0 : 1)' "$1"
}

answers() { # docker host, such as unix:///var/run/docker.sock
  local path=${1#unix://}
  if [ "$path" = "$1" ]; then # tcp, ssh, TLS: the docker command knows how
    if have docker; then
      bounded docker --host "$1" version
    else
      curl --silent --fail --max-time 10 "http://${1#tcp://}/_ping"
    fi
  elif [ ! -S "$path" ]; then
    return 1
  elif have curl; then
    curl --silent --fail --max-time 10 --unix-socket "$path" http://engine/_ping
  elif have perl; then
    ping_with_perl "$path"
  else
    bounded docker --host "$1" version
  fi > /dev/null 2>&1
}

candidates() { # one docker host per line, in the order in which testcontainers-go looks
  if have docker; then
    bounded docker context inspect --format '{{.Endpoints.docker.Host}}' 2> /dev/null || true
  fi
  echo "unix://$socket"
  echo "unix://${XDG_RUNTIME_DIR:-/run/user/$(id -u)}/docker.sock"
  echo "unix://${HOME:-/root}/.docker/run/docker.sock"
  echo "unix://${HOME:-/root}/.docker/desktop/docker.sock"
  echo "unix:///run/user/$(id -u)/docker.sock"
}

find_engine() { # prints the first docker host that answers
  local host
  while read -r host; do
    if [ -n "$host" ] && answers "$host"; then
      echo "$host"
      return 0
    fi
  done < <(candidates)
  return 1
}

debian_like() { [ -r "$os_release" ] && grep -Eiq '^(ID|ID_LIKE)=.*(debian|ubuntu)' "$os_release"; }
debian_itself() { grep -Eq '^ID="?debian"?$' "$os_release"; }

refuse_unless_we_can_start_one() {
  if [ -S "$socket" ] && [ ! -w "$socket" ]; then
    stop "$socket is there but this user may not use it: add yourself to the group docker and log in again, or run this as root"
  fi
  if [ "$(uname -s)" != Linux ]; then
    stop "no container engine answers: start Docker Desktop, or set DOCKER_HOST to an engine"
  fi
  if [ "$(id -u)" != 0 ]; then
    stop "no container engine answers: start one (sudo systemctl start docker), set DOCKER_HOST to one, or run this as root on Debian or Ubuntu to have docker.io installed"
  fi
  if ! have dockerd && ! debian_like; then
    stop "no container engine answers and this is neither Debian nor Ubuntu: install Docker and start it, or set DOCKER_HOST to an engine"
  fi
}

install_engine() {
  local packages=(docker.io iptables debootstrap)
  # Debian's keys, by which debootstrap checks what it loads; Ubuntu does not have them by itself.
  debian_itself || packages+=(debian-archive-keyring)
  # Where the kernel has AppArmor on, dockerd starts no container without AppArmor's tools.
  if grep -qs Y /sys/module/apparmor/parameters/enabled; then packages+=(apparmor); fi
  "$here/../base/packages.sh" "${packages[@]}" || stop "install docker.io by hand, or set DOCKER_HOST to an engine"
}

holds() { # pid file, command: whether the process it names lives and is that command
  local pid
  pid=$(cat "$1" 2> /dev/null) && [ -n "$pid" ] && grep -aq "$2" "/proc/$pid/cmdline" 2> /dev/null
}

daemon_runs() { # a dockerd that lives but does not answer yet, such as one that the package has just started
  holds "${socket%.sock}.pid" dockerd
}

# After a crash a pid file may name a process that is something else by now, and dockerd
# then refuses to start, or waits for a containerd that is none.
drop_stale_pid_files() {
  local containerd=${socket%.sock}/containerd/containerd.pid
  holds "${socket%.sock}.pid" dockerd || rm -f "${socket%.sock}.pid"
  holds "$containerd" containerd || rm -f "$containerd"
}

# The daemon outlives make and holds nothing of it: own session, no terminal, no inherited
# file (make's job pipe, the lock below). What a dockerd prints goes to the log.
start_dockerd() { # log file
  (
    for fd in /proc/self/fd/*; do
      fd=${fd##*/}
      if [ "$fd" -gt 2 ]; then eval "exec $fd>&-"; fi
    done
    cd /
    exec setsid nohup dockerd
  ) >> "$1" 2>&1 < /dev/null &
}

show_log() { # log file
  if [ -s "$1" ]; then
    tail -n 30 "$1" >&2
  elif [ -d /run/systemd/system ]; then
    journalctl --unit docker --no-pager --lines 30 >&2 || true
  fi
}

start_engine() {
  local log=/var/log/streamgate-dockerd.log daemon=
  { : > "$log"; } 2> /dev/null || log=$(mktemp)
  if daemon_runs; then
    say "a dockerd runs, waiting until it answers"
  elif [ -d /run/systemd/system ]; then
    say "systemctl start docker"
    systemctl start docker >> "$log" 2>&1 || true
  else
    say "starting dockerd, log in $log"
    drop_stale_pid_files
    start_dockerd "$log"
    daemon=$!
  fi

  local end=$((SECONDS + wait_seconds))
  while ! answers "unix://$socket"; do
    if [ -n "$daemon" ] && ! kill -0 "$daemon" 2> /dev/null && ! daemon_runs; then
      show_log "$log"
      stop "dockerd ended at once, see its last lines above"
    fi
    if [ "$SECONDS" -ge "$end" ]; then
      show_log "$log"
      stop "dockerd does not answer at $socket after $wait_seconds s, see the last lines of its log above"
    fi
    sleep 0.5
  done
  say "dockerd answers at unix://$socket"
}

# An engine that was asked for by name is the only one that may serve: starting another
# beside it would run the tests elsewhere than the user thinks.
if [ -n "${DOCKER_HOST:-}" ] && [ "$DOCKER_HOST" != "unix://$socket" ]; then
  answers "$DOCKER_HOST" || stop "DOCKER_HOST=$DOCKER_HOST does not answer: start that engine, or unset DOCKER_HOST"
  say "using the one at $DOCKER_HOST"
  exit 0
fi

if host=$(find_engine); then
  say "using the one at $host"
  exit 0
fi
refuse_unless_we_can_start_one

# Two runs at once must not both start one. Only root comes here, so the lock lies where
# only root may write; a first installation takes a minute or two.
exec 9> /run/streamgate-engine.lock
if ! flock --nonblock 9; then
  say "another run is starting an engine, waiting for it"
  flock --timeout 900 9 || stop "another run still holds /run/streamgate-engine.lock after 15 min: end it, then try again"
fi
if host=$(find_engine); then
  say "using the one at $host"
  exit 0
fi
have dockerd || install_engine
start_engine
