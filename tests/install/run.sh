#!/usr/bin/env bash
# Installs a build into an empty prefix, then builds and runs main.cpp against that prefix alone:
# once through find_package, once through pkg-config.
#
# usage: run.sh BUILD_DIR VERSION      environment: CXX, CXXFLAGS (those of the build), LIBDIR
set -euo pipefail

build=$1
version=$2
libdir=${LIBDIR:-lib}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix

run() {
  LD_LIBRARY_PATH=$prefix/$libdir "$1" | tee "$work/output"
  grep -qF "$version" "$work/output" || { echo "$1 does not report version $version" >&2; exit 1; }
}

cmake --install "$build" --prefix "$prefix" >"$work/install.log"

echo "-- find_package"
cmake -S "$here" -B "$work/cmake" -DCMAKE_PREFIX_PATH="$prefix" >"$work/configure.log"
cmake --build "$work/cmake"
run "$work/cmake/outside"

echo "-- pkg-config"
export PKG_CONFIG_PATH=$prefix/$libdir/pkgconfig
# shellcheck disable=SC2046,SC2086  # flags are lists
${CXX:-c++} ${CXXFLAGS:-} -std=c++20 "$here/main.cpp" -o "$work/outside" \
  $(pkg-config --cflags --libs --static phe)
run "$work/outside"
