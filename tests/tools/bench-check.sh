#!/bin/sh
# bench/check.py with a program and a valgrind that do nothing but write down how they were called.
# shellcheck disable=SC2015  # A && B || fail: fail always ends
set -eu
check=$(cd "$(dirname "$0")/../../bench" && pwd)/check.py
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "bench-check: $1" >&2; cat "$work/said" >&2; exit 1; }

cat >"$work/phe" <<'END'
#!/bin/sh
echo "$*" >>"$LOG"
[ -z "${SAYS:-}" ] || { echo "$SAYS" >&2; exit 2; }
END
# So many instructions that a round takes $EACH, and from 90,000 on $MORE more.
cat >"$work/valgrind" <<'END'
#!/bin/sh
echo "$*" >>"$LOG"
rounds=$(echo "$*" | sed 's/.*--rounds \([0-9]*\).*/\1/')
late=$((rounds > 90000 ? rounds - 90000 : 0))
echo "==1== Collected : $((rounds * EACH + late * MORE))" >&2
END
chmod +x "$work/phe" "$work/valgrind"
export PATH="$work:$PATH" LOG="$work/log" EACH=1 MORE=0 SAYS=

run() { : >"$LOG"; status=0; "$check" "$work/phe" >"$work/said" 2>&1 || status=$?; }

run
[ "$status" = 0 ] || fail "fewer instructions pass"
[ "$(grep -c 'tool=callgrind' "$LOG")" = 16 ] || fail "each of six runs is counted twice, a long one four times"
! grep -v -e '--simd avx2' "$LOG" || fail "every run fixes the instruction set"
EACH=1000000 run
[ "$status" = 1 ] && grep -q 'over +5%: linphe, d = 5; ' "$work/said" || fail "more instructions fail"
MORE=1 run
[ "$status" = 1 ] && grep -q "a round's cost grows: 2.000" "$work/said" || fail "late rounds that take more fail"
SAYS="phe: SIMD target must be one of auto, neon, got 'avx2'" run
[ "$status" = 0 ] && grep -q 'skipped' "$work/said" || fail "without AVX2 there is nothing to compare"
SAYS="phe: no policy is called 'linphe'" run
[ "$status" = 1 ] && grep -q "no policy" "$work/said" || fail "a program that fails is no reason to skip"
