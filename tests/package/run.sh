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

# The service, where it was built: program, manual, unit and socket, a user, a file of settings that upgrades keep.
service=
if [ -x "$build/bin/phe-serve" ]; then
  service=$(ls "$work"/phe-serve_"$version"_*.deb)
  depends=$(dpkg-deb -f "$service" Depends)
  for name in "phe (= $version)" libssl3 libsqlite3-0 libsimdjson; do
    case $depends in *"$name"*) ;; *) fail "phe-serve does not depend on $name: $depends" ;; esac
  done
  dpkg-deb -x "$service" "$root"
  for file in usr/bin/phe-serve usr/share/man/man1/phe-serve.1 usr/share/bash-completion/completions/phe-serve \
    usr/lib/systemd/system/phe-serve.service usr/lib/systemd/system/phe-serve.socket usr/lib/sysusers.d/phe-serve.conf \
    etc/phe-serve/phe-serve.toml usr/share/doc/phe-serve/copyright; do
    [ -s "$root/$file" ] || fail "/$file is missing"
  done
  dpkg-deb -e "$service" "$work/control"
  grep -qx /etc/phe-serve/phe-serve.toml "$work/control/conffiles" || fail "the settings are no conffile"
  sh -n "$work/control/postinst" && sh -n "$work/control/prerm" || fail "a script of phe-serve is no shell script"
  program_of_unit=$(sed -n 's/^ExecStart=\([^ ]*\).*/\1/p' "$root/usr/lib/systemd/system/phe-serve.service")
  [ -x "$root$program_of_unit" ] || fail "the unit starts $program_of_unit, which is not there"
  "$root/usr/bin/phe-serve" --version | grep -qx "phe-serve $version" || fail "phe-serve does not tell its version"
  "$root/usr/bin/phe-serve" check --config "$root/etc/phe-serve/phe-serve.toml" --data "$work/none" >/dev/null ||
    fail "phe-serve does not like its own settings"
  ! dpkg-deb -c "$program" | grep -q phe-serve || fail "the service is in the package of phe"
fi

# A database of packages of its own; what phe depends on is outside of it.
[ "$(id -u)" -eq 0 ] || exit 0
rm -rf "$root"
mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates"
: >"$root/var/lib/dpkg/status"
dpkg --root="$root" --force-depends --force-script-chrootless -i "$program" "$library" $service >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
"$root/usr/bin/phe" policies | grep -q '^linphe$' || fail "the installed program does not run"
[ -z "$service" ] || "$root/usr/bin/phe-serve" --help | grep -q backup || fail "the installed service does not run"
dpkg --root="$root" --force-script-chrootless -P ${service:+phe-serve} libphe-dev phe >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
[ ! -e "$root/usr/bin/phe" ] || fail "the program stays when its package goes"
