#!/bin/sh
# tools/setup.sh beside a dpkg and an apt-get that only write down what they were asked for.
# shellcheck disable=SC2015  # A && B || fail: fail always ends
set -eu
setup=$(cd "$(dirname "$0")/../../tools" && pwd)/setup.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fake() {
  cat >"$work/$1"
  chmod +x "$work/$1"
}
fake id <<'END'
#!/bin/sh
echo 0
END
# Knows the packages of $INSTALLED.
fake dpkg-query <<'END'
#!/bin/sh
shift 3
for package in "$@"; do
  case " $INSTALLED " in *" $package "*) echo "installed $package" ;; *) missing=1 ;; esac
done
[ -z "${missing:-}" ]
END
fake apt-get <<'END'
#!/bin/sh
[ "$1" != install ] || echo "$*" | sed 's/.*recommends //' >>"$LOG"
exit "${APT_FAILS:-0}"
END
export PATH="$work:$PATH" LOG="$work/log" INSTALLED=

# installs PURPOSE...: the packages that it asks for, a line each.
installs() {
  : >"$LOG"
  "$setup" "$@" >"$work/said" 2>&1
  tr ' ' '\n' <"$LOG"
}
fail() { echo "setup: $1" >&2; exit 1; }

installs run | grep -qx libhwy-dev || fail "the program needs libhwy-dev"
installs run | grep -E 'clang|valgrind|gsl|gtest|rapidcheck|benchmark|numpy|ccache' &&
  fail "the program needs none of these"
[ "$(installs run test | grep -c .)" -gt "$(installs run | grep -c .)" ] || fail "tests need more than the program"
[ "$(installs lint fuzz | grep -cx clang)" = 1 ] || fail "what two purposes share is asked for once"
[ "$(installs | sort | uniq -d)" = "" ] || fail "all purposes ask for each package once"
installs | grep -qx valgrind || fail "without a purpose all are installed"

INSTALLED="clang clang-tidy"
[ "$(installs lint)" = "" ] || fail "nothing is installed twice"
[ ! -s "$work/said" ] || fail "nothing is said when nothing is missing"
INSTALLED=clang
[ "$(installs lint)" = clang-tidy ] || fail "only what is missing is installed"

status=0
: >"$LOG"
"$setup" lnit >"$work/said" 2>&1 || status=$?
[ "$status" = 2 ] && [ ! -s "$LOG" ] || fail "an unknown purpose is refused"
grep -q "'lnit' (purposes: run test" "$work/said" || fail "an unknown purpose is named"
status=0
APT_FAILS=1 "$setup" format 2>"$work/said" >/dev/null || status=$?
[ "$status" = 1 ] || fail "a failure to install is an error"
grep -q "apt-get install .* clang-format" "$work/said" || fail "a failure says what to run"
