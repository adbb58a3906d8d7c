/* A failing case in the page of `verify --html`: what is wrong in words, who wrote it, the map of
 * the differences, the lines of the kernel. Private to verify_page.c. */
#ifndef PYPTO_LINT_HARNESS_REPORT_VERIFY_PAGE_CASE_H
#define PYPTO_LINT_HARNESS_REPORT_VERIFY_PAGE_CASE_H

#include "harness/verify.h"

#include "document/json.h"

typedef struct VerifyPage {
    Buf *out;
    const Verification *verification;
    Lang lang;
    json_t *root;  /* the report */
    unsigned maps; /* drawn so far */
} VerifyPage;

/* Appends what the colours of the maps mean. */
void page_legend_add(VerifyPage *page);
/* Appends the case of the report as an article with the id "case-NUMBER". */
void page_case_add(VerifyPage *page, const json_t *check, size_t number);

#endif
