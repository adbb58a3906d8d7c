/* DirSet: folders already seen, by device and inode, so that no walk visits one twice. */
#ifndef PYPTO_LINT_LINT_DIRSET_H
#define PYPTO_LINT_LINT_DIRSET_H

#include "base/arena.h"

typedef struct DirId {
    uint64_t device, inode;
} DirId;

typedef struct DirSet {
    Arena *arena;
    DirId *slots; /* power of two; an all-zero slot is free */
    uint32_t count, capacity;
} DirSet;

/* Adds the folder at `path`. False when it is in the set already or cannot be examined; then
 * `*missing` says which. */
bool dirset_add(DirSet *set, const char *path, bool *missing);

#endif
