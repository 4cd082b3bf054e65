#!/usr/bin/env bash
# First starts from clean clones of HEAD, beside busy loops: STARTS of them, and one after Ctrl-C at several moments of its installation.
# Prints the seconds of each, and fails with the first that does not get ready. Takes some two minutes each on two processors.
#
#   STARTS=5 LOOPS=4 MOMENTS='1 4 8 15 25' test/first-start/check.sh
set -uo pipefail
starts=${STARTS:-5} loops=${LOOPS:-4} moments=${MOMENTS-1 4 8 15 25} port=${PORT:-18090}
tree=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp --directory "${TMPDIR:-/tmp}/saring-first-start-XXXX")
busy=() running=
finish() {
  [[ $running ]] && kill -INT -- "-$running" 2> /dev/null && wait "$running"
  ((${#busy[@]} > 0)) && kill "${busy[@]}"
  rm -rf "$work"
}
trap finish EXIT
for ((i = 0; i < loops; i++)); do
  nice -n "${NICE:-0}" bash -c 'while :; do :; done' &
  busy+=($!)
done
# Each job below has its own process group and hears Ctrl-C, as a terminal has it.
set -m

clone() {
  rm -rf "$work/clone" && git clone --quiet "$tree" "$work/clone" || exit
}

start() { # what the start follows
  local log=$work/start.log began=$EPOCHSECONDS
  : > "$log"
  PORT=$port env --default-signal=INT --chdir="$work/clone" make run > "$log" 2>&1 &
  running=$!
  until grep -q '^Saring is ready' "$log"; do
    kill -0 $running 2> /dev/null || { running=; cat "$log"; echo "no start $1"; exit 1; }
    sleep 1
  done
  echo "ready $((EPOCHSECONDS - began)) s after $1"
  kill -INT -- -$running && wait $running
  running=
}

for ((i = 1; i <= starts; i++)); do
  clone
  start "the clone $i of $starts"
done
[[ $moments ]] || exit 0
clone
for moment in $moments; do
  PORT=$port env --default-signal=INT --chdir="$work/clone" make run > "$work/interrupted.log" 2>&1 &
  running=$!
  sleep "$moment"
  kill -INT -- -$running
  wait $running
  running=
  left=$(find /proc/[0-9]*/cwd -maxdepth 0 -lname "$work/clone*" 2> /dev/null)
  [[ $left ]] && { echo "Ctrl-C after $moment s left $left"; exit 1; }
  echo "Ctrl-C after $moment s left no process"
done
start "Ctrl-C at $moments s"
