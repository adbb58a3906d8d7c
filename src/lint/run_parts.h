/* Run: its parts. Private to src/lint/run*.c. */
#ifndef PYPTO_LINT_LINT_RUN_PARTS_H
#define PYPTO_LINT_LINT_RUN_PARTS_H

#include "lint/engine.h"
#include "lint/filter.h"
#include "lint/plan.h"

typedef VEC(Unit) Units;

struct Run {
    Request request; /* with the language of the run */
    Plan *plan;
    Arena *arena;    /* of the plan */
    size_t max_file; /* bytes, for discovery */
    Units units;
    RunResult result;
    VEC(const Settings *) told; /* settings with a notice in the result */
    OperatorResult loose;
    Filter filter;
    VEC(const InstalledProduct *) products; /* with a notice in the result */
};

/* Brings the results of the units into one, sorted; decides the exit status. */
void run_collect(Run *run);
/* An error that no finding shows decides the exit status. */
void run_note_errors(RunResult *result);

#endif
