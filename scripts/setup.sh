#!/bin/sh
# Installs packages that are missing for building (setup.sh build), building and running kernels
# (setup.sh simulator), building and testing (setup.sh test) or making a release (setup.sh release)
# on Debian and Ubuntu. If everything is installed, it does nothing and needs neither network nor
# root. PYPTO_LINT_TORCH=none leaves out torch, which is large.
set -eu

what=${1:-build}
missing=
want() { # want PACKAGE TEST…: the package is missing when the test fails
    package=$1
    shift
    "$@" >/dev/null 2>&1 || missing="$missing $package"
}
has() { command -v "$1"; }
has_header() { find /usr/include /usr/local/include -path "*/$1" 2>/dev/null | grep -q .; }
has_certificates() { test -s /etc/ssl/certs/ca-certificates.crt; }

want gcc has gcc
want libc6-dev has_header stdlib.h
want cmake has cmake
want ninja-build has ninja
want python3 has python3
want libyaml-dev has_header yaml.h
want libjansson-dev has_header jansson.h
want libmd-dev has_header include/sha1.h
want cmark-gfm has cmark-gfm
want libutf8proc-dev has_header utf8proc.h
want libiberty-dev has_header libiberty/demangle.h
want nodejs has node
want npm has npm
want ca-certificates has_certificates # npm fetches over https
want pkg-config has pkg-config
system_python=/usr/bin/python3
has_module() { # without importing it: that takes seconds
    "$system_python" -c "import importlib.util as u, sys; sys.exit(u.find_spec('$1') is None)"
}
has_python_headers() {
    test -e "$("$system_python" -c "import sysconfig; print(sysconfig.get_path('include'))")/Python.h"
}
if [ "$what" = test ] || [ "$what" = simulator ]; then
    want python3-dev has_python_headers
    want python3-numpy has_module numpy
fi
if [ "$what" = test ] || [ "$what" = release ]; then
    want python3-dev has_python_headers
    want binutils has readelf
    # The tests of the wheel.
    want python3-venv has_module ensurepip
fi
if [ "$what" = release ]; then
    want gcc-aarch64-linux-gnu has aarch64-linux-gnu-gcc
    want qemu-user-static has qemu-aarch64-static
    want debootstrap has debootstrap
    want debhelper has dh
    want dh-python has dh_python3
    want dpkg-dev has dpkg-buildpackage
    want build-essential test -e /usr/share/build-essential
    want lintian has lintian
    want mmdebstrap has mmdebstrap
    want gcc-mingw-w64-x86-64 has x86_64-w64-mingw32-gcc
    want wine has wine
    want wine64 test -e /usr/lib/wine/wine64
fi
if [ "$what" = test ]; then
    want clang has clang
    want git has git
    want patch has patch
    want libcmocka-dev has_header cmocka.h
    want python3-yaml python3 -c "import yaml"
    want ccache has ccache
fi

if [ -z "$missing" ] && [ "$what" = build ]; then
    exit 0
fi

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        echo "setup.sh: needs root or sudo for: $*" >&2
        exit 1
    fi
}
updated=
update() {
    [ -n "$updated" ] || as_root apt-get update -q
    updated=yes
}
install() { # install PACKAGE…: with the present package lists, or with new ones if that fails
    if ! command -v apt-get >/dev/null; then
        echo "setup.sh: this is not Debian or Ubuntu; please install:$missing" >&2
        exit 1
    fi
    if ! apt-cache show "$1" >/dev/null 2>&1; then
        update
    fi
    try="apt-get install -q -y --no-install-recommends $*"
    # shellcheck disable=SC2086
    as_root env DEBIAN_FRONTEND=noninteractive $try ||
        { update && as_root env DEBIAN_FRONTEND=noninteractive $try; }
}

if [ -n "$missing" ]; then
    echo "Installing:$missing"
    # shellcheck disable=SC2086
    install $missing
fi

# Only running kernels needs torch, so a system without such a package is not an error.
system_python=${PYPTO_LINT_PYTHON:-$system_python}
if [ "$what" != build ] && [ "$what" != release ] && [ "${PYPTO_LINT_TORCH:-}" != none ] && ! has_module torch; then
    echo "Installing: python3-torch (220 MB to download, 900 MB on disk; PYPTO_LINT_TORCH=none skips it)"
    (install python3-torch) || echo "setup.sh: no python3-torch; tests and commands that need torch are left out" >&2
fi

if [ "$what" = test ]; then
    # For verify --scheduler; without it the test harness.cluster is left out.
    if ! has_module distributed && apt-cache show python3-distributed >/dev/null 2>&1; then
        echo "Installing: python3-distributed"
        (install python3-distributed) ||
            echo "setup.sh: no python3-distributed; its test is left out" >&2
    fi
    # The sanitizers' runtime has the version of clang in its name.
    probe=$(mktemp -d)
    trap 'rm -rf "$probe"' EXIT
    echo 'int main(void) { return 0; }' >"$probe/probe.c"
    if ! clang -fsanitize=address,undefined "$probe/probe.c" -o "$probe/probe" 2>/dev/null; then
        major=$(clang -dumpversion | cut -d. -f1)
        echo "Installing: libclang-rt-$major-dev"
        install "libclang-rt-$major-dev"
    fi
    # The checks of layout and style need these versions, the tests of hooks a real pre-commit, those
    # of completions both shells; without them those tests are left out.
    for tool in clang-format-14 clang-tidy-14 pre-commit zsh fish; do
        if ! command -v $tool >/dev/null && apt-cache show $tool >/dev/null 2>&1; then
            echo "Installing: $tool"
            install $tool || echo "setup.sh: no $tool; its test is left out" >&2
        fi
    done
    # The browser that opens the pages of --html.
    if ! command -v chromium >/dev/null && apt-cache show chromium >/dev/null 2>&1; then
        echo "Installing: chromium (100 MB to download, 400 MB on disk)"
        install chromium || echo "setup.sh: no chromium; its test is left out" >&2
    fi
    # A client of the language server.
    if ! command -v nvim >/dev/null && apt-cache show neovim >/dev/null 2>&1; then
        echo "Installing: neovim"
        install neovim || echo "setup.sh: no neovim; its test is left out" >&2
    fi
fi
