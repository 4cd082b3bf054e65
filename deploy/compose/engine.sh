# Shared by the scripts of the compose fleet, which run in the root of the checkout. ENGINE and COMPOSE name a container engine
# and its compose, SARING_IMAGE the image. BUILD_ARGS are passed to every build, for example where the network has its own
# registry or certificate authority.
if [ -z "${ENGINE:-}" ] && docker info >/dev/null 2>&1; then ENGINE=docker; fi
engine=${ENGINE:-podman}
if [ "$engine" = docker ]; then compose=${COMPOSE:-docker compose}; else compose=${COMPOSE:-podman-compose}; fi
compose="$compose -f deploy/compose/compose.yaml"
export SARING_IMAGE=${SARING_IMAGE:-localhost/saring}
url=https://localhost:${PROXY_PORT:-8443}
ca=deploy/compose/secrets/tls/ca.crt
first_key=deploy/compose/secrets/first-key

say() { printf '%s  %s\n' "$(date +%T)" "$*"; }
# Runs a slow command and prints a dot every two seconds. Prints its output only if it fails.
with_dots() {
  local output
  output=$(mktemp)
  "$@" >"$output" 2>&1 &
  local working=$!
  while sleep 2 && kill -0 "$working" 2>/dev/null; do printf '.'; done
  echo
  wait "$working" || { cat "$output" >&2; rm "$output"; return 1; }
  rm "$output"
}
# shellcheck disable=SC2086
build() { "$engine" build --network host ${BUILD_ARGS:-} "$@"; }
build_saring() { build -t "$SARING_IMAGE" -f Containerfile .; }
container() { "$engine" ps -a --format '{{.Names}}' | grep -E "compose[-_]$1[-_]1$"; }
operator() { "$engine" exec "$(container operator)" saring "$@"; }
ask() { curl -s --cacert "$ca" "$@"; }
