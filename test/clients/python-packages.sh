#!/usr/bin/env bash
# Installs what the tests of the Python client need, where this machine has apt-get and this user may use it. Otherwise says
# what is needed: the tests are skipped then, and nothing else fails.
set -u
packages=(python3 python3-httpx python3-setuptools python3-wheel)

# tomllib came with Python 3.11, the oldest that the client supports.
has_packages() { /usr/bin/python3 -c 'import httpx, setuptools, wheel, tomllib' 2>/dev/null; }
# A machine without a network must not wait for one.
apt() { DEBIAN_FRONTEND=noninteractive timeout 300 apt-get -qq -o Acquire::http::Timeout=20 -o Acquire::Retries=1 "$@" > /dev/null 2>&1; }
install() { apt install -y --no-install-recommends "${packages[@]}"; }

has_packages && exit
if [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null; then
  echo "Installing Debian's ${packages[*]}, which the tests of the Python client need …"
  install || { echo 'Updating the lists of packages first …'; apt update && install; }
fi
has_packages ||
  echo "The tests of the Python client are skipped: they need Python 3.11 with Debian's ${packages[*]} (apt-get install, as root)."
exit 0
