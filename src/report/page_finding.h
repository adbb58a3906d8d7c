/* Parts of HTML pages: a finding with its source and its fix; a rule with its page. */
#ifndef PYPTO_LINT_REPORT_PAGE_FINDING_H
#define PYPTO_LINT_REPORT_PAGE_FINDING_H

#include "lint/result.h"

/* A choice among values of `data-KEY` of the items. */
typedef struct PageChoice {
    const char *key;
    Text label;
    const char *const *values;
    size_t count;
} PageChoice;
/* Appends the controls that filter.js shows: a search and these choices. */
void page_controls_add(Buf *out, const PageChoice *choices, size_t count, Lang lang);

/* Appends a finding of `op` as an item that filter.js knows (severity, status, fix). */
void page_finding_add(Buf *out, const OperatorResult *op, const Finding *finding, Lang lang);
/* Appends a rule, folded, with the id that links lead to (#rule-OL48). `item`: for a list that
 * filter.js filters, by severity, stage, dimension and fix. */
void page_rule_add(Buf *out, const Rule *rule, Lang lang, bool item);

#endif
