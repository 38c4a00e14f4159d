#!/usr/bin/env bash
# tests/serve/run.sh <folder of the programs>: the running service in full. Faults with 100 kills, many nodes on Redis, whether it
# learns, the official clients of Azure Personalizer and the pages in Chromium, which need node 20 and npm's registry and are
# left out, with a word, where they cannot be had.
set -euo pipefail
PHE_PROGRAMS=$(cd "$1" && pwd)
export PHE_PROGRAMS PHE_SERVE_KILLS=${PHE_SERVE_KILLS:-100} PHE_SERVE_RESTARTS=${PHE_SERVE_RESTARTS:-10}
cd "$(dirname "$0")"
heading() { printf '\n-- %s\n' "$*"; }

heading "The API"
python3 api_test.py
heading "Health, metrics, the page's numbers"
python3 site_test.py
heading "Operations: restarts, back-ups, check"
python3 operations_test.py
heading "Faults, $PHE_SERVE_KILLS kills"
python3 faults_test.py
heading "Many nodes on Redis"
python3 cluster_test.py
heading "Learning"
python3 learning_test.py

heading "The official clients, and the pages in Chromium"
major=$(node --version 2>/dev/null | sed 's/v\([0-9]*\).*/\1/') || true
if [ "${major:-0}" -lt 20 ]; then
  echo "left out: node 20 or later is not installed (it has ${major:-none})"
  exit 0
fi
work=${PHE_CLIENTS:-$PHE_PROGRAMS/../clients}
mkdir -p "$work"
cp clients/* "$work"
cd "$work"
if ! npm install --no-audit --no-fund --silent --ignore-scripts >npm.log 2>&1; then
  echo "left out: npm could not install them"
  tail -n 3 npm.log
  exit 0
fi
node --test ./*.test.mjs
