#!/bin/sh
# The simulator's Python tests under Debian 13: torch 2.6, Python 3.13, numpy 2.
#
#   scripts/debian13.sh make FOLDER          # once, as root: a Debian 13 in FOLDER (2 GB, 10 minutes)
#   scripts/debian13.sh run FOLDER BUILD     # the tests of tests/runtime and the examples, with BUILD
#   scripts/debian13.sh shell FOLDER BUILD [COMMAND]  # a shell there, in the copy of the tree
#
# `make` needs debootstrap (apt-get install debootstrap). FOLDER must be outside the repository; the
# tree and the build are copied into it. The extension uses Python's limited API, so one built for
# another Python works.
#
# Status 77: there is no such folder (ctest counts the test as skipped).
set -eu

usage() {
    sed -n '4,6s/^# *//p' "$0" >&2
    exit 2
}

[ $# -ge 2 ] || usage
[ -n "$2" ] || { echo "no folder of a Debian 13 is named: skipped"; exit 77; }
action=$1 folder=$2 build=${3:-}
root=$(cd "$(dirname "$0")/.." && pwd)

make_folder() {
    mkdir -p "$folder"
    [ -x "$folder/bin/sh" ] || debootstrap --variant=minbase --include=ca-certificates trixie "$folder"
    chroot "$folder" sh -ec '
        export DEBIAN_FRONTEND=noninteractive
        apt-get update
        apt-get install -y --no-install-recommends python3-torch python3-numpy python3-pytest python3-dev gcc
        apt-get clean'
}

copy_tree() {
    [ -x "$folder/usr/bin/python3" ] || { echo "no Debian 13 in $folder: skipped"; exit 77; }
    [ "$(id -u)" = 0 ] || { echo "chroot needs root: skipped"; exit 77; }
    [ -e "$build/share/pypto-lint/sim/_ptosim.abi3.so" ] || { echo "$build: no build" >&2; exit 2; }
    rm -rf "$folder/tree"
    mkdir -p "$folder/tree/build/bin" "$folder/tree/tests/harness"
    cp -R "$build/share" "$folder/tree/build/"
    cp "$build/bin/pypto-lint" "$folder/tree/build/bin/"
    # The libraries of the build machine, because Debian 13 has other versions.
    mkdir -p "$folder/tree/lib"
    ldd "$build/bin/pypto-lint" | awk '$3 ~ /^\// && $1 !~ /^lib(c|m|pthread|dl)\.so/ { print $3 }' |
        xargs -r cp -t "$folder/tree/lib"
    cp -R "$root/tests/runtime" "$folder/tree/tests/"
    cp -R "$root/tests/harness/fake_npu" "$root/tests/harness/warm_python.py" "$folder/tree/tests/harness/"
    cp -R "$root/examples" "$root/scripts" "$root/docs" "$folder/tree/"
    mkdir -p "$folder/tree/src/model"
    cp "$root/src/model/ops.def" "$folder/tree/src/model/"
}

inside() {
    # /proc is mounted in a namespace of its own, which vanishes with its last process.
    unshare --mount sh -ec 'folder=$1; shift
        mount -t proc proc "$folder/proc"
        mount -t tmpfs tmpfs "$folder/dev/shm"
        mkdir -p "$folder/dev/pts"
        mount -t devpts -o newinstance,ptmxmode=0666 devpts "$folder/dev/pts"
        ln -sf pts/ptmx "$folder/dev/ptmx"
        exec chroot "$folder" "$@"' inside "$folder" \
        env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
        LD_LIBRARY_PATH=/tree/lib UCX_LOG_LEVEL=fatal OMP_NUM_THREADS=1 "$@"
}

case $action in
make)
    make_folder
    ;;
run)
    [ -n "$build" ] || usage
    copy_tree
    inside python3 -B /tree/tests/runtime/run_all.py /tree/build
    ;;
shell)
    [ -n "$build" ] || usage
    copy_tree
    shift 3
    inside sh -c "cd /tree; ${*:-sh}"
    ;;
*)
    usage
    ;;
esac
