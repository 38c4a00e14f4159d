#!/bin/sh
# Builds the program for 64-bit ARM, runs it under qemu, and demands the bytes that <program>, the
# machine's own build, gives: all linear, logistic and Poisson policies. arm-check.sh <program> <build folder>
set -eu
program=$1
build=$2
here=$(cd "$(dirname "$0")/.." && pwd)
libraries=/usr/lib/aarch64-linux-gnu
packages='g++-aarch64-linux-gnu qemu-user-static libhwy-dev:arm64 libfmt-dev:arm64 libtomlplusplus-dev:arm64 libsimdjson-dev:arm64 zlib1g-dev:arm64'

# shellcheck disable=SC2086  # a list of words
if ! dpkg-query -W -f '' $packages 2>/dev/null; then
  [ "$(id -u)" -eq 0 ] && as_root='' || as_root=sudo
  echo "arm-check: installing $packages"
  $as_root dpkg --add-architecture arm64
  $as_root apt-get update -qq
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $packages
fi

cmake -S "$here" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 \
  -DCMAKE_CXX_COMPILER=aarch64-linux-gnu-g++ -DCMAKE_LIBRARY_ARCHITECTURE=aarch64-linux-gnu \
  -Dhwy_DIR=$libraries/cmake/hwy -Dfmt_DIR=$libraries/cmake/fmt \
  -Dtomlplusplus_DIR=$libraries/cmake/tomlplusplus -Dsimdjson_DIR=$libraries/cmake/simdjson \
  -DZLIB_LIBRARY=$libraries/libz.so \
  -DPHE_BUILD_TESTS=OFF -DPHE_BUILD_EXAMPLES=OFF >/dev/null
cmake --build "$build" --target phe_cli

results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
# run <results folder> <command>
run() {
  folder=$1
  shift
  "$@" --rounds 2000 --instances 2 --quiet --out "$results/$folder" >/dev/null
}
for family in lin 'log|glm' pois; do
  case $family in
    lin) problem=linear:d=10 ;;
    pois) problem=poisson:d=5 ;;
    *) problem=logistic:d=5 ;;
  esac
  set -- simulate --problem $problem
  for policy in $("$program" policies --json | sed -n 's/.*"name": *"\([a-z]*\)".*/\1/p' | grep -E "$family"); do
    set -- "$@" --policy "$policy"
  done
  # With thousands of pseudo-rewards a pull, every way of drawing them is taken.
  [ "$family" = lin ] && set -- "$@" --policy linphe:a=1000
  rm -rf "$results"/*
  run own "$program" "$@"
  run arm qemu-aarch64-static "$build/bin/phe" "$@"
  for table in regret.csv runs.csv; do
    cmp "$results/own/$table" "$results/arm/$table"
    echo "arm-check: $problem, $((($# - 3) / 2)) policies: the same $(wc -c <"$results/arm/$table") bytes of $table"
  done
done
