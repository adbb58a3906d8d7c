/* The order of findings. Private to src/lint. */
#ifndef PYPTO_LINT_LINT_FINDING_ORDER_H
#define PYPTO_LINT_LINT_FINDING_ORDER_H

#include "lint/rule.h"

/* Sorts by file, line, column, rule id, end line, end column, message; of findings that are equal
 * in all of these one is kept. */
void findings_sort(Findings *findings);

#endif
