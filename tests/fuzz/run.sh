#!/bin/bash
# Runs every fuzz driver for SECONDS (default 6) on seeds made from the fixtures. A crash ends the round
# with status 1 and leaves the input in WORK/crashes. The corpus grows in WORK (default build/fuzz/work).
# An hour for each driver, the longest round: run.sh 3600. MAX_LEN: bytes of the longest input.
# TIMEOUT: seconds for one input (default 10), by the clock: more of them beside other work.
# JOBS: drivers that run at a time (default 1). BUILD: another folder with drivers; that of the preset
# asan counts branches, that of the preset fuzz (default) also looks at what is compared.
# Usage: run.sh [SECONDS] [DRIVER...]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
seconds=${1:-6}
shift || true
drivers=("$@")
if [ ${#drivers[@]} -eq 0 ]; then
    for file in tests/fuzz/fuzz_*.c; do
        driver=${file##*/fuzz_}
        drivers+=("${driver%.c}")
    done
fi
build=${BUILD:-build/fuzz}
work=${WORK:-$build/work}
if [ ! -e "$build/CMakeCache.txt" ]; then
    cmake --preset fuzz >/dev/null
fi
cmake --build "$build" >/dev/null
mkdir -p "$work/crashes" "$work/place"
build=$(realpath "$build")
work=$(realpath "$work")
tests=$PWD/tests/fuzz
python3 tests/fuzz/make_seeds.py "$work/seeds"
# One driver: what it says, and 1 in crashes/status after a crash.
run() {
    local driver=$1 dictionary=() said
    mkdir -p "$work/corpus/$driver" "$work/seeds/$driver"
    [ -e "$tests/$driver.dict" ] && dictionary=(-dict="$tests/$driver.dict")
    said="fuzz_$driver: $seconds s"
    # Kernels that save tensors write into the folder that a driver runs in.
    if ! env -C "$work/place" "$build/bin/fuzz_$driver" -max_total_time="$seconds" -len_control=100 -timeout="${TIMEOUT:-10}" -rss_limit_mb=2048 -max_len="${MAX_LEN:-131072}" \
        -artifact_prefix="$work/crashes/$driver-" -print_final_stats=1 "${dictionary[@]}" \
        "$work/corpus/$driver" "$work/seeds/$driver" >"$work/$driver.log" 2>&1; then
        said+=$'\n'$(grep -E "ERROR|SUMMARY|Test unit|#[0-5] " "$work/$driver.log" | head -20)
        echo "$driver" >>"$work/failed"
    fi
    printf '%s\n' "$said" "$(grep -E "number_of_executed_units|peak_rss" "$work/$driver.log" || true)"
}

: >"$work/failed"
for driver in "${drivers[@]}"; do
    while [ "$(jobs -rp | wc -l)" -ge "${JOBS:-1}" ]; do
        wait -n || true
    done
    run "$driver" &
done
wait
[ ! -s "$work/failed" ]
