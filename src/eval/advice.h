/* Advice: warnings of the recorder, state that does not last from one iteration to the next, and
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
/* At the end of a recorded loop: `name` had the value `before` and gets another one in each
 * iteration. `many`: the loop may run more than once. */
void advice_carried(Eval *eval, NodeId loop, Str name, Value before, bool many);
/* is_loop_begin() or is_loop_end(), which is `name`, of something that is not the index of a loop:
 * only PyPTO 9.2 takes it, and the version is not known. */
void advice_edge(Eval *eval, const char *name);
/* Options of a recorded loop that the product ignores. */
void advice_loop_options(Eval *eval, const Arguments *arguments);
/* Reports the advice of one walk. `whole`: the walk reached its end and recorded everything. Advice
 * about the kernel's parameters is kept until all walks of that kernel are done. */
void advice_report(Eval *eval, const Advices *advice, const KernelSite *site, bool whole);
/* After all walks: reports the kept advice that every walk of the kernel gave. */
void advice_report_common(Eval *eval);

/* The product's error code for what a `raise` raises. */
uint32_t advice_code(Eval *eval, NodeId raise);
/* A statement raises on every path of the drive. `test`: of an assert, else NO_NODE. */
void advice_raised(Eval *eval, NodeId statement, NodeId test);

#endif
