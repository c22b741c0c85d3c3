#!/usr/bin/env bash
# Makes a Chromium available to the browser tests: the one that is there, or Debian's headless shell.
set -euo pipefail

for found in "${CHROMIUM_PATH:-}" /usr/bin/chromium-headless-shell /usr/bin/chromium; do
  if [ -n "$found" ] && [ -x "$found" ]; then
    echo "Chromium: $found ($("$found" --version 2>/dev/null || echo 'version unknown'))"
    exit 0
  fi
done

if ! command -v apt-get >/dev/null; then
  echo 'No Chromium here, and no apt-get to install one. Install Chromium and set CHROMIUM_PATH to its binary.' >&2
  exit 1
fi
if [ "$(id -u)" -ne 0 ]; then
  echo 'No Chromium here. Installing it needs root: sudo apt-get install chromium-headless-shell, or set CHROMIUM_PATH.' >&2
  exit 1
fi

export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends chromium-headless-shell ||
  apt-get install -y -qq --no-install-recommends chromium
for installed in /usr/bin/chromium-headless-shell /usr/bin/chromium; do
  if [ -x "$installed" ]; then
    echo "Chromium: $installed ($("$installed" --version))"
    exit 0
  fi
done
echo 'The packages were installed, but no Chromium is where it was expected. Set CHROMIUM_PATH to its binary.' >&2
exit 1
