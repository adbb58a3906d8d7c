/* Fence: what lies outside a project is not read, whatever a link in it says.
 *
 * A checked-out project may hold a link `x_impl.py` to a file of secrets, whose lines would then be
 * in a report. So a file is opened first and looked at afterwards: the real path of what was opened
 * decides, not the name, which may lead elsewhere a moment later. */
#ifndef PYPTO_LINT_BASE_FENCE_H
#define PYPTO_LINT_BASE_FENCE_H

#include "base/file.h"

/* The top of the repository that a folder (absolute) is in: the nearest one from there upwards with
 * a file `.git` or a folder `.git` that has a HEAD. In the arena; empty without one. */
Str repository_top(Arena *arena, Str folder);

/* The folder that files of `folder` may not leave: the top of the repository that it is in, else
 * the folder itself. When `folder` is a link that lies in a repository, the top of that one.
 * Absolute, without symlinks, terminated, in the arena; empty when there is no such folder. */
Str fence_of(Arena *arena, Str folder);

/* As file_read, for a file that must lie within `fence` (fence_of; empty: nothing does) and neither
 * in a folder `.git` nor in /proc, /sys or /dev. One that does not is FILE_ERROR, with a reason
 * that says so; nothing of it is read, and no device is opened. */
FileStatus fence_read(Arena *arena, Str fence, const char *path, size_t limit, Str *text,
                      Str *error);

/* As file_write_atomic, but not through a link that leads out of `fence` (fence_of; empty: that of
 * the folder it lies in): a project could choose any file of the user's. /dev/stdout and the like
 * are as they are. */
bool fence_write(Arena *arena, Str fence, const char *path, Str content, Str *error);

/* Is something at `path` that fence_read refuses as FILE_ERROR: it lies outside, or cannot be
 * examined? False for nothing at all, and for a pipe or a folder inside. */
bool fence_is_crossed(Str fence, const char *path);

#endif
