/* Artifact: a file of an operator directory that is read by its path, outside a run of rules. */
#ifndef PYPTO_LINT_OPERATOR_ARTIFACT_H
#define PYPTO_LINT_OPERATOR_ARTIFACT_H

#include "base/file.h"

/* fence_read (base/fence.h) with the fence of the operator that the path is in: its folder, or the
 * one above `eval` and `modules`. */
FileStatus artifact_read(Arena *arena, Str path, size_t limit, Str *text, Str *error);

#endif
