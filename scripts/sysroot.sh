#!/bin/sh
# Unpacks the libraries and headers of Debian's arm64 packages into a folder. The presets *-aarch64
# compile and link against them, and qemu finds its loader there.
#
#   scripts/sysroot.sh FOLDER [PACKAGE…]     PACKAGE: further packages, with all that they depend on
#
# The packages come from this system's repositories and are verified with the same keys; nothing is
# installed, and no foreign architecture is added to the system. Does nothing if FOLDER was made
# with these packages or more.
set -eu

[ $# -ge 1 ] || { sed -n '5s/^# *//p' "$0" >&2; exit 2; }
folder=$1
shift
packages="libc6-dev libyaml-dev libjansson-dev libmd-dev libutf8proc-dev libiberty-dev libcmocka-dev libpython3-dev $*"
there=" $(cat "$folder/.packages" 2>/dev/null || true) "
missing=
for package in $packages; do
    case $there in *" $package "*) ;; *) missing=$package ;; esac
done
[ -n "$missing" ] || exit 0

mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lists/partial" "$work/archives/partial" "$work/dpkg"
: >"$work/dpkg/status" # nothing is installed there, so that everything is loaded
apt_arm64() {
    apt-get -q -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State::status="$work/dpkg/status" \
        -o Dir::State::lists="$work/lists" -o Dir::Cache::archives="$work/archives" \
        -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o APT::Sandbox::User=root -o Debug::NoLocking=1 "$@"
}
apt_arm64 update
# shellcheck disable=SC2086
apt_arm64 install -y --no-install-recommends --download-only $packages
for package in "$work"/archives/*.deb; do
    dpkg-deb -x "$package" "$folder"
done
# Absolute links lead out of the folder; make them relative.
find "$folder" -type l | while read -r link; do
    target=$(readlink "$link")
    case $target in /*) ln -sfn "$(realpath -m --relative-to="$(dirname "$link")" "$folder$target")" "$link" ;; esac
done
printf '%s\n' "$packages" >"$folder/.packages"
