/* Hook counter: how often in a row the same rule blocked at the same place.
 *
 * It is kept in small files in the user's cache folder (XDG_CACHE_HOME/pypto-lint, else
 * ~/.cache/pypto-lint), never in the repository that is linted. They may be lost or deleted at any
 * time: counting then starts again. */
#ifndef PYPTO_LINT_HOOK_HOOK_COUNTER_H
#define PYPTO_LINT_HOOK_HOOK_COUNTER_H

#include "base/str.h"

/* So many blocks in a row mean that the agent is stuck. */
enum { COUNTER_STUCK = 5, COUNTER_MAX_PLACES = 64, COUNTER_HOURS = 6 };

/* Counts one block of the file at `path` in the operator directory `dir` (both absolute) by the
 * places in `places`, one a line: rule, line number, file, with a blank between. Without any, the
 * file is no longer blocked. Returns the places that have blocked COUNTER_STUCK times or more in a
 * row, as "OL04 a_impl.py:31". */
Strs hook_counter_update(Arena *arena, Str dir, Str path, Str places);

/* Counts how often the agent of a session got findings of the operator in `dir` since it last
 * stopped of its own accord; `reset` starts again. 0 when nothing can be kept. */
unsigned hook_counter_stop(Arena *arena, Str dir, Str session, bool reset);

#endif
