/* Facts: what is known of the assignments and calls of a kernel, and of how much. Private to
 * src/eval; eval.h has what comes out. */
#ifndef PYPTO_LINT_EVAL_FACTS_H
#define PYPTO_LINT_EVAL_FACTS_H

#include "eval/state.h"

/* A limit ends a walk: remembers the first. */
void facts_limit(Eval *eval, EvalLimit limit);

/* An operation is about to be recorded: counts what is known of its tensors. */
void facts_operation(Eval *eval, uint32_t count, const Value *operands);

struct Drive;
/* A walk of a kernel has ended. */
void facts_walked(Eval *eval, const KernelSite *site, const struct Drive *drive);

/* While a kernel is recorded: a name gets a value; a call has given one. */
void facts_assigned(Eval *eval, NodeId name, Value value);
void facts_called(Eval *eval, NodeId call, Value result);

#endif
