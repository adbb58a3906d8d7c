/* Strays: kernel files in an operator directory under a name that no rule looks for. Private to
 * src/lint. */
#ifndef PYPTO_LINT_LINT_STRAYS_H
#define PYPTO_LINT_LINT_STRAYS_H

#include "lint/result.h"

/* A notice for each Python file directly in the operator directory or in modules/ that may hold a
 * kernel and belongs to no part of the operator: checking the whole operator does not check it.
 * Paths are relative to the directory; all in the operator's arena. */
void note_strays(Notices *notices, Operator *op);

#endif
