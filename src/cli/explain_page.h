/* Pages of rules, and lists of rules, for people at a terminal. Private to `explain`. */
#ifndef PYPTO_LINT_CLI_EXPLAIN_PAGE_H
#define PYPTO_LINT_CLI_EXPLAIN_PAGE_H

#include "lint/result.h"

/* Appends a page. Without a Chinese body: title, headings and what to do in Chinese, the rest in
 * English. */
void explain_page_add(Buf *out, const RulePage *page, Lang lang);
/* Appends a line for each rule whose id begins so ("OL4"), or that has this dimension ("D1").
 * False when there is none. */
bool explain_prefix_add(Buf *out, Str prefix, Lang lang);
/* Appends a line for each rule that has all of the words, in any case, in its name, a title or its
 * page; those with all of them in name and titles first. False when there is none. */
bool explain_search_add(Buf *out, const Strs *words, Lang lang);

#endif
