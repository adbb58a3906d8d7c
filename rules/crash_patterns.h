/* Crash patterns: the four call patterns of OL61 (F1, F2, F4, F8) that crash or miscompute at run
 * time and can be recognised in the code of one file. */
#ifndef PYPTO_LINT_RULES_CRASH_PATTERNS_H
#define PYPTO_LINT_RULES_CRASH_PATTERNS_H

#include "lint/rule.h"

/* Reports every occurrence in a parsed file as FAIL. */
void crash_patterns_check(RuleRun *run, const PyFile *file);

#endif
