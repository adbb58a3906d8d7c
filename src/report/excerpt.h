/* Excerpt: the line of source that a finding is about, with carets under the range. */
#ifndef PYPTO_LINT_REPORT_EXCERPT_H
#define PYPTO_LINT_REPORT_EXCERPT_H

#include "lint/result.h"

/* Escape sequences, or empty strings without colour. */
typedef struct Paint {
    const char *path, *fail, *warn, *info, *frame, *help, *off;
} Paint;
Paint paint_new(bool color);
/* For a status. */
const char *paint_status(const Paint *paint, Status status);

/* Appends three lines: an empty gutter, the source line with its number, the carets. Nothing when
 * the finding has no source or is about a whole file. Long lines are cut to a window around the
 * range. */
void excerpt_add(Buf *out, const Finding *finding, const Paint *paint, Lang lang);
/* Columns of the gutter of a finding: digits of its line number, at least 1. */
int excerpt_gutter(const Finding *finding);

#endif
