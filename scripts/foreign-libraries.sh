#!/bin/sh
# Builds the libraries that the linter links, as static ones, for a system that Debian has no packages for.
#
#   scripts/foreign-libraries.sh windows FOLDER          with Debian's mingw-w64
#   scripts/foreign-libraries.sh macos-aarch64 FOLDER    with `zig cc`, from the npm package in packaging/zig
#   scripts/foreign-libraries.sh macos-x86_64 FOLDER
#
# The sources are Debian's source packages, verified with the keys of this system; only headers and
# archives remain, in FOLDER. Does nothing if this version of the script has already made FOLDER.
set -eu

[ $# = 2 ] || { sed -n '4,6s/^# *//p' "$0" >&2; exit 2; }
system=$1 folder=$2
root=$(cd "$(dirname "$0")/.." && pwd)
stamp=$(cksum <"$0")
if [ -f "$folder/.made" ] && [ "$(cat "$folder/.made")" = "$stamp" ]; then
    exit 0
fi
case $system in
windows) toolchain=$root/cmake/toolchains/x86_64-windows.cmake ;;
macos-aarch64 | macos-x86_64) toolchain=$root/cmake/toolchains/${system#macos-}-macos.cmake ;;
*) echo "foreign-libraries.sh: windows, macos-aarch64 or macos-x86_64, not $system" >&2; exit 2 ;;
esac

mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The same repositories and keys as for this system's packages, but for sources.
mkdir -p "$work/sources/parts" "$work/lists/partial" "$work/archives/partial"
: >"$work/sources/list"
for list in /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list.d/ubuntu.sources; do
    [ ! -f "$list" ] || sed 's/^Types:.*/Types: deb-src/' "$list" >"$work/sources/parts/${list##*/}"
done
if [ -f /etc/apt/sources.list ]; then
    sed -n 's/^deb /deb-src /p' /etc/apt/sources.list >"$work/sources/list"
fi
apt_sources() {
    apt-get -q -o Dir::Etc::SourceList="$work/sources/list" -o Dir::Etc::SourceParts="$work/sources/parts" \
        -o Dir::State::lists="$work/lists" -o Dir::Cache::archives="$work/archives" -o Dir::Cache::pkgcache= \
        -o Dir::Cache::srcpkgcache= -o APT::Sandbox::User=root -o Debug::NoLocking=1 "$@"
}
apt_sources update
(cd "$work" && apt_sources source --download-only libyaml jansson utf8proc libmd)
unpack() { # unpack NAME: the source as its authors published it
    mkdir "$work/$1"
    tar -xf "$work/$1"_*.orig.tar.[gx]z -C "$work/$1" --strip-components 1
}
for name in libyaml jansson utf8proc libmd; do
    unpack $name
done

build() { # build NAME OPTION…
    name=$1
    shift
    cmake -S "$work/$name" -B "$work/$name/made" -G Ninja -DCMAKE_TOOLCHAIN_FILE="$toolchain" -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_C_FLAGS=-ffile-prefix-map="$work"=. -DCMAKE_POLICY_VERSION_MINIMUM=3.5 \
        -DCMAKE_INSTALL_PREFIX="$folder" -DCMAKE_INSTALL_LIBDIR=lib -DBUILD_SHARED_LIBS=OFF "$@"
    cmake --build "$work/$name/made"
    cmake --install "$work/$name/made"
}
# Only two hashes of libmd are used, which need none of its configuration.
cat >"$work/libmd/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.20)
project(md C)
# Apple's linker has no aliases. Four functions of SHA-224 and SHA-384 are aliases; here each call names the function itself.
file(WRITE include/config.h "")
file(WRITE src/local-link.h "#define libmd_alias(alias, symbol) extern int libmd_unused_alias\n")
foreach(step Transform Update Pad)
    add_compile_definitions(SHA224${step}=SHA256${step} SHA384${step}=SHA512${step})
endforeach()
add_library(md STATIC src/sha1.c src/sha2.c)
target_include_directories(md PRIVATE include)
target_compile_definitions(md PRIVATE _GNU_SOURCE LITTLE_ENDIAN=1234 BIG_ENDIAN=4321 BYTE_ORDER=1234)
install(TARGETS md ARCHIVE DESTINATION lib)
install(FILES include/sha1.h include/sha2.h include/sha256.h DESTINATION include)
END
# On Windows, programs import yaml_* and the like from a DLL unless they define YAML_DECLARE_STATIC.
build libyaml -DBUILD_TESTING=OFF
build jansson -DJANSSON_BUILD_DOCS=OFF -DJANSSON_EXAMPLES=OFF -DJANSSON_WITHOUT_TESTS=ON
build utf8proc
build libmd
printf '%s\n' "$stamp" >"$folder/.made"
