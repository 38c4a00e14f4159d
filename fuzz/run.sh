#!/usr/bin/env bash
# fuzz/run.sh <build folder> <seconds a target> <targets at a time>: runs every fuzz target on a copy
# of its corpus, and fails when one finds something. New inputs stay in <build folder>/fuzz/<target>,
# where the next run starts from.
set -euo pipefail

run_target() {
  local build=$1 seconds=$2 name=$3
  local here work log options
  here=$(dirname "${BASH_SOURCE[0]}")
  work=$build/fuzz/$name
  log=$work/log
  mkdir -p "$work/corpus"
  cp "$here/corpus/$name"/* "$work/corpus"
  # Short runs repeat themselves; long ones try something new each time (seed 0).
  options=(-max_total_time="$seconds" -seed="$((seconds <= 60))" -timeout=60 -rss_limit_mb=2048
    -print_final_stats=1 -artifact_prefix="$work/")
  [ ! -e "$here/$name.dict" ] || options+=(-dict="$here/$name.dict")

  if "$build/bin/${name}_fuzz" "${options[@]}" "$work/corpus" >"$log" 2>&1; then
    awk -v name="$name" '
      / cov: / { cov = $4; ft = $6 }
      /number_of_executed_units/ { executions = $2 }
      END { printf "%-10s %10d executions, %6d edges, %6d features\n", name, executions, cov, ft }
    ' "$log"
  else
    tail -n 40 "$log"
    local input
    input=$(sed -n 's/.*Test unit written to //p' "$log" | tail -n 1)
    echo "$name: FOUND something, see $log; replay with: $build/bin/${name}_fuzz ${input:-(no input was kept)}"
    return 1
  fi
}

if [ "${4:-}" ]; then
  run_target "$1" "$2" "$4"
else
  find "$(dirname "$0")/corpus" -mindepth 1 -maxdepth 1 -printf '%f\n' | sort |
    xargs -P "$3" -I{} "$0" "$1" "$2" "$3" {}
fi
