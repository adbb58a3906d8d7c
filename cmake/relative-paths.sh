#!/bin/sh
# Starts a compiler with the files of a tree named from where it runs, so that nothing that it makes depends on the folder of the
# tree. gcc mixes the names of files into the numbers of static functions in a profile, and no option maps them.
#
#   relative-paths.sh TREE UP COMPILER ARGUMENT…     UP: TREE as seen from here
set -eu
tree=$1 up=$2
shift 2
for word; do
    shift
    case $word in
    "$PWD"/*) word=${word#"$PWD"/} ;;
    "$tree"/*) word=$up/${word#"$tree"/} ;;
    "-I$PWD"/*) word=-I${word#"-I$PWD"/} ;;
    "-I$tree") word=-I$up ;;
    "-I$tree"/*) word=-I$up/${word#"-I$tree"/} ;;
    esac
    set -- "$@" "$word"
done
exec "$@"
