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
# Fetches an image that is not here. A registry that does not begin to send it within ten seconds counts as not having it:
# engines try for minutes, and name the image only at the end.
require_image() {
  "$engine" image inspect "$1" >/dev/null 2>&1 && return
  local output second
  output=$(mktemp)
  say "Fetching $1 …"
  "$engine" pull "$1" >"$output" 2>&1 &
  local pulling=$!
  for second in $(seq 100); do
    kill -0 "$pulling" 2>/dev/null || break
    grep -qE 'Pulling (from|fs layer)|Getting image source|Copying (blob|config)' "$output" && break
    [ "$second" -lt 100 ] || kill "$pulling"
    sleep 0.1
  done
  while kill -0 "$pulling" 2>/dev/null; do sleep 0.2; done
  if ! wait "$pulling"; then
    say "The image $1 is not here, and $engine cannot fetch it: $(tail -n 1 "$output")"
    rm "$output"
    return 1
  fi
  rm "$output"
}
# The images that the compose file and the build of Saring's own image name.
images() { sed -nE 's/^ *image: (docker\.io\/[^ ]+)$/\1/p; s/^FROM ([^ ]+).*/\1/p' deploy/compose/compose.yaml Containerfile | sort -u; }
# shellcheck disable=SC2086
build() { "$engine" build --network host ${BUILD_ARGS:-} "$@"; }
build_saring() { build -t "$SARING_IMAGE" -f Containerfile .; }
container() { "$engine" ps -a --format '{{.Names}}' | grep -E "compose[-_]$1[-_]1$"; }
operator() { "$engine" exec "$(container operator)" saring "$@"; }
ask() { curl -s --cacert "$ca" "$@"; }
