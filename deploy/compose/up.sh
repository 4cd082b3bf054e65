#!/usr/bin/env bash
# Brings the compose fleet up from a checkout, with a market and a first key: `make compose`. What is there already stays.
set -euo pipefail
cd "$(dirname "$0")/../.."
. deploy/compose/engine.sh

say 'Writing secrets and certificates; secrets that are there stay.'
"${NODE:-node_modules/.bin/node}" deploy/compose/prepare.ts >/dev/null
for image in $(images); do require_image "$image"; done
say "Building the image with $engine (minutes the first time) …"
with_dots build_saring
built=$("$engine" image inspect -f '{{.Id}}' "$SARING_IMAGE")
running=$("$engine" inspect -f '{{.Image}}' "$(container gateway-1)" 2>/dev/null || true)
# Some compose implementations do not replace containers when their image has changed.
if [ -n "$running" ] && [ "$running" != "$built" ]; then
  say 'Removing the containers of an earlier image; their data stays …'
  with_dots $compose down
fi
say 'Starting …'
with_dots $compose up -d

say 'Waiting until runs can complete …'
ready() {
  [[ $(ask "$url/api/health") == *'"can_complete":true'* ]] &&
    datasets=$(operator dataset list --json) && operator keys list >/dev/null
}
for attempt in $(seq 120); do
  ready 2>/dev/null && break
  [ "$attempt" -lt 120 ] || { say "They cannot yet: see '$engine logs $(container models)'."; exit 1; }
  printf '.'
  sleep 1
done
echo

if [[ $datasets == *'"version"'* ]]; then
  say 'A market is there.'
else
  say 'Generating a market …'
  with_dots operator dataset sample
fi

works() { [ "$(ask -o /dev/null -w '%{http_code}' -H "X-API-Key: $(cat "$first_key")" "$url/api/v1/scopes")" = 200 ]; }
if [ -f "$first_key" ] && works; then
  say 'A key is there.'
else
  say 'Issuing a key.'
  (umask 077 && operator keys create --name first --scopes models:read,models:run,data:read,usage:read --rate-limit 600 --json |
    sed -n 's/.*"secret": "\(.*\)".*/\1/p' >"$first_key")
fi

cat <<READY

Saring is ready.
  REST API   $url, with the certificate authority $ca
  Console    $url/console
  Key        in $first_key
  Operator   $engine exec $(container operator) saring --help
  Remove     make compose-down                  # data stays
             make compose-down REMOVE_DATA=1

  curl --cacert $ca -H "X-API-Key: \$(cat $first_key)" $url/api/v1/data/market-overview
READY
