/* I/O error: what the system refused this thread for reasons of its own: memory for a library, a
 * descriptor, a byte of a disk that fails.
 *
 * A file that is missing, or that may not be read, is a fact about the tree, and callers deal
 * with it. An I/O error is not; but the calls that meet one (is this a regular file? which files
 * are in that folder?) have no answer for it but "no". So it is noted here, and whoever owns the
 * work looks once at its end: what came out of it is not to be trusted. */
#ifndef PYPTO_LINT_BASE_IO_ERROR_H
#define PYPTO_LINT_BASE_IO_ERROR_H

#include "base/str.h"

/* Notes that an operation on `path` (NULL: on none) failed with this error number, if that is one
 * that says nothing about the file itself. The first stays until it is taken. errno is kept. */
void io_error_note(const char *path, int code);

/* The system's words for an error number, in the arena. */
Str system_reason(Arena *arena, int code);

/* Has anything been noted in this thread since the last io_error_take? */
bool io_error_is_pending(void);

/* Takes what was noted: false without. `*path` (empty without one; cut when it is very long) and
 * `*reason`, the system's words, are in the arena. */
bool io_error_take(Arena *arena, Str *path, Str *reason);

/* Forgets what was noted, when it is reported in another way. */
void io_error_drop(void);

/* malloc whose failure is noted as an I/O error; for libraries that take it for a syntax error. */
void *io_error_malloc(size_t size);

#endif
