#!/usr/bin/env bash
# phe-mpi with real ranks: the bytes of one process, whatever happens to the ranks.   run.sh BIN-FOLDER
set -euo pipefail
bin=$(realpath "$1")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"
export OMPI_MCA_odls_base_sigkill_timeout=3  # that rank 0 can say its word on a busy machine
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1  # containers run as root

fail() { echo "mpi-test: $*" >&2; exit 1; }
ranks() { local n=$1; shift; timeout 120 mpirun --oversubscribe -n "$n" "$bin/phe-mpi" "$@"; }
same() { for f in regret.csv runs.csv; do cmp "$1/$f" "$2/$f" || fail "$1 and $2 differ in $f"; done; }
# Fails unless the command ended with that code and said that.
refused() {
  local code=$1 word=$2; shift 2
  local got=0; "$@" > said 2>&1 || got=$?
  [ "$got" = "$code" ] || { cat said; fail "exit code $got instead of $code: $*"; }
  grep -qF -- "$word" said || { cat said; fail "did not say '$word': $*"; }
}
ok() { echo "ok: $*"; }

experiment=(simulate --problem 'linear:d=3|4,arms=9' --policy 'linphe:a=0.5|1' --policy lints
  --rounds 300 --instances 20 --columns reward,best_pulls --quiet)

"$bin/phe" "${experiment[@]}" --out one > one.txt
ranks 4 "${experiment[@]}" --out four > four.txt
same one four
# The same but for times: the table's last column and the manifest.
diff <(sed 's/ *[0-9]*$//' one.txt) <(sed 's/ *[0-9]*$//' four.txt) || fail "the tables differ"
ok "four ranks give the bytes of one process"

ranks 2 "${experiment[@]}" --threads 2 --out two > /dev/null
same one two
ok "so do two ranks of two threads"

# A file of an experiment, found by all ranks where rank 0 has it.
mkdir data other
printf '0.5,1\n-0.5,1\n0.1,1\n' > data/arms.csv
printf '0.5,1\n-0.5,1\n0.2,1\n' > other/arms.csv
printf '0.4,0.5\n' | tee data/theta.csv > other/theta.csv
files=(simulate --problem linear:features=arms.csv,theta=theta.csv --policy linphe --rounds 50
  --instances 9 --quiet)
(cd data && "$bin/phe" "${files[@]}" --out "$tmp/files-one" > /dev/null)
(cd data && ranks 4 "${files[@]}" --out "$tmp/files-four" > /dev/null)
same files-one files-four
ok "a problem of a file"

# One rank is killed in the middle: the job ends with a word, the journal stays, the command goes on.
long=(simulate --problem linear:d=10,arms=50 --policy 'linphe:a=0.5|1' --rounds 20000
  --instances 250 --quiet)
"$bin/phe" "${long[@]}" --out long-one > /dev/null
ranks 4 "${long[@]}" --out long-four > killed 2>&1 &
job=$!
writer=
for _ in $(seq 1 3000); do
  [ -s long-four/.lock ] && writer=$(sed -n 's/.*"process":\([0-9]*\).*/\1/p' long-four/.lock)
  [ -n "$writer" ] && break
  sleep 0.02
done
victim=$(pgrep -f "phe-mpi simulate .*long-four" | while read -r p; do
  [ "$(cat "/proc/$p/comm")" = phe-mpi ] && [ "$p" != "$writer" ] && echo "$p" && break
done || true)
[ -n "$victim" ] || fail "found no rank to kill"
kill -9 "$victim"
code=0; wait $job || code=$?
[ "$code" != 0 ] || fail "a job with a killed rank ended with 0"
grep -qE 'rank|signal' killed || { cat killed; fail "no word about the rank that died"; }
grep -qF 'the same command goes on' killed || { cat killed; fail "no word about how to go on"; }
kept=$(grep -c '^run ' long-four/runs.log)
[ "$kept" -gt 0 ] && [ "$kept" -lt 500 ] || fail "$kept of 500 runs were kept"
for _ in $(seq 1 100); do kill -0 "$writer" 2> /dev/null || break; sleep 0.1; done
"$bin/phe" status long-four > status
grep -qF "stopped (process $writer" status || { cat status; fail "phe status does not tell"; }
ranks 4 "${long[@]}" --out long-four > /dev/null
same long-one long-four
ok "a rank that is killed costs no finished run ($kept of 500 were kept)"

# Ranks that do not belong together.
cp "$bin/phe-mpi" other-program
printf x >> other-program
refused 2 'runs another phe-mpi than rank 0' timeout 60 mpirun --oversubscribe \
  -n 2 "$bin/phe-mpi" "${files[@]}" : -n 1 "$tmp/other-program" "${files[@]}"
ok "another binary on one rank is refused"
refused 1 'the content of arms.csv differs' timeout 60 mpirun --oversubscribe \
  -n 2 -wdir "$tmp/data" "$bin/phe-mpi" "${files[@]}" --out "$tmp/differ" : \
  -n 1 -wdir "$tmp/other" "$bin/phe-mpi" "${files[@]}" --out "$tmp/differ"
grep -qE 'rank 2 on' said || { cat said; fail "the rank is not named"; }
ok "another file on one rank is refused and named"

# Bad input and a folder that cannot be made are told once, by rank 0, and nobody hangs.
refused 2 "no policy is called 'linfe'" ranks 3 simulate --problem linear --policy linfe
[ "$(grep -c '^phe: ' said)" = 1 ] || { cat said; fail "told more than once"; }
: > file
refused 2 'cannot be made a folder' ranks 3 "${experiment[@]}" --out file/below
ok "bad input"

# The other commands that do runs.
tune=(tune --problem linear:d=3,arms=9 --policy linphe:a=0.1..2 --policy lints --rounds 100
  --budget 300 --json --quiet)
cmp <("$bin/phe" "${tune[@]}") <(ranks 4 "${tune[@]}") || fail "tune differs"
growth=(growth --over rounds --values 100,200,400 --policy linphe --instances 6 --quiet --json)
cmp <("$bin/phe" "${growth[@]}") <(ranks 4 "${growth[@]}") || fail "growth differs"
paper=(reproduce --quick --only linear --rounds 50 --instances 3 --quiet)
"$bin/phe" "${paper[@]}" --out paper-one > /dev/null
ranks 4 "${paper[@]}" --out paper-four > /dev/null
same paper-one/linear paper-four/linear
ok "tune, growth and reproduce"
