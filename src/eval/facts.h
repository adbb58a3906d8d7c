/* Facts: what is known about the assignments and calls of a kernel, and how much is known. Private
 * to src/eval; eval.h has the results. */
#ifndef PYPTO_LINT_EVAL_FACTS_H
#define PYPTO_LINT_EVAL_FACTS_H

#include "eval/state.h"

/* Notes that a limit ended a walk; the first one counts. */
void facts_limit(Eval *eval, EvalLimit limit);

/* To be called before an operation is recorded: counts what is known about its tensors. */
void facts_operation(Eval *eval, uint32_t count, const Value *operands);

struct Drive;
/* To be called at the end of a walk of a kernel. */
void facts_walked(Eval *eval, const KernelSite *site, const struct Drive *drive);
/* Notes a kernel that a limit left out. */
void facts_left_out(Eval *eval, const KernelSite *site, EvalLimit limit);

/* To be called while a kernel is recorded, when a name gets a value and when a call has
 * returned. */
void facts_assigned(Eval *eval, NodeId name, Value value);
void facts_called(Eval *eval, NodeId call, Value result);

#endif
