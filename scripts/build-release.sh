#!/bin/sh
# Builds the release binary with a profile of real runs: build/release/bin/pypto-lint, about a fifth
# faster than `cmake --preset release` alone makes it (docs/internals/performance.md). Takes about a minute.
# The plain preset is the one that gives the same bytes everywhere: a profile counts the runs, and no
# two runs have quite the same times and paths to print.
set -eu
cd "$(dirname "$0")/.."

./scripts/setup.sh build
profile=$PWD/build/release/profile
corpus=$(mktemp -d)
trap 'rm -rf "$corpus"' EXIT

build() { # build STAGE: generate or use
    cmake --preset release "-DPYPTO_LINT_PGO=$1" "-DPYPTO_LINT_PGO_DIR=$profile" >/dev/null
    cmake --build --preset release --target pypto-lint
}
train() { # train COMMAND…: exit status 1 only says that there are findings
    "$@" >/dev/null || [ $? = 1 ]
}

rm -rf "$profile"
build generate
python3 tests/bench/make_corpus.py "$corpus" 60 >/dev/null
lint=build/release/bin/pypto-lint
train $lint check --no-config --no-exec -j 1 "$corpus"
for format in text concise json sarif github; do
    train $lint check --no-config --no-exec -j 1 --format $format examples
done
train $lint check --no-config --no-exec -j 1 --lang zh examples
build use
