#!/usr/bin/env bash
# Builds the wheel as pip does, installs it in a clean environment, and runs the tests on it. Needs PyPI, so it
# is a command of its own (make wheel-check) and no part of make test.
set -euo pipefail
source=$(cd "$(dirname "$0")/../.." && pwd)
python=${PYTHON:-/usr/bin/python3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$python" -m venv "$work/build"
if ! "$work/build/bin/pip" -q download --no-deps -d "$work/probe" scikit-build-core 2> "$work/probe.log"; then
  echo "wheel: skipped, PyPI cannot be reached: $(tail -1 "$work/probe.log")"
  exit 0
fi
"$work/build/bin/pip" -q wheel --no-deps --config-settings=build-dir="$source/build/wheel" -w "$work" "$source"
ls "$work"/phebandits-*.whl
"$python" -m venv "$work/clean"
"$work/clean/bin/pip" -q install "$work"/phebandits-*.whl pytest
cd "$work"  # away from the sources
"$work/clean/bin/python" -m phebandits --version
"$work/clean/bin/phebandits" policies > /dev/null
"$work/clean/bin/python" -m pytest -q -p no:cacheprovider -c /dev/null \
  "$source"/python/tests/test_{policies,batches,bad_input,simulate,threads,docs}.py -k "not PerturbedHistory"
echo "wheel: installed and tested"
