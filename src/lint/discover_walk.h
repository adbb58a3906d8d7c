/* Walk: operator directories and kernel files in a tree. Private to discovery. */
#ifndef PYPTO_LINT_LINT_DISCOVER_WALK_H
#define PYPTO_LINT_LINT_DISCOVER_WALK_H

#include "lint/discover.h"

/* Adds what is found in the folder `path` (as reports show it) whose real path is `real`. */
void discover_walk(Discovered *found, Arena *arena, Str path, Str real, DiscoverOptions options,
                   Notices *notices);

/* Adds a notice, or an error, about a place: `what`, and after it `reason` unless that is empty. */
void discover_notice(Notices *notices, bool is_error, Str path, Text what, Str reason);

#endif
