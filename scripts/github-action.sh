#!/bin/bash
# The work of the GitHub action (action.yml): one run that annotates, one that writes SARIF. Both take
# milliseconds. Ends with 0 whatever is found, so that the upload follows; the status is an output.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
output=${GITHUB_OUTPUT:-/dev/null}

if [ "${INPUT_SETUP:-true}" = true ]; then
    "$root/scripts/setup.sh" build
fi
lint=$("$root/scripts/pre-commit-entry.sh" path)

arguments=()
if [ -n "${INPUT_OP_DIR:-}" ]; then
    arguments+=(--op-dir "$INPUT_OP_DIR")
fi
if [ -n "${INPUT_PHASE:-}" ]; then
    arguments+=(--phase "$INPUT_PHASE")
fi
# Words without globbing; there are no quotes in these inputs.
read -r -a options <<<"${INPUT_ARGS:-}"
read -r -a paths <<<"${INPUT_PATHS:-}"
if [ ${#paths[@]} -gt 0 ]; then
    paths=(-- "${paths[@]}")
fi

format=concise
if [ "${INPUT_ANNOTATIONS:-true}" = true ]; then
    format=github
fi
run() {
    "$lint" "${arguments[@]}" "${options[@]}" "$@" "${paths[@]}"
}
status=0
run --format "$format" || status=$?

sarif=${RUNNER_TEMP:-/tmp}/pypto-lint.sarif
rm -f "$sarif"
# With exit status 2 there is no report: an incomplete one would close alerts.
run --format sarif --output "$sarif" 2>/dev/null || true
if [ ! -s "$sarif" ]; then
    sarif=
fi
printf 'status=%s\nsarif-file=%s\n' "$status" "$sarif" >>"$output"
