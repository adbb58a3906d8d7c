/* A failing case in the page of `verify --html`: what is wrong in words, who wrote it, the map of
 * the differences, the lines of the kernel. Private to verify_page.c and its parts. */
#ifndef PYPTO_LINT_HARNESS_REPORT_VERIFY_PAGE_CASE_H
#define PYPTO_LINT_HARNESS_REPORT_VERIFY_PAGE_CASE_H

#include "harness/verify.h"

#include "document/json.h"

typedef struct VerifyPage {
    Buf *out;
    const Verification *verification;
    Lang lang;
    json_t *root;      /* the report */
    unsigned maps;     /* drawn so far */
    SourcePlace shown; /* the line of the first failure, with its source; line 0 = none */
} VerifyPage;

/* The text in the language of the page. */
const char *page_say(const VerifyPage *page, const char *en, const char *zh);
/* Appends the text under a key, escaped; nothing when the value is of another type. */
void page_text_add(VerifyPage *page, const json_t *object, const char *key);
/* Appends the line with the source around it, if it may be shown; `is_main` as for
 * page_source_add. */
void page_place_add(VerifyPage *page, SourcePlace place, bool is_main);
/* verify_page_map.c: what the colours of the maps mean; the map of the differences of an output,
 * nothing when the worker drew none. */
void page_legend_add(VerifyPage *page);
void page_map_add(VerifyPage *page, const CaseResult *result, const Leaf *leaf);
/* Appends the case of the report as an article with the id "case-NUMBER". */
void page_case_add(VerifyPage *page, const json_t *check, size_t number);

#endif
