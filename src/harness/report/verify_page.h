/* The page of `verify --html`: which cases fail, where their outputs differ, and what to do. */
#ifndef PYPTO_LINT_HARNESS_REPORT_VERIFY_PAGE_H
#define PYPTO_LINT_HARNESS_REPORT_VERIFY_PAGE_H

#include "harness/verify.h"

/* Appends the page of a verification that has its report. It shows what the report holds, so no
 * value of a reference or an input. False when the report cannot be read. */
bool verify_page_add(Buf *out, const Verification *verification);

#endif
