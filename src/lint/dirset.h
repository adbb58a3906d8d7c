/* DirSet: folders already seen, by device and inode, so that no walk visits one twice. */
#ifndef PYPTO_LINT_LINT_DIRSET_H
#define PYPTO_LINT_LINT_DIRSET_H

#include "base/map.h"

typedef struct DirSet {
    Arena *arena;
    uint64_t device; /* of the first folder */
    Map known;       /* device, counted from the first folder's, and inode */
} DirSet;

/* Adds the folder at `path`. False when it is in the set already or cannot be examined; then
 * `*missing` says which. */
bool dirset_add(DirSet *set, const char *path, bool *missing);

#endif
