#!/usr/bin/env bash
# Installs what the tests of the Python client need, where this machine has apt-get and this user may use it. Otherwise says
# what is needed: the tests are skipped then, and nothing else fails.
set -u
packages=(python3 python3-httpx python3-setuptools python3-wheel)

# tomllib came with Python 3.11, the oldest that the client supports.
has_packages() { /usr/bin/python3 -c 'import httpx, setuptools, wheel, tomllib' 2>/dev/null; }
install() { DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "${packages[@]}" > /dev/null 2>&1; }

has_packages && exit
if [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null; then
  echo "Installing Debian's ${packages[*]}, which the tests of the Python client need …"
  install || { echo 'Updating the lists of packages first …'; apt-get update -qq > /dev/null 2>&1 && install; }
fi
has_packages ||
  echo "The tests of the Python client are skipped: they need Python 3.11 with Debian's ${packages[*]} (apt-get install, as root)."
exit 0
