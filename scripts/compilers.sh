#!/bin/sh
# Builds the program with other compilers and flags than the presets, with warnings as errors: -O2
# and -O3 without link-time optimisation, and the flags of a Debian package with all hardening.
#
#   scripts/compilers.sh                 # gcc 12 and clang 14, those that are installed
#   scripts/compilers.sh FOLDER          # also gcc 14 and clang 19 in a Debian 13 (scripts/debian13.sh make)
#   PYPTO_LINT_COMPILERS="gcc clang" PYPTO_LINT_VARIANTS="O3 debian" scripts/compilers.sh
#
# The builds are in build/compilers. Compilers missing in the Debian 13 are installed there, which
# needs root.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
compilers=${PYPTO_LINT_COMPILERS:-gcc-12 clang-14}
folder=${1:-}
failed=

# The flags of each variant; `debian` is what dpkg-buildpackage would set.
c_flags() {
    case $1 in
    debian) echo "$(debian_flags CPPFLAGS) $(debian_flags CFLAGS)" ;;
    *) echo "-$1" ;;
    esac
}
link_flags() {
    case $1 in
    debian) debian_flags LDFLAGS ;;
    esac
}
debian_flags() {
    DEB_BUILD_MAINT_OPTIONS=hardening=+all dpkg-buildflags --get "$1"
}

build() { # build COMPILER VARIANT
    name=$1-$2
    out=$root/build/compilers/$name
    mkdir -p "$out"
    if cmake -G Ninja -S "$root" -B "$out" -DCMAKE_C_COMPILER="$1" -DCMAKE_BUILD_TYPE=None \
        -DCMAKE_C_FLAGS="$(c_flags "$2")" -DCMAKE_EXE_LINKER_FLAGS="$(link_flags "$2")" \
        -DCMAKE_MODULE_LINKER_FLAGS="$(link_flags "$2")" -DPYPTO_LINT_WERROR=ON -DBUILD_TESTING=OFF \
        ${LAUNCHER:+-DCMAKE_C_COMPILER_LAUNCHER=$LAUNCHER} >"$out/log" 2>&1 &&
        cmake --build "$out" -j2 >>"$out/log" 2>&1 && "$out/bin/pypto-lint" --version >>"$out/log" 2>&1; then
        echo "$name: built"
    else
        echo "$name: FAILED, see $out/log" >&2
        grep -m 5 -E 'error|warning' "$out/log" >&2 || true
        failed="$failed $name"
    fi
}

LAUNCHER=$(command -v ccache || true)
for compiler in $compilers; do
    command -v "$compiler" >/dev/null || { echo "$compiler: not installed, left out"; continue; }
    for variant in ${PYPTO_LINT_VARIANTS:-O2 O3 debian}; do
        build "$compiler" "$variant"
    done
done

if [ -n "$folder" ]; then
    [ -x "$folder/usr/bin/python3" ] || { echo "no Debian 13 in $folder" >&2; exit 2; }
    chroot "$folder" sh -ec '
        command -v gcc-14 clang-19 cmake ninja dpkg-buildflags pkg-config >/dev/null ||
            DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends gcc-14 clang-19 cmake \
            ninja-build dpkg-dev pkg-config libc6-dev libyaml-dev libjansson-dev libmd-dev libutf8proc-dev libiberty-dev'
    rm -rf "$folder/compilers"
    mkdir -p "$folder/compilers"
    git -C "$root" ls-files -z | (cd "$root" && xargs -0 cp --parents -t "$folder/compilers")
    cp -R "$root/grammar/node_modules" "$folder/compilers/grammar/"
    chroot "$folder" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
        PYPTO_LINT_COMPILERS="gcc-14 clang-19" PYPTO_LINT_VARIANTS="${PYPTO_LINT_VARIANTS:-O2 O3 debian}" \
        sh /compilers/scripts/compilers.sh ||
        failed="$failed in:$folder"
fi
[ -z "$failed" ] || { echo "failed:$failed" >&2; exit 1; }
