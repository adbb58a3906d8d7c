/* Hook git: the commit that keeps a kernel file as it was before an edit. */
#ifndef PYPTO_LINT_HOOK_HOOK_GIT_H
#define PYPTO_LINT_HOOK_HOOK_GIT_H

#include "base/file.h"

/* All of it together may take this long; hosts wait 15 seconds. */
enum { GIT_LIMIT_MS = 10000 };

/* Commits the present content of the file at `path` (absolute), and of nothing else, with
 * `message`, byte for byte: no filter and no attribute applies. When `dir`, the operator, is in no
 * repository, one is made first, with everything in it: in the nearest folder above named "custom",
 * else in `dir`. A file whose real path leaves the repository is not kept. Nothing that the
 * repository's settings name is started (lint/git.h), nothing is signed, and git asks nobody.
 * Failures are ignored: an edit must not wait for a backup. */
void hook_git_backup(Arena *arena, Str dir, Str path, Str message);

#endif
