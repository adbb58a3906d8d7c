#!/bin/sh
# What pre-commit runs (docs/ci/pre-commit.md): finds or builds pypto-lint, then lints.
#
#   pre-commit-entry.sh files [OPTION…] FILE…        each file by itself
#   pre-commit-entry.sh operators [OPTION…] FILE…    the operator directories that the files belong to
#   pre-commit-entry.sh path                         prints the path of the program
#
# The program is the first of: $PYPTO_LINT_BINARY; `pypto-lint` on PATH, if it has the version of
# this copy of the repository; a build of this copy, made on first use and kept in
# ${XDG_CACHE_HOME:-~/.cache}/pypto-lint/<commit>. Two commits at the same time cause only one
# build. pre-commit starts this script in the repository that is being committed to.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)

complain() {
    echo "pypto-lint: $*" >&2
}

version() { # of this copy
    sed -n 's/^project(pypto-lint VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt"
}

# If this copy has no git, or was changed, no commit identifies it: a checksum of its files is the
# key. git's variables are unset because they refer to the repository that is being committed to.
key() {
    own_git() { env -u GIT_DIR -u GIT_WORK_TREE -u GIT_INDEX_FILE git -C "$root" "$@"; }
    if [ -e "$root/.git" ] && commit=$(own_git rev-parse --verify --quiet HEAD) &&
        [ -z "$(own_git status --porcelain 2>/dev/null)" ]; then
        printf '%s\n' "$commit"
    else
        (cd "$root" && find CMakeLists.txt CMakePresets.json cmake grammar hooks runtime src rules docs/rules \
            scripts -name node_modules -prune -o -type f -print | LC_ALL=C sort | xargs cat) | cksum |
            sed 's/^\([0-9]*\) \([0-9]*\).*/files-\1-\2/'
    fi
}

# Builds in a copy of the sources, so that this folder stays as pre-commit cloned it.
build() { # build FOLDER
    complain "building the program, once; this takes about a minute"
    work=$1/work.$$
    rm -rf "$1"/work.* # left by one that was killed
    mkdir -p "$work/docs" "$work/tests"
    for part in CMakeLists.txt CMakePresets.json cmake grammar hooks runtime src rules scripts; do
        cp -R "$root/$part" "$work/"
    done
    cp -R "$root/docs/rules" "$work/docs/"
    cp -R "$root/tests/bench" "$work/tests/"
    if (cd "$work" && cmake --preset release && cmake --build --preset release --target pypto-lint) \
        >"$1/build.log" 2>&1 && mv "$work/build/release/bin/pypto-lint" "$1/pypto-lint"; then
        rm -rf "$work"
        return 0
    fi
    rm -rf "$work"
    complain "the build failed (missing packages? $root/scripts/setup.sh build installs them):"
    tail -n 15 "$1/build.log" >&2
    return 1
}

cached() { # prints the path of the program, building it if need be
    base=${XDG_CACHE_HOME:-${HOME:?neither XDG_CACHE_HOME nor HOME is set}/.cache}/pypto-lint
    folder=$base/$(key)
    mkdir -p "$folder"
    if [ ! -x "$folder/pypto-lint" ]; then
        # The lock is released when this process ends, however it ends.
        exec 9>"$folder/lock"
        flock 9
        [ -x "$folder/pypto-lint" ] || build "$folder" || return 1
        exec 9>&-
    fi
    printf '%s\n' "$folder/pypto-lint"
}

program() {
    if [ -n "${PYPTO_LINT_BINARY:-}" ]; then
        printf '%s\n' "$PYPTO_LINT_BINARY"
    elif path=$(command -v pypto-lint) && [ "$("$path" --version 2>/dev/null)" = "pypto-lint $(version)" ]; then
        printf '%s\n' "$path"
    else
        cached
    fi
}

mode=${1:-}
case $mode in
files | operators | path) shift ;;
*)
    complain "usage: pre-commit-entry.sh files|operators [OPTION…] FILE…, or path"
    exit 2
    ;;
esac
lint=$(program) || exit 2
# An empty executable file is a shell script without commands: it would exit with 0 without checking
# anything.
answer=$("$lint" --version 2>&1) || {
    complain "$lint does not run (status $?): nothing was checked. $answer"
    exit 2
}
case $answer in
"pypto-lint "[0-9]*) ;;
*)
    complain "$lint is not pypto-lint: nothing was checked"
    exit 2
    ;;
esac

case $mode in
path) printf '%s\n' "$lint" ;;
files) exec "$lint" check "$@" ;;
operators) exec "$lint" check --whole-operators "$@" ;;
esac
