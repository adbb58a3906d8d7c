#!/bin/bash
# Does the work of the GitHub action (action.yml): one run writes annotations, one SARIF. Both take
# milliseconds. Exits with 0 whatever is found, so that the upload follows; the linter's status is
# an output of the action.
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
# Splits all lines into words, without globbing; these inputs have no quoting. `read` fails because
# it finds no NUL.
read -r -d '' -a options <<<"${INPUT_ARGS:-}" || true
read -r -d '' -a paths <<<"${INPUT_PATHS:-}" || true
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
sarif_status=0
run --format sarif --output "$sarif" 2>/dev/null || sarif_status=$?
if [ "$sarif_status" -gt 1 ] || [ ! -s "$sarif" ]; then
    rm -f "$sarif"
    sarif=
fi
# If the program was killed or the report was not written, the run does not count as clean.
if [ "$status" -le 1 ] && { [ -z "$sarif" ] || [ "$sarif_status" -ne "$status" ]; }; then
    echo "::error title=pypto-lint::the SARIF report was not written (status $sarif_status)"
    status=2
    sarif=
elif [ "$status" -gt 1 ]; then
    echo "::error title=pypto-lint::not checked: the linter ended with status $status"
fi
printf 'status=%s\nsarif-file=%s\n' "$status" "$sarif" >>"$output"
