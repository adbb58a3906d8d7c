/* Kernel probe: may a Python file contain a kernel? For files that are not parsed. Private to
 * src/lint. */
#ifndef PYPTO_LINT_LINT_KERNEL_PROBE_H
#define PYPTO_LINT_LINT_KERNEL_PROBE_H

#include "base/file.h"

/* Reads the file at `path` within `fence` (base/fence.h) into memory that is gone when this
 * returns; when there is none left, `arena` fails. A file longer than `limit` bytes is not read.
 * True when the text mentions `jit` and `pypto`: every spelling of the JIT decorator, whatever its
 * alias, needs these letters somewhere, and so does the import. `*status` says how reading went,
 * `*length` how many bytes there were. */
bool kernel_probe(Arena *arena, Str fence, const char *path, size_t limit, FileStatus *status,
                  size_t *length);

#endif
