/* Semantics: what the rules KS… share. The static evaluator (src/eval) walks each file once; every
 * rule reports its part of what came out. */
#ifndef PYPTO_LINT_RULES_SEMANTICS_H
#define PYPTO_LINT_RULES_SEMANTICS_H

#include "eval/eval.h"
#include "lint/rule.h"

/* Reports the findings of one rule in the files of the scan set. */
void report_semantics(RuleRun *run, EvalRule rule);

#endif
