#!/bin/sh
# Installs, uses and removes the files of a release in a clean Debian, each way in a copy of its own.
#
#   scripts/clean-system.sh make SUITE FOLDER          # once, as root: bookworm or trixie, with torch (2 GB)
#   scripts/clean-system.sh test FOLDER DIST [WAY…]    # DIST: what scripts/release made; WAY: wheel, archive, deb
#
# `make` wants debootstrap. The copies are overlays and vanish at the end; the Debian packages are built in one of them,
# then installed in another. A way passes when check, run and verify do what they should on the samples, and no file
# with our name is left after the removal.
set -eu

usage() {
    sed -n '4,5s/^# *//p' "$0" >&2
    exit 2
}

root=$(cd "$(dirname "$0")/.." && pwd)
[ $# -ge 3 ] || usage

make_system() { # make_system SUITE FOLDER
    [ -x "$2/bin/sh" ] || debootstrap --variant=minbase --include=ca-certificates "$1" "$2"
    chroot "$2" sh -ec '
        export DEBIAN_FRONTEND=noninteractive
        apt-get update -q
        apt-get install -q -y --no-install-recommends python3-torch python3-numpy python3-venv
        apt-get clean'
}

# In a mount namespace of its own, with a copy of the system: what the rest of the arguments say.
in_copy() { # in_copy FOLDER COMMAND…
    unshare --mount --pid --fork sh -ec '
        base=$1 shared=$2; shift 2
        mount -t tmpfs tmpfs /mnt
        mkdir /mnt/up /mnt/work /mnt/system
        mount -t overlay overlay -o "lowerdir=$base,upperdir=/mnt/up,workdir=/mnt/work" /mnt/system
        mount -t proc proc /mnt/system/proc
        mount -t tmpfs tmpfs /mnt/system/dev/shm
        mkdir /mnt/system/shared
        mount --bind "$shared" /mnt/system/shared
        cp /etc/resolv.conf /mnt/system/etc/resolv.conf
        exec chroot /mnt/system env -i HOME=/tmp PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 OMP_NUM_THREADS=1 \
            DEBIAN_FRONTEND=noninteractive "$@"' in_copy "$1" "$shared" sh -euc "$2"
}

# What every way must do with $lint, and what it must leave behind.
use='
use() {
    cp -R /shared/examples /tmp/examples; cd /tmp/examples
    "$lint" check custom
    status=0; "$lint" check broken/custom/softmax_broken >/tmp/said || status=$?
    [ "$status" = 1 ] && grep -q OL48 /tmp/said
    "$lint" run sim/softmax.py
    "$lint" verify --op-dir custom/gated_rmsnorm --up-to-module 2 --levels L1 --modes sim --jobs 1 | tail -n 1
    cd /; rm -r /tmp/examples /tmp/said
}
removed() {
    left=$(find / -xdev -name "*pypto*" ! -path "/proc/*" ! -path "/shared/*")
    [ -z "$left" ] || { echo "left behind: $left" >&2; exit 1; }
}
'

test_wheel() {
    in_copy "$folder" "$use"'
        python3 -m venv --system-site-packages /venv
        /venv/bin/pip --isolated install --quiet --no-index /shared/dist/*manylinux*.whl
        lint=/venv/bin/pypto-lint; use
        /venv/bin/pip uninstall --quiet -y pypto-lint
        removed'
}

test_archive() {
    in_copy "$folder" "$use"'
        mkdir /opt/lint
        tar -xzf /shared/dist/pypto-lint-*-linux-"$(uname -m)".tar.gz -C /opt/lint --strip-components 1
        lint=/opt/lint/bin/pypto-lint; use
        rm -r /opt/lint
        removed'
}

test_deb() {
    in_copy "$folder" '
        apt-get update -q >/dev/null
        apt-get install -q -y --no-install-recommends dpkg-dev debhelper dh-python build-essential cmake ninja-build \
            pkg-config python3-dev libyaml-dev libjansson-dev libmd-dev libutf8proc-dev >/dev/null
        cd /tmp; cp /shared/dist/pypto-lint_* .
        dpkg-source -x ./*.dsc source >/dev/null
        cd source; dpkg-buildpackage -us -uc -b >/tmp/log 2>&1 || { tail -n 40 /tmp/log; exit 1; }
        mkdir -p /shared/built; cp /tmp/*.deb /shared/built/'
    in_copy "$folder" "$use"'
        apt-get update -q >/dev/null
        apt-get install -q -y --no-install-recommends /shared/built/pypto-lint_*.deb >/dev/null
        lint=pypto-lint; use
        apt-get purge -q -y pypto-lint >/dev/null
        rm -f /var/lib/apt/lists/*pypto*
        removed'
}

case $1 in
make) make_system "$2" "$3" ;;
test)
    folder=$(cd "$2" && pwd) dist=$(cd "$3" && pwd)
    shift 3
    [ $# -gt 0 ] || set -- wheel archive deb
    [ "$(id -u)" = 0 ] || { echo "chroot wants root: skipped"; exit 77; }
    shared=$(mktemp -d)
    trap 'rm -rf "$shared"' EXIT
    cp -R "$root/examples" "$dist" "$shared/"
    [ "$(basename "$dist")" = dist ] || mv "$shared/$(basename "$dist")" "$shared/dist"
    for way in "$@"; do
        "test_$way"
        echo "$way: installed, used and removed"
    done
    ;;
*) usage ;;
esac
