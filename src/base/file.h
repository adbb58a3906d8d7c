/* Files: reading whole, listing, writing atomically. Failures are values, with the reason; those
 * that are the system's fault and not the file's are noted besides (io_error.h). */
#ifndef PYPTO_LINT_BASE_FILE_H
#define PYPTO_LINT_BASE_FILE_H

#include "base/str.h"
#include "base/vec.h"

#include <sys/stat.h>

typedef enum FileStatus {
    FILE_OK,
    FILE_MISSING,     /* no such file or folder */
    FILE_NOT_REGULAR, /* a folder, a pipe, a device */
    FILE_TOO_LARGE,   /* longer than the limit */
    FILE_ERROR,       /* permission, I/O … */
} FileStatus;

/* Reads the file at `path` (terminated) into the arena, with a NUL after the text that does not
 * count. A file longer than `limit` bytes is FILE_TOO_LARGE. On failure `*error` (if not NULL) gets
 * the system's reason. Never blocks on a pipe. A file that shrinks or grows while being read gives
 * what could be read, up to the limit. */
FileStatus file_read(Arena *arena, const char *path, size_t limit, Str *text, Str *error);
/* The text that stands for the file (overlay.h), if there is one: true, and `*status` is what
 * file_read gives. */
bool file_take_overlay(Arena *arena, const char *path, size_t limit, Str *text, Str *error,
                       FileStatus *status);
/* As file_read, from a descriptor, which is closed. -1: the file could not be opened, and errno
 * says why. */
FileStatus file_read_opened(Arena *arena, const char *path, int fd, size_t limit, Str *text,
                            Str *error);
/* Everything from a descriptor; FILE_TOO_LARGE when that is more than `limit` bytes. */
FileStatus file_read_fd(Arena *arena, int fd, size_t limit, Str *text, Str *error);
/* As in <sys/stat.h>; true on success, else errno says why. */
bool file_stat(const char *path, struct stat *info);
bool file_lstat(const char *path, struct stat *info);
/* Is anything there, even a link that leads nowhere? */
bool file_exists(const char *path);
bool file_is_regular(const char *path);
bool file_is_directory(const char *path);

typedef struct DirEntry {
    Str name;                                  /* terminated */
    bool is_directory, is_regular, is_symlink; /* is_directory, is_regular: of the entry itself */
} DirEntry;
typedef VEC(DirEntry) DirEntries;

/* Entries of a folder sorted by bytes of their names, without "." and "..". False when it cannot be
 * read. */
bool directory_list(Arena *arena, const char *path, DirEntries *entries);

/* Replaces `path` by a file with this content: temporary file in the same folder, flushed, renamed.
 * A file that was there keeps its mode and, where allowed, its owner; it must be writable. On
 * failure false, the reason in `*error` (arena), and `path` is as before. A device or pipe is
 * written to as it is; the target of a symlink is replaced, not the link. */
bool file_write_atomic(Arena *arena, const char *path, Str content, Str *error);

/* `a/b` from `a` and `b` ("." and "" as `a` give `b`), terminated, in the arena. */
Str path_join(Arena *arena, Str a, Str b);
/* The path with all symlinks resolved, terminated, in the arena; empty when it does not exist. */
Str path_real(Arena *arena, Str path);

#endif
