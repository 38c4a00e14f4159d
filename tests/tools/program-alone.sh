#!/bin/sh
# The preset `program` configures on a machine that has no package but those of purpose run: looking for
# any other is an error here.      program-alone.sh SOURCE_DIR
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$1"
hide=
for package in GTest rapidcheck benchmark GSL Boost OpenSSL SQLite3 Python3 PkgConfig; do
  hide="$hide -DCMAKE_DISABLE_FIND_PACKAGE_$package=ON"
done
# shellcheck disable=SC2086  # a list of words
cmake --preset program -B "$work" $hide >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
cmake --build "$work" --target help | grep -q 'phe_cli' || { echo "there is no program" >&2; exit 1; }
! cmake --build "$work" --target help | grep -q 'phe_tests' || { echo "there are tests" >&2; exit 1; }
