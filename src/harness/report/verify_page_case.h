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

/* The text in the language of the page. */
const char *page_say(const VerifyPage *page, const char *en, const char *zh);
/* Appends the text under a key, escaped; nothing when the value is of another type. */
void page_text_add(VerifyPage *page, const json_t *object, const char *key);
/* Appends what the colours of the maps mean. */
void page_legend_add(VerifyPage *page);
/* Appends the case of the report as an article with the id "case-NUMBER". */
void page_case_add(VerifyPage *page, const json_t *check, size_t number);

#endif
