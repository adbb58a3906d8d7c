/* Functions of the package that record one operation. Private to src/eval. */
#ifndef PYPTO_LINT_EVAL_DRIVE_RECIPES_H
#define PYPTO_LINT_EVAL_DRIVE_RECIPES_H

#include "eval/drive.h"

/* Parameters in order, "name:kind" or "name:kind=default"; further names after `|`. Kinds:
 * T tensor  ? tensor or None  N anything that an operation takes  C the same, but no int
 * d dim  e dim1  k keepdim  y dtype  S fixed list  L list  O offsets  V valid shape  c count
 * m mode  r real  l largest  g descending  u accumulate  i inplace  D diagonal  x not recorded
 * a a_trans  b b_trans  Z one size */
typedef struct Recipe {
    const char *name;
    PtsOp op;
    const char *parameters;
} Recipe;

/* NULL: it is none of them. */
const Recipe *drive_recipe(Str name);

#endif
