/* Calls of functions that are part of the kernel that calls them. Private to src/eval. */
#ifndef PYPTO_LINT_EVAL_NESTED_H
#define PYPTO_LINT_EVAL_NESTED_H

#include "eval/state.h"

/* While a kernel is recorded: do the arguments fit the annotations of a pypto.frontend.function? If
 * not, that is reported (KS02, KS17), and the body must not be walked: it would repeat it. */
bool nested_fits(Eval *eval, const Arguments *arguments, const Function *function);

#endif
