#!/bin/sh
# The tests of the AI clients alone: tests/clients/run.sh [BINARY [claude|codex|gemini|opencode|
# plugin|lsp|vscode]…]. Fetches what is missing first. The last line says what passed, failed and was left out;
# the status is 1 if a test failed, 2 if all were left out.
set -eu
here=$(cd "$(dirname "$0")" && pwd)

binary=${1:-$here/../../build/dev/bin/pypto-lint}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- claude codex gemini opencode plugin lsp vscode
[ -x "$binary" ] || { echo "run.sh: no program at $binary; build it first" >&2; exit 2; }
"$here/install.sh" "$@"

passed=
failed=
left_out=
for client; do
    printf '== %s\n' "$client"
    status=0
    python3 -B "$here/test_$client.py" "$binary" || status=$?
    case $status in
    0) passed="$passed $client" ;;
    77) left_out="$left_out $client" ;;
    *) failed="$failed $client" ;;
    esac
done
echo "passed:${passed:- none}; failed:${failed:- none}; left out:${left_out:- none}"
[ -z "$failed" ] || exit 1
[ -n "$passed" ] || exit 2
