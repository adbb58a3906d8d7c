/* Filter: what a run leaves out by what git or a baseline says. Private to src/lint. */
#ifndef PYPTO_LINT_LINT_FILTER_H
#define PYPTO_LINT_LINT_FILTER_H

#include "lint/baseline.h"
#include "lint/changes.h"

typedef struct Filter {
    Arena *arena;
    const Request *request;
    Notices *notices; /* of the run */
    Changes changes;
    Baseline baseline;
    bool has_changes, has_baseline;
    uint32_t broken_elsewhere; /* findings of severity S0 that --new-only left out */
} Filter;

/* Asks git and reads the baseline, if the request says so. False, with an error notice, when that
 * cannot be done: then nothing must be linted. */
bool filter_begin(Filter *filter, const Request *request, Notices *notices);
/* Is this place to be linted? `path` as given; `is_folder`: a whole operator directory. */
bool filter_wants(Filter *filter, Str path, bool is_folder);
/* Takes findings out of the unit's result once it has run. */
void filter_unit(Filter *filter, Unit *unit);
/* Adds the notices about what was left out. `units`: how many were linted. */
void filter_end(Filter *filter, uint32_t units);
/* Writes the baseline if the request says so, and adds a notice about it. To be called only after a
 * run without errors. */
void filter_update(Filter *filter);

#endif
