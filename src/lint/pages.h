/* The generated table of rule pages. Private to src/lint; others ask rule_page(). */
#ifndef PYPTO_LINT_LINT_PAGES_H
#define PYPTO_LINT_LINT_PAGES_H

#include "lint/result.h"

extern const RulePage rule_pages[]; /* by id */
extern const uint32_t rule_page_count;

#endif
