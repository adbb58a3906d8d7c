/* Ceil division: a quotient rounded up, as a symbolic scalar can compute it. */
#ifndef PYPTO_LINT_RULES_CEIL_DIVISION_H
#define PYPTO_LINT_RULES_CEIL_DIVISION_H

#include "python/ast.h"

/* "(x.shape[0] + 63) // 64" for the `x.shape[0] / 64` in `math.ceil(x.shape[0] / 64)`, given the
 * node of the quotient; an empty Str for any other node. */
Str ceil_division(Arena *arena, const Module *module, NodeId quotient);

#endif
