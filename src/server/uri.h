/* Uri: `file:` URIs and paths. */
#ifndef PYPTO_LINT_SERVER_URI_H
#define PYPTO_LINT_SERVER_URI_H

#include "base/str.h"

/* The absolute path of a `file:` URI of this machine, in the arena, with links in its folder
 * resolved if that exists; empty for any other URI. */
Str uri_path(Arena *arena, Str uri);
/* The URI of an absolute path, in the arena. */
Str uri_of_path(Arena *arena, Str path);

#endif
