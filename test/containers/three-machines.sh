#!/usr/bin/env bash
# Follows "Three machines" of docs/operations.md word for word on three network namespaces: every command there that is not
# about installing is run as it stands. Then runs a model through each gateway, loses saring-2, and runs again. As root, with
# podman and the images of the compose file (test/containers/compose.sh builds stand-ins). About four minutes.
#
#   test/containers/three-machines.sh        # KEEP_LOGS=1 keeps the logs of the services, and the secrets beside them
set -euo pipefail
cd "$(dirname "$0")/../.."
repository=$PWD
machines=(saring-1 saring-2 saring-3)
root=$(mktemp -d)
mkdir -p "$root"/{etc,systemd,logs,commands,tmp} /etc/saring /opt/saring /etc/systemd/system
say() { printf '%s  %s\n' "$(date +%T)" "$*"; }

end() {
  for machine in "${machines[@]}"; do
    podman rm -f -i -t 0 "$machine-nats" "$machine-postgres" "$machine-clickhouse" >/dev/null 2>&1 || true
    ip netns pids "$machine" 2>/dev/null | xargs -r kill -9 2>/dev/null || true
    ip netns del "$machine" 2>/dev/null || true
    rm -rf "/etc/netns/$machine"
  done
  ip link del saring-lan 2>/dev/null || true
  rmdir /etc/saring /opt/saring 2>/dev/null || true
  if [ -n "${KEEP_LOGS:-}" ]; then say "Logs are in $root/logs."; else rm -rf "$root"; fi
}
trap end EXIT

ip link add saring-lan type bridge
ip link set saring-lan up
for index in 1 2 3; do
  machine=saring-$index
  ip netns add $machine
  ip link add lan-$index type veth peer name eth0 netns $machine
  ip link set lan-$index master saring-lan up
  ip -n $machine address add 10.77.0.$index/24 dev eth0
  ip -n $machine link set eth0 up
  ip -n $machine link set lo up
  mkdir -p /etc/netns/$machine
  printf '127.0.0.1 localhost\n' > /etc/netns/$machine/hosts
done

# What installing is on a real machine. All machines share one /etc/saring here, so that nothing needs copying.
for name in useradd npm make rsync chown; do printf '#!/bin/sh\n' > "$root/commands/$name"; done
cat > "$root/commands/systemctl" <<'STAND_IN'
#!/usr/bin/env bash
# Runs the unit's ExecStart with its EnvironmentFiles, and again when it ends.
[ "$1" = enable ] || exit 0
for unit in "${@:3}"; do
  name=${unit#saring@}
  (
    export NODE_COMPILE_CACHE=$LOGS/cache-$(hostname)-$name
    set -a
    . /etc/saring/common.env
    . "/etc/saring/$name.env"
    cd /opt/saring
    start=$(sed -n 's/^ExecStart=//p' /etc/systemd/system/saring@.service)
    while true; do eval "$start"; sleep 1; done
  ) > "$LOGS/$(hostname)-$name.log" 2>&1 < /dev/null &
done
STAND_IN
chmod +x "$root"/commands/*

on() {
  local machine=$1
  ip netns exec "$machine" unshare --mount --uts bash -euc "
    hostname $machine
    mount --bind '$root/etc' /etc/saring; mount --bind '$repository' /opt/saring
    mount --bind '$root/systemd' /etc/systemd/system
    export PATH='$root/commands':\$PATH LOGS='$root/logs'; set +u
    $(cat)"
}
# The block of the document that begins with this comment.
block() {
  local found
  found=$(awk -v first="# $1" '/^## /{in_section = ($0 == "## Three machines")}
    in_section && index($0, first) == 1 {printing = 1} /^```$/{printing = 0} printing' docs/operations.md)
  [ -n "$found" ] || { say "docs/operations.md has no block '$1'." >&2; exit 1; }
  printf '%s\n' "$found"
}
on_every() { for machine in "${machines[@]}"; do block "$1" | on "$machine"; done; }
container() {
  local machine=$1 store=$2
  shift 2
  podman run -d --name "$machine-$store" --network "ns:/run/netns/$machine" --no-hosts -v "/etc/netns/$machine/hosts:/etc/hosts:ro" "$@" >/dev/null
}

on_every 'on every machine: names, a user, the programs'
block 'on saring-1: secrets, certificates and settings' | on saring-1
on_every 'on every machine: what services read'

say 'Starting the stores.'
for machine in "${machines[@]}"; do
  container "$machine" nats --tmpfs /var/lib/nats -v "$root/etc/nats-$machine.conf:/etc/nats/nats.conf:ro" \
    -v "$root/etc/nats-users.conf:/etc/nats/nats-users.conf:ro" docker.io/library/nats:2.14 --config /etc/nats/nats.conf
done
container saring-1 postgres -e POSTGRES_DB=saring -e "POSTGRES_PASSWORD=$(sed -n 's/^POSTGRES_PASSWORD=//p' "$root/etc/secrets.env")" \
  docker.io/library/postgres:18
container saring-3 clickhouse -v "$root/etc/clickhouse.xml:/etc/clickhouse-server/config.d/saring.xml:ro" \
  -v "$root/etc/clickhouse-users.xml:/etc/clickhouse-server/users.d/saring.xml:ro" docker.io/clickhouse/clickhouse-server:26.7

for attempt in $(seq 60); do
  block 'on saring-1: roles and schemas' | on saring-1 >"$root/logs/migrate.log" 2>&1 && break
  [ "$attempt" -lt 60 ] || { cat "$root/logs/migrate.log"; exit 1; }
  sleep 1
done
say 'Starting the services.'
on_every 'on every machine: the services'

healthy() { echo 'curl -s http://127.0.0.1:8080/api/health' | on "$1" | grep -q '"can_complete":true'; }
eventually() {
  for attempt in $(seq 120); do
    "$@" && return
    [ "$attempt" -lt 120 ] || { say "Not within two minutes: $*"; exit 1; }
    sleep 1
  done
}
for machine in "${machines[@]}"; do eventually healthy "$machine"; done
say 'Every gateway is healthy.'
key=$(block 'on saring-1: a market, and a key' | on saring-1 | grep -o 'sar_[A-Za-z0-9_-]*' | head -1)
run() {
  echo "curl -s -X POST -H 'X-API-Key: $key' -H 'X-End-User: reader' -H 'Content-Type: application/json' -d '{}' \
    'http://127.0.0.1:8080/api/v1/models/confluence_filter/runs?wait=60'" | on "$1" | grep -q '"status":"succeeded"'
}
for machine in "${machines[@]}"; do eventually run "$machine" && say "A run through the gateway of $machine succeeded."; done

say 'Losing saring-2.'
podman kill saring-2-nats >/dev/null
ip link set lan-2 down
lost_at=$SECONDS
for machine in saring-1 saring-3; do eventually run "$machine"; done
say "Runs through both other gateways succeeded $((SECONDS - lost_at)) s later."
