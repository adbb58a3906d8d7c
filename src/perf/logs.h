/* The logs of waits and counters that belong to a trace, or stand alone. */
#ifndef PYPTO_LINT_PERF_LOGS_H
#define PYPTO_LINT_PERF_LOGS_H

#include "perf/find.h"
#include "perf/profile.h"

typedef struct PerfLogs {
    Str waits_file, counters_file; /* empty = there is none */
    CoreTable waits, counters;
} PerfLogs;

/* Takes a file as a log of either kind; false when it is neither, cannot be read, or there is one
 * of its kind already. */
bool perf_log_take(PerfLogs *logs, Arena *arena, Str file);
/* Takes what it can of `files->others`: logs in the folder of `trace`, above or below it; without a
 * trace, of the first log. What is taken leaves the list. */
void perf_logs_take(PerfLogs *logs, Arena *arena, PerfFiles *files);

#endif
