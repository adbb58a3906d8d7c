/* Kernels that no decorator shows: `k = pypto.frontend.jit(f, runtime_options={…})`, also
 * `pypto.frontend.jit(runtime_options={…})(f)`. */
#ifndef PYPTO_LINT_EVAL_MADE_KERNEL_H
#define PYPTO_LINT_EVAL_MADE_KERNEL_H

#include "eval/state.h"

/* What the call of `jit` (pypto.jit or pypto.frontend.jit) returns: a kernel, whose site is added;
 * without a function something that takes one; unknown for anything else. */
Value made_kernel(Eval *eval, const Arguments *arguments, Value jit);

/* Has a kernel been made of the function of the file that is being walked? */
bool is_made_kernel(const Eval *eval, NodeId function);

#endif
