#!/bin/sh
# Installs, uses and removes the files of a release in a clean Debian, each way in a copy of its own.
#
#   scripts/clean-system.sh make SUITE FOLDER          # once, as root: bookworm or trixie, with torch (2 GB)
#   scripts/clean-system.sh bare BASE FOLDER           # from such a system: glibc, Python, torch, and nothing else
#   scripts/clean-system.sh test FOLDER DIST [WAY…]    # DIST: what scripts/release made
#
# WAY: wheel, pipx, archive, npm, sdist, deb, container, simulator; in a bare folder, which has not even a shell: wheel,
# archive, container. `simulator` is the image that packaging/simulator_image.py makes, if DIST has it. `make` wants
# debootstrap. The copies are overlays and vanish at the end. Where the Debian packages of DIST do not fit, they are built
# in one copy and installed in another. A way passes when check, run and verify do what they should on the samples (in the
# image with the linter alone: check), and the removal leaves no file that was not there before, aside from caches and
# records of the tools themselves.
set -eu

usage() {
    sed -n '4,6s/^# *//p' "$0" >&2
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

# Python with its modules, and all libraries that they load, under the names by which they ask for them.
make_bare() { # make_bare BASE FOLDER
    mkdir -p "$2/tmp" "$2/proc" "$2/dev" "$2/opt" "$2/usr/lib" "$2/usr/lib64"
    ln -s usr/lib usr/lib64 "$2"
    (
        cd "$1"
        cp -a --parents usr/bin/python3* usr/lib/python3* usr/share/python-wheels "$2"
        # The pip of Debian 13 reads the certificates whatever it is asked for.
        cp -L --parents etc/ssl/certs/ca-certificates.crt "$2"
        chroot . sh -c '
            linked=$(find /usr/lib/python3* -name "*.so*" -type l | while read -r link; do
                path=$(realpath -s "${link%/*}/$(readlink "$link")")
                [ ! -e "$path" ] || echo "$path"
            done)
            printf "%s\n" $linked
            { echo /usr/bin/python3 $linked; find /usr/lib/python3* -name "*.so*" -type f; } | xargs ldd' |
            awk 'NF == 1 { print $1 } $2 == "=>" && $3 ~ /^\// { print $3 } $1 ~ /^\/.*ld-linux/ { print $1 }' |
            grep -v ':$' | sed 's,^/\(usr/\)*,usr/,' | sort -u >"$2/tmp/libraries"
        xargs cp -RL --parents -t "$2" <"$2/tmp/libraries"
        # pip may install here: the folder is not a Debian system any more, whose packages it must not touch.
        rm "$2/tmp/libraries" "$2"/usr/lib/python3*/EXTERNALLY-MANAGED
    )
}

# In a mount namespace of its own, with a copy of the system in $system: SCRIPT, inside of it or outside.
in_copy() { # in_copy FOLDER inside|outside SCRIPT
    unshare --mount --pid --fork sh -ec '
        base=$1 shared=$2 place=$3 script=$4
        mount -t tmpfs tmpfs /mnt
        mkdir /mnt/up /mnt/work /mnt/system
        mount -t overlay overlay -o "lowerdir=$base,upperdir=/mnt/up,workdir=/mnt/work" /mnt/system
        mount -t proc proc /mnt/system/proc
        mkdir -p /mnt/system/dev/shm /mnt/system/etc /mnt/system/shared
        mount -t tmpfs tmpfs /mnt/system/dev/shm
        for node in null urandom; do
            [ -e /mnt/system/dev/$node ] || { : >/mnt/system/dev/$node; mount --bind /dev/$node /mnt/system/dev/$node; }
        done
        mount --bind "$shared" /mnt/system/shared
        cp /etc/resolv.conf /mnt/system/etc/resolv.conf
        set -- env -i HOME=/tmp PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 OMP_NUM_THREADS=1 \
            DEBIAN_FRONTEND=noninteractive
        if [ "$place" = inside ]; then
            exec "$@" chroot /mnt/system sh -euc "$script"
        fi
        exec "$@" system=/mnt/system enter="chroot /mnt/system" sh -euc "$script"' \
        in_copy "$1" "$shared" "$2" "$use$3"
}

# Functions for the scripts below: use $lint; check that nothing is left behind.
use='
system=${system:-}
enter=${enter:-}
check() {
    cp -R "$system/shared/examples" "$system$1"
    $enter "$lint" check "${1#"$image"}/custom"
    status=0; $enter "$lint" check "${1#"$image"}/broken/custom/softmax_broken" >"$system/tmp/said" || status=$?
    [ "$status" = 1 ] && grep -q OL48 "$system/tmp/said"
    rm "$system/tmp/said"
}
image=
use() {
    check /tmp/examples
    $enter "$lint" run /tmp/examples/sim/softmax.py
    $enter "$lint" verify --op-dir /tmp/examples/custom/gated_rmsnorm --up-to-module 2 --levels L1 --modes sim --jobs 1 |
        grep "^status=PASS"
    rm -r "$system/tmp/examples"
}
list() { # all paths; of other file systems only where they are mounted
    find "$system/" -xdev | sed "s,^$system,," | LC_ALL=C sort
}
started() { list >"$system/shared/before"; }
# Caches and records of the tools; what is called by our name is none, wherever it is.
tools="/__pycache__|^/var/(cache|log|lib/(apt|dpkg))/|^/tmp/(\\.npm|\\.cache|\\.local/state/pipx|\\.local/(share/)?pipx)(/|\$)"
# Folders that pip made and leaves behind, empty.
emptied="^/venv/share(/doc)?\$|^/opt/local(/(bin|share|share/doc|lib(/python3[.0-9]*(/dist-packages)?)?))?\$"
removed() { # removed [REGEX]: what the tools are known to leave
    list | LC_ALL=C comm -13 "$system/shared/before" - | grep -vE "${1:-^\$}" >"$system/shared/left" || :
    left=$(grep pypto "$system/shared/left"; grep -vE "$tools" "$system/shared/left") || :
    [ -z "$left" ] || { echo "left behind: $left" >&2; exit 1; }
}
# As an engine does it: each blob has the digest that is its name, and the layers lie upon one another in their order.
unpack_image() { # unpack_image FILE: into $system$image
    layout=$system/opt/layout
    mkdir "$layout" "$system$image"
    tar -xzf "$1" -C "$layout"
    for blob in "$layout"/blobs/sha256/*; do
        [ "$(sha256sum <"$blob" | cut -d" " -f1)" = "${blob##*/}" ]
    done
    digests() { grep -oE "\"digest\":\"sha256:[0-9a-f]{64}" "$1" | cut -d: -f3; }
    manifest=$(digests "$layout/index.json")
    for digest in $(sed "s/.*\"layers\"://" "$layout/blobs/sha256/$manifest" >"$layout/layers"; digests "$layout/layers"); do
        tar -xzf "$layout/blobs/sha256/$digest" -C "$system$image"
    done
    rm -r "$layout"
}
# The wheel, with its extra where that needs no network: the torch of Debian 13 asks for a sympy that Debian does not have.
wheel() {
    extra=
    ! grep -q "VERSION_ID=\"12\"" /etc/os-release || extra="[sim]"
    [ -n "$extra" ] || echo "the wheel without its extra [sim], with the system torch" >&2
    echo "$(echo /shared/dist/*manylinux*"$(uname -m)".whl)$extra"
}
get() { # get PACKAGE…
    apt-get update -q >/dev/null
    apt-get install -q -y --no-install-recommends "$@" >/dev/null
}
'

test_wheel() {
    if [ "$place" = outside ]; then
        in_copy "$folder" outside '
            pip="$enter /usr/bin/python3 /$(cd "$system"; echo usr/share/python-wheels/pip-*.whl)/pip --isolated"
            wheel=$(cd "$system"; echo shared/dist/*manylinux*"$(uname -m)".whl)
            started
            $pip install --quiet --no-index --prefix /opt "/$wheel"
            lint=$(cd "$system"; find opt -name pypto-lint -path "*/bin/*")
            lint=/$lint; use
            PYTHONPATH=$(cd "$system"; find opt -name "dist-packages" -o -name site-packages | sed "s,^,/,") \
                $pip uninstall --quiet -y pypto-lint
            removed "$emptied"'
        return
    fi
    in_copy "$folder" inside '
        python3 -m venv --system-site-packages /venv
        started
        /venv/bin/pip --isolated install --quiet --no-index "$(wheel)"
        lint=/venv/bin/pypto-lint; use
        /venv/bin/pip uninstall --quiet -y pypto-lint
        removed "$emptied"'
}

test_pipx() {
    in_copy "$folder" inside '
        get pipx
        started
        # pipx wants a newer pip for itself, too: the one in the packages of Debian.
        export PIP_NO_INDEX=1 PIP_FIND_LINKS=/usr/share/python-wheels
        pipx install --system-site-packages "$(wheel)"
        lint=/tmp/.local/bin/pypto-lint; use
        pipx uninstall pypto-lint
        removed "^/tmp/\\.local(/bin|/share|/state)?\$"'
}

test_archive() {
    in_copy "$folder" "$place" '
        started
        mkdir "$system/opt/lint"
        tar -xzf "$system"/shared/dist/pypto-lint-*-linux-"$(uname -m)".tar.gz -C "$system/opt/lint" --strip-components 1
        lint=/opt/lint/bin/pypto-lint; use
        rm -r "$system/opt/lint"
        removed'
}

test_npm() {
    in_copy "$folder" inside '
        get npm
        case $(uname -m) in x86_64) cpu=x64 ;; aarch64) cpu=arm64 ;; esac
        started
        npm install --silent -g --offline /shared/dist/pypto-lint-[0-9]*.tgz /shared/dist/pypto-lint-linux-$cpu-*.tgz
        lint=pypto-lint; use
        npm uninstall --silent -g pypto-lint @pypto-lint/linux-$cpu
        rmdir "$(npm root -g)/@pypto-lint" # npm leaves it, empty
        removed'
}

test_sdist() {
    in_copy "$folder" inside '
        cd /tmp; cp /shared/dist/pypto-lint_* .
        apt-get update -q >/dev/null
        apt-get build-dep -q -y --no-install-recommends ./*.dsc >/dev/null
        rm /tmp/pypto-lint_*
        python3 -m venv --system-site-packages /venv
        started
        unshare --net /venv/bin/pip --isolated install --quiet --no-index --no-build-isolation /shared/dist/pypto_lint-*.tar.gz
        lint=/venv/bin/pypto-lint; use
        /venv/bin/pip uninstall --quiet -y pypto-lint
        removed "$emptied|^/tmp/\\.cache/pip/wheels/" # pip keeps what it has built'
}

# The Debian packages in /shared/built: those of DIST, or others where those were built for another Debian.
packages_for_here() {
    mkdir -p "$shared/built"
    if in_copy "$folder" inside '
        apt-get update -q >/dev/null
        apt-get install -q -s /shared/dist/pypto-lint_*.deb >/dev/null 2>&1'; then
        cp "$shared"/dist/*.deb "$shared/built/"
        return
    fi
    echo "deb: the packages of the release are for another Debian; building them here"
    in_copy "$folder" inside '
        cd /tmp; cp /shared/dist/pypto-lint_* .; rm -f ./*.deb
        get dpkg-dev build-essential
        apt-get build-dep -q -y --no-install-recommends ./*.dsc >/dev/null
        dpkg-source -x ./*.dsc source >/dev/null
        cd source; dpkg-buildpackage -us -uc >/tmp/log 2>&1 || { tail -n 40 /tmp/log; exit 1; }
        get lintian
        lintian --fail-on error,warning --suppress-tags bad-distribution-in-changes-file /tmp/*.changes
        cp /tmp/*.deb /shared/built/'
}

test_deb() {
    packages_for_here
    in_copy "$folder" inside '
        apt-get update -q >/dev/null
        started
        apt-get install -q -y --no-install-recommends /shared/built/pypto-lint_*.deb >/dev/null
        lint=pypto-lint; use
        grep -q "id=\"rule-OL01\"" /usr/share/doc/pypto-lint/rules.html
        apt-get purge -q -y --autoremove pypto-lint >/dev/null
        removed "^/var/lib/apt/lists/.*pypto"'
}

# The image with the linter alone: what is in its one layer is the whole system of the program.
test_container() {
    in_copy "$folder" outside '
        image=/opt/image
        started
        unpack_image "$system"/shared/dist/pypto-lint-*-oci-"$(uname -m)".tar.gz
        enter="chroot $system$image"
        lint=/bin/pypto-lint; check $image/project/examples
        rm -r "$system$image"
        removed'
}

# The one with simulator and torch: nothing of this system is seen in it either.
test_simulator() {
    in_copy "$folder" outside '
        image=/opt/image
        started
        unpack_image "$system"/shared/dist/pypto-lint-*-oci-simulator-"$(uname -m)".tar.gz
        mkdir -p "$system$image/dev/shm"
        mount -t tmpfs tmpfs "$system$image/dev/shm"; mount -t proc proc "$system$image/proc"
        for node in null urandom; do
            : >"$system$image/dev/$node"; mount --bind /dev/$node "$system$image/dev/$node"
        done
        mkdir "$system$image/shared"; mount --bind "$system/shared" "$system$image/shared"
        (
            enter="chroot $system$image" system=$system$image image=
            lint=/opt/pypto-lint/bin/pypto-lint; use
        )
        umount "$system$image/proc" "$system$image/shared" "$system$image"/dev/*
        rm -r "$system$image"
        removed'
}

case $1 in
make) make_system "$2" "$3" ;;
bare) make_bare "$2" "$(mkdir -p "$3" && cd "$3" && pwd)" ;;
test)
    folder=$(cd "$2" && pwd) dist=$(cd "$3" && pwd)
    shift 3
    place=outside all='wheel archive container'
    [ ! -x "$folder/bin/sh" ] || place=inside all="wheel pipx archive npm sdist deb container"
    [ "$place" = outside ] || ! ls "$dist"/*-oci-simulator-* >/dev/null 2>&1 || all="$all simulator"
    # shellcheck disable=SC2086
    [ $# -gt 0 ] || set -- $all
    [ "$(id -u)" = 0 ] || { echo "chroot needs root: skipped"; exit 77; }
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
