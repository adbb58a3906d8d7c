/* Programs that the linter starts: looked for where the linted project cannot plant one. */
#ifndef PYPTO_LINT_BASE_PROGRAM_H
#define PYPTO_LINT_BASE_PROGRAM_H

#include "base/str.h"

/* Is there a regular file at `path` that may be executed? */
bool program_exists(const char *path);

/* Path of the program of that name (without a slash) in the absolute folders of PATH, in the arena;
 * NULL when there is none. Empty and relative entries mean the working directory, which is the
 * user's project: they are passed over. */
const char *program_find(Arena *arena, Str name);

/* Absolute path of the program that runs, without symlinks, terminated, in the arena; empty when
 * the system does not say. */
Str program_own(Arena *arena);

/* What starts this program once more: where the system can, the same one, even if its file has been
 * replaced or deleted. In the arena. */
const char *program_again(Arena *arena);

#endif
