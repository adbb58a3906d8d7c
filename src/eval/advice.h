/* Advice: what the recorder warns of, state that does not last from one iteration to the next, and
 * asserts that fail. Private to src/eval. */
#ifndef PYPTO_LINT_EVAL_ADVICE_H
#define PYPTO_LINT_EVAL_ADVICE_H

#include "eval/state.h"

struct Drive;
struct Launch;

typedef struct Advice {
    EvalRule rule;
    NodeId node;
    Str en, zh;
    Str hint_en, hint_zh; /* may be empty */
} Advice;
typedef VEC(Advice) Advices;

/* Keeps the warnings that the recorder has given since the last call, for drive->node. */
void advice_take(Eval *eval);
/* A recorded loop ends: `name` had that value before it and gets another one in its turns. `many`:
 * it may run more than once. */
void advice_carried(Eval *eval, NodeId loop, Str name, Value before, bool many);
/* Options of a recorded loop that the product ignores. */
void advice_loop_options(Eval *eval, const Arguments *arguments);
/* Makes findings of what was kept in one walk. `whole`: the walk came to its end and recorded
 * everything. What it says of the kernel's parameters waits for the other walks of that kernel. */
void advice_report(Eval *eval, const Advices *advice, const KernelSite *site, bool whole);
/* After all walks: what was said of the same kernel in each of them. */
void advice_report_common(Eval *eval);

/* The product's code for what a `raise` raises. */
uint32_t advice_code(Eval *eval, NodeId raise);
/* A statement raises on every path of the drive. `test`: of an assert, else NO_NODE. */
void advice_raised(Eval *eval, NodeId statement, NodeId test);

#endif
