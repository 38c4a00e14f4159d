#!/usr/bin/env bash
# A virtual environment with the peers: setup.sh FOLDER PYTHON. What cannot be installed is skipped with a word.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$1
python=$2
[ -x "$folder/bin/python" ] || "$python" -m venv "$folder" || exit 1

grep -v '^#' "$here/requirements.txt" | while read -r peer; do
  stamp=$folder/$peer.installed
  [ -e "$stamp" ] && continue
  echo "peers: installing $peer"
  flags=(-c "$here/constraints.txt")
  # obp asks for Python < 3.11 and for PyTorch, which its online policies do not use.
  [[ $peer = obp==* ]] && flags=(--no-deps --ignore-requires-python) && peer="$peer pyyaml"
  if "$folder/bin/pip" -q install "${flags[@]}" $peer > "$folder/$peer.log" 2>&1; then
    touch "$stamp"
  else
    echo "peers: $peer is skipped: $(grep -v '^ *$' "$folder/$peer.log" | tail -1)"
  fi
done
