/* A line of source with what is around it, for pages that point at a line of a kernel. */
#ifndef PYPTO_LINT_REPORT_PAGE_SOURCE_H
#define PYPTO_LINT_REPORT_PAGE_SOURCE_H

#include "report/report.h"

/* Appends the lines around line `number` of a Python file, counted from 1, more of them if it
 * begins a block, and the headers of the blocks that it is in (for, if, def …), by their
 * indentation; a mark says how many lines are left out between them. `is_main`: the line is what
 * the page is about, so it is coloured, too. Appends nothing when the file has no such line. */
void page_source_add(Buf *out, Str text, uint32_t number, bool is_main, Lang lang);

#endif
