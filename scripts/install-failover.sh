#!/usr/bin/env bash
# Makes the programs of the failover drill available: PostgreSQL with Patroni, etcd, pgbouncer and haproxy, from Debian.
set -euo pipefail

packages=(postgresql patroni python3-etcd etcd-server pgbouncer haproxy)
programs=(patroni etcd pgbouncer haproxy)

missing() {
  for program in "${programs[@]}"; do
    [ -x "$(PATH="$PATH:/usr/sbin" command -v "$program")" ] || echo "$program"
  done
  compgen -G '/usr/lib/postgresql/*/bin/postgres' >/dev/null || echo postgres
}

if [ -n "$(missing)" ]; then
  if ! command -v apt-get >/dev/null; then
    echo "Missing: $(missing | xargs), and no apt-get to install them." >&2
    exit 1
  fi
  if [ "$(id -u)" -ne 0 ]; then
    echo "Missing: $(missing | xargs). Installing needs root: sudo apt-get install --no-install-recommends ${packages[*]}" >&2
    exit 1
  fi
  export DEBIAN_FRONTEND=noninteractive
  # The drill starts its own: none of them is to begin as a service of this machine.
  if [ ! -e /usr/sbin/policy-rc.d ]; then
    printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d
    chmod 755 /usr/sbin/policy-rc.d
    trap 'rm -f /usr/sbin/policy-rc.d' EXIT
  fi
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends "${packages[@]}"
fi

if [ -n "$(missing)" ]; then
  echo "Still missing: $(missing | xargs)." >&2
  exit 1
fi
for program in "${programs[@]}"; do
  echo "$program: $(PATH="$PATH:/usr/sbin" command -v "$program")"
done
echo "postgres: $(compgen -G '/usr/lib/postgresql/*/bin/postgres' | tail -1)"
