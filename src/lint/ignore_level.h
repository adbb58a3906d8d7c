/* IgnoreLevel: which .gitignore files apply in a folder, from the repository's top down to it.
 * Private to src/lint. */
#ifndef PYPTO_LINT_LINT_IGNORE_LEVEL_H
#define PYPTO_LINT_LINT_IGNORE_LEVEL_H

#include "lint/gitignore.h"
#include "lint/result.h"

/* A larger .gitignore is not read (there is a notice). */
enum { IGNORE_MAX_BYTES = 1024 * 1024 };

typedef struct IgnoreLevel {
    const struct IgnoreLevel *above; /* NULL: this is the repository's info/exclude */
    Str folder;                      /* that the patterns are relative to, absolute */
    IgnorePatterns patterns;
} IgnoreLevel;

typedef struct IgnoreReader {
    Arena *arena;
    Notices *notices;
} IgnoreReader;

/* The levels that apply inside `folder` (absolute, no symlinks), given those of the folder above;
 * NULL outside any repository. A folder that is the top of a repository starts anew. */
const IgnoreLevel *ignore_level_enter(IgnoreReader *reader, const IgnoreLevel *above, Str folder);
/* The levels that apply in the folder above `folder`, read from the repository's top on. */
const IgnoreLevel *ignore_level_above(IgnoreReader *reader, Str folder);
/* Is the entry ignored? Folders above it are not tried: a walk does not come below an ignored
 * one. */
bool ignore_level_ignores(const IgnoreLevel *level, Str path, bool is_directory);

#endif
