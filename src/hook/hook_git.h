/* Hook git: the commit that keeps a kernel file as it was before an edit. */
#ifndef PYPTO_LINT_HOOK_HOOK_GIT_H
#define PYPTO_LINT_HOOK_HOOK_GIT_H

#include "base/file.h"

/* All of it together may take this long; hosts wait 15 seconds. */
enum { GIT_LIMIT_MS = 10000 };

/* Commits the present content of `file` (relative to `dir`), and of nothing else, with `message`.
 * A folder that is in no repository gets one first, with everything in it: the nearest folder above
 * named "custom", else `dir`. No hook of the repository runs, nothing is signed, nobody is asked
 * anything. What goes wrong is passed over: an edit must not wait for a backup. */
void hook_git_backup(Arena *arena, Str dir, Str file, Str message);

#endif
