#!/usr/bin/env bash
# Installs the packages of a folder, one installation at a time, and writes the stamp that make trusts. npm ends with this script:
# if it went on after Ctrl-C, the next installation would find its files.
#
#   deploy/install/packages.sh FOLDER [option of npm …]
set -uo pipefail
cd "$1" || exit
shift
stamp=node_modules/.package-lock.json
began=$(date +%s)

# npm inherits the lock, so it is held for as long as anything may still write. Systems without flock do without.
mkdir -p .make && exec 9> .make/install.lock
if command -v flock > /dev/null && ! flock --nonblock 9; then
  echo 'Another make is installing the packages here: waiting for it …'
  flock 9
  if [[ -e $stamp && $(stat --format=%Y "$stamp") -ge $began ]]; then exit 0; fi
fi

rm -f "$stamp"
interrupted() {
  trap '' INT TERM HUP
  kill -KILL -- "-$!" 2> /dev/null
  wait
  rm -f "$stamp"
  exit 130
}
trap interrupted INT TERM HUP
# In a process group of its own, so that Ctrl-C reaches it only through this script and ends all of it.
set -m
npm ci --no-fund --no-audit --loglevel=error "$@" < /dev/null &
set +m
while kill -0 $! 2> /dev/null; do
  sleep 2
  printf '.'
done
echo
wait $! || { rm -f "$stamp"; exit 1; }
touch "$stamp"
