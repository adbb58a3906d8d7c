/* Semantics: what the rules KS… share. The static evaluator (src/eval) walks each file once; every
 * rule reports its part of what came out. */
#ifndef PYPTO_LINT_RULES_SEMANTICS_H
#define PYPTO_LINT_RULES_SEMANTICS_H

#include "eval/eval.h"
#include "lint/rule.h"

/* What the metadata of all of them says. */
#define SEMANTICS_COMMON                                                                           \
    .dimension = D1, .effort = E1, .stages = STAGE(5) | STAGE(6) | STAGE(7),                       \
    .target = TARGET_IMPL, .sets = IN(SET_IMPL) | IN(SET_KERNEL),                                  \
    .needs = NEEDS_FILES | NEEDS_EVALUATED

/* Reports the findings of one rule in the files of the scan set. */
void report_semantics(RuleRun *run, EvalRule rule);

#endif
