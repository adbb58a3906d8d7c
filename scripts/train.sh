#!/bin/sh
# Runs a program that counts how often it takes each path on what users have it do. build-release.sh calls this.
#
#   scripts/train.sh PROGRAM PLACE     PLACE: an empty folder; the counters are in PLACE/profile afterwards
#
# What the runs do must not depend on the machine: files are written in one order, and neither the settings nor the
# limits of the user are seen.
set -eu
export LC_ALL=C # the order of names
cd "$(dirname "$0")/.."
place=$2

python3 -B tests/bench/make_corpus.py "$place/corpus" 60
(cd examples && find . -type f ! -path '*/__pycache__/*' | sort) >"$place/list"
mkdir "$place/examples"
tar -C examples --mode=u=rwX,go=rX -cf - -T "$place/list" | tar -C "$place/examples" --no-same-owner -xf -
cp "$1" "$place/pypto-lint"
cd "$place"
# shellcheck disable=SC3045
ulimit -s 8192 # where memory begins follows from it; dash, bash and busybox know it

count() { # count MOST ARGUMENT…: an exit status of at most MOST only says that there are findings
    most=$1
    shift
    status=0
    env -i LC_ALL=C.UTF-8 HOME="$place" ./pypto-lint "$@" >/dev/null 2>said || status=$?
    [ "$status" -gt "$most" ] || return 0
    echo "train: pypto-lint $* ends with status $status" >&2
    cat said >&2
    exit 1
}

count 1 check --no-config --no-exec -j 1 corpus
for format in text concise sarif github; do # json says how long it took, in more digits or fewer
    count 1 check --no-config --no-exec -j 1 --format $format examples
done
count 1 check --no-config --no-exec -j 1 --lang zh examples
for file in corpus/*.py; do
    printf '{"hook_event_name": "PostToolUse", "tool_name": "Write", "cwd": "%s", "tool_input": {"file_path": "%s"}}' \
        "$place" "$place/$file" | count 2 hook post-edit
done
[ -d profile ] || { echo "train: the program has counted nothing" >&2; exit 1; }
