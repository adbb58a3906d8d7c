/* The frames of the timeline, the memory, the windows and the roofline in the page of `run --html`,
 * with what they show in words; src/page/run draws into them. Private to run_page.c. */
#ifndef PYPTO_LINT_HARNESS_REPORT_RUN_PAGE_VIEWS_H
#define PYPTO_LINT_HARNESS_REPORT_RUN_PAGE_VIEWS_H

#include "report/report.h"

/* Appends the frames, hidden until the script runs, and a sentence for readers without scripts. */
void run_page_views_add(Buf *out, Lang lang);
/* Appends the words that the script needs, as data with the id "words". */
void run_page_words_add(Buf *out, Lang lang);

#endif
