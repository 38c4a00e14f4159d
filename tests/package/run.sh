#!/bin/sh
# Makes the Debian packages of a build, looks into them, installs them below an empty folder, and runs the
# program from there.      run.sh BUILD_DIR VERSION
set -eu
build=$1
version=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "package: $1" >&2; exit 1; }

cpack --config "$build/CPackConfig.cmake" -B "$work" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
program=$(ls "$work"/phe_"$version"_*.deb)
library=$(ls "$work"/libphe-dev_"$version"_*.deb)

depends=$(dpkg-deb -f "$program" Depends)
for name in libc6 libfmt libhwy libstdc++6 libtomlplusplus; do
  case $depends in *$name*) ;; *) fail "phe does not depend on $name: $depends" ;; esac
done
case $depends in *-dev*) fail "phe depends on a -dev package: $depends" ;; esac
[ "$(dpkg-deb -f "$program" Recommends)" = gnuplot-nox ] || fail "phe does not recommend gnuplot-nox"

root=$work/root
dpkg-deb -x "$program" "$root"
for file in bin/phe share/man/man1/phe.1 share/bash-completion/completions/phe \
  share/zsh/vendor-completions/_phe share/fish/vendor_completions.d/phe.fish share/doc/phe/copyright; do
  [ -s "$root/usr/$file" ] || fail "/usr/$file is missing"
done
[ ! -e "$root/usr/include" ] || fail "headers are in the program's package"
"$root/usr/bin/phe" --version | grep -qx "phe $version" || fail "the program does not tell its version"
"$root/usr/bin/phe" simulate --problem linear:d=3,arms=5 --policy linphe --rounds 50 --instances 2 \
  --quiet --out "$work/out" | grep -q linphe || fail "the program does not run"
[ -s "$work/out/regret.csv" ] || fail "the program keeps no results"

dpkg-deb -c "$library" >"$work/files"
grep -q '/usr/include/phe/lin_phe.hpp' "$work/files" || fail "libphe-dev has no headers"
grep -q '/libphe.a' "$work/files" || fail "libphe-dev has no library"
! grep -q '/usr/bin/' "$work/files" || fail "the program is in libphe-dev"

# A database of packages of its own; what phe depends on is outside of it.
[ "$(id -u)" -eq 0 ] || exit 0
rm -rf "$root"
mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates"
: >"$root/var/lib/dpkg/status"
dpkg --root="$root" --force-depends -i "$program" "$library" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
"$root/usr/bin/phe" policies | grep -q '^linphe$' || fail "the installed program does not run"
dpkg --root="$root" -P libphe-dev phe >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
[ ! -e "$root/usr/bin/phe" ] || fail "the program stays when its package goes"
