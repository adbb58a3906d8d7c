/* The page of `run --html`: what the kernels of a program would do on the hardware, by the
 * simulator's model. */
#ifndef PYPTO_LINT_HARNESS_REPORT_RUN_PAGE_H
#define PYPTO_LINT_HARNESS_REPORT_RUN_PAGE_H

#include "base/str.h"
#include "lint/request.h"

typedef struct RunPage {
    Str program; /* as it was named */
    Str profile; /* of the simulator (src/sim/trace_profile.c); empty: it launched nothing */
    int status;  /* the program's exit status; less than 0: it was ended */
    Lang lang;
} RunPage;

/* Appends the page. The files that the profile names are read for their source. False when the
 * profile is not one. Memory that runs out goes to the arena's guard. */
bool run_page_add(Buf *out, const RunPage *page);

#endif
