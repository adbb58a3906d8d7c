/* Phase: phase k of an operator is its modules 1 … k composed. The names of its files have a suffix
 * of the numbers 1 … k (docs/kernel-authors/verify.md, "Files"). */
#ifndef PYPTO_LINT_HARNESS_PLAN_PHASE_H
#define PYPTO_LINT_HARNESS_PLAN_PHASE_H

#include "operator/operator.h" /* phase_suffix() */

enum { PHASE_MOST_MODULES = 999 };

/* Reads k or Mk. False when it is neither, or out of range. */
bool phase_read(Str text, uint32_t *module);

/* "<op_dir>/modules/<op>_module<suffix>_impl.py" and the like (operator/artifact.h). In the
 * arena. */
Str phase_file(Arena *arena, Str op_dir, Str op_name, Str suffix, FileKind kind);

#endif
