#!/usr/bin/env bash
# Installs what the tests of the Python client and its notebooks need, where this machine has apt-get and this user may use it.
# Otherwise says what is needed: the tests are skipped then, and nothing else fails.
set -u

# A machine without a network must not wait for one.
apt() { DEBIAN_FRONTEND=noninteractive timeout 300 apt-get -qq -o Acquire::http::Timeout=20 -o Acquire::Retries=1 "$@" > /dev/null 2>&1; }

# provide <tests> <modules> <package>...
provide() {
  local tests=$1 modules=$2
  shift 2
  has_modules() { /usr/bin/python3 -c "import $modules" 2>/dev/null; }
  install() { apt install -y --no-install-recommends "$@"; }

  has_modules && return
  if [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null; then
    echo "Installing Debian's $*, which the tests of $tests need …"
    install "$@" || { echo 'Updating the lists of packages first …'; apt update && install "$@"; }
  fi
  has_modules ||
    echo "The tests of $tests are skipped: they need Python 3.11 with Debian's $* (apt-get install, as root)."
}

# tomllib came with Python 3.11, the oldest that the client supports.
provide 'the Python client' 'httpx, setuptools, wheel, tomllib' python3 python3-httpx python3-setuptools python3-wheel
# Jupyter without its pages in the browser, which no test opens.
provide 'the notebooks' 'ensurepip, httpx, pandas, matplotlib, nbconvert, ipykernel' \
  python3-venv python3-httpx python3-pandas python3-matplotlib python3-nbconvert python3-ipykernel
exit 0
