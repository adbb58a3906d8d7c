/* Narrow: what a run leaves out by what git or a baseline says. Private to src/lint. */
#ifndef PYPTO_LINT_LINT_NARROW_H
#define PYPTO_LINT_LINT_NARROW_H

#include "lint/baseline.h"
#include "lint/changes.h"

typedef struct Narrow {
    Arena *arena;
    const Request *request;
    Notices *notices; /* of the run */
    Changes changes;
    Baseline baseline;
    bool has_changes, has_baseline;
} Narrow;

/* Asks git and reads the baseline, if the request says so. False, with an error notice, when that
 * cannot be done: then nothing must be linted. */
bool narrow_begin(Narrow *narrow, Arena *arena, const Request *request, Notices *notices);
/* Is this place to be linted? `path` as given; `is_folder`: a whole operator directory. */
bool narrow_wants(Narrow *narrow, Str path, bool is_folder);
/* Takes findings out of the unit's result once it has run. */
void narrow_unit(Narrow *narrow, Unit *unit);
/* Adds the notices about what was left out. `units`: how many were linted. */
void narrow_end(Narrow *narrow, uint32_t units);
/* Writes the baseline if the request says so; only for a run without errors. */
void narrow_update(Narrow *narrow);

#endif
