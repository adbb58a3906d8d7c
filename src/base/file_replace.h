/* Replacing a file as a whole: there is the old text or the new one, whatever happens meanwhile.
 * Part of file.h. */
#ifndef PYPTO_LINT_BASE_FILE_REPLACE_H
#define PYPTO_LINT_BASE_FILE_REPLACE_H

#include "base/file.h"

/* Writes everything; false with errno. */
bool file_write_fd(int fd, Str content);

/* A new file takes the place of `path`, with owner and mode of the old one, `old`; NULL without
 * one. `real`: the path has no links in it, and must not have got one since. False with the
 * reason. */
bool file_replace(Arena *arena, const char *path, bool real, const struct stat *old, Str content,
                  Str *error);

#endif
