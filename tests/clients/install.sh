#!/bin/sh
# Fetches the AI clients that the tests of this folder drive: install.sh [claude|codex|gemini|
# opencode|plugin|lsp|vscode]…, all of them by default. 370 MB to load, 1 GB on disk, half a minute. What
# cannot be fetched is said, and its test is left out. PYPTO_LINT_CLIENTS holds the list instead of
# the arguments ("none" for none of them).
set -eu
cd "$(dirname "$0")"

# shellcheck disable=SC2086
[ $# -gt 0 ] || set -- ${PYPTO_LINT_CLIENTS:-claude codex gemini opencode plugin lsp vscode}
for client; do
    [ "$client" != none ] || continue
    folder=$client # "plugin": the types of OpenCode's plugins, and a compiler
    if cmp -s "$folder/package-lock.json" "$folder/node_modules/.locked"; then
        continue
    fi
    echo "Fetching for the tests of the clients: $client"
    # No install scripts: the clients' own ones only copy a program or print thanks.
    if (cd "$folder" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error); then
        cp "$folder/package-lock.json" "$folder/node_modules/.locked"
    else
        echo "install.sh: $client cannot be fetched; its test is left out" >&2
    fi
done
