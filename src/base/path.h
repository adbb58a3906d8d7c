/* Path: text operations on paths with `/`. Only path_absolute, path_resolved and path_from_here ask
 * the system. */
#ifndef PYPTO_LINT_BASE_PATH_H
#define PYPTO_LINT_BASE_PATH_H

#include "base/file.h"

/* Does it start at a root: a slash, or on Windows a drive (`C:`)? */
bool path_is_absolute(Str path);
/* A path as a client names it, as one of ours. On Windows backslashes become slashes and `/c/` of
 * shells from Unix becomes `c:/`; elsewhere it is the path itself. In the arena. */
Str path_from_client(Arena *arena, Str path);
/* Without trailing slashes; "/" stays. */
Str path_without_slash(Str path);
/* Last component, trailing slashes ignored; "/" gives "". */
Str path_name(Str path);
/* The same as it is written: "a/" gives "". */
Str path_basename(Str path);
/* What stands before the last slash, the folder of a file: "a/b" -> "a", "/a" -> "/", "a" -> ".". A
 * slash at the end counts: "a/" -> "a". */
Str path_parent(Str path);
/* Everything before the last component, without its slash: "a/b" -> "a", "a" -> "", "/a" ->
 * "/". */
Str path_folder(Str path);
/* Absolute, terminated, "." and empty components removed; ".." is kept, as only the file system
 * knows what it means after a symlink. Empty Str when the working directory is unknown. */
Str path_absolute(Arena *arena, Str path);
/* With symlinks resolved if it exists, else as path_absolute. */
Str path_resolved(Arena *arena, Str path);
/* `path` as seen from `folder` (both absolute, as path_absolute makes them): false when it is not
 * below. */
bool path_below(Str folder, Str path, Str *relative);
/* An absolute path as seen from the working directory: "." for that itself, relative below it. Any
 * other path as it is. */
Str path_from_here(Arena *arena, Str path);

#endif
