/* Uri: `file:` addresses and paths. */
#ifndef PYPTO_LINT_SERVER_URI_H
#define PYPTO_LINT_SERVER_URI_H

#include "base/str.h"

/* The absolute path of a `file:` address of this machine, folders on the way resolved when they
 * exist; empty for any other address. In the arena. */
Str uri_path(Arena *arena, Str uri);
/* The address of an absolute path, in the arena. */
Str uri_of_path(Arena *arena, Str path);

#endif
