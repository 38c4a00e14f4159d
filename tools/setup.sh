#!/bin/sh
# Installs the Debian packages of tools/packages.txt that are missing. Silent when none is.
set -eu
cd "$(dirname "$0")"

if ! command -v dpkg-query >/dev/null; then
  echo "setup: not a Debian system; the packages in tools/packages.txt are taken to be installed" >&2
  exit 0
fi

# shellcheck disable=SC2046  # one word a package
installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' $(cat packages.txt) 2>/dev/null |
  sed -n 's/^installed //p') || true
missing=$(printf '%s\n' "$installed" | grep -vxF -f /dev/stdin packages.txt | tr '\n' ' ') || true
missing=${missing% }
[ -n "$missing" ] || exit 0

if [ "$(id -u)" -eq 0 ]; then
  as_root=
elif command -v sudo >/dev/null; then
  as_root=sudo
else
  as_root=none
fi

[ "$as_root" = none ] || echo "setup: installing $missing"
# shellcheck disable=SC2086  # lists of words
if [ "$as_root" = none ] ||
  ! $as_root apt-get update -qq ||
  ! $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing
then
  echo "setup: could not install these packages: $missing" >&2
  echo "setup: as root, run:  apt-get update && apt-get install -y --no-install-recommends $missing" >&2
  exit 1
fi
