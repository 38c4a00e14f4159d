#!/bin/sh
# Installs the Debian packages of tools/packages.txt that are missing: those of the given purposes, or of
# all. Silent when none is missing.      setup.sh [PURPOSE...]
set -eu
cd "$(dirname "$0")"

purposes=$(sed -n 's/^\[\([a-z-]*\)\].*/\1/p' packages.txt | tr '\n' ' ')
for purpose in "$@"; do
  case " $purposes" in *" $purpose "*) continue ;; esac
  echo "setup: no purpose is called '$purpose' (purposes: ${purposes% })" >&2
  exit 2
done

if ! command -v dpkg-query >/dev/null; then
  echo "setup: not a Debian system; the packages in tools/packages.txt are taken to be installed" >&2
  exit 0
fi

# The packages of all sections that were asked for, each once.
wanted=$(awk -v asked=" ${*:-$purposes} " '
  /^#/ || NF == 0 { next }
  /^\[/ { name = substr($1, 2, length($1) - 2); take = index(asked, " " name " "); next }
  take && !seen[$1]++ { print $1 }' packages.txt)

# shellcheck disable=SC2086  # one word per package
installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' $wanted 2>/dev/null |
  sed -n 's/^installed //p') || true
missing=$(echo "$wanted" | grep -vxF "$installed" | tr '\n' ' ') || true
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
