/* Metrics: a log of what runs found and how long they took, for those who want to know which rules
 * pay (docs/agents/metrics.md). Off unless the user names a file. The log never changes what a run
 * answers: whatever goes wrong here is at most a message.
 *
 * The lines of a run are gathered in memory of their own and appended at the end in one write, so
 * that runs side by side do not mix their lines. */
#ifndef PYPTO_LINT_METRICS_METRICS_H
#define PYPTO_LINT_METRICS_METRICS_H

#include "lint/result.h"

/* Nothing is appended to a log that would become longer, bytes. */
#define METRICS_MAX_FILE ((int64_t)64 * 1024 * 1024)

typedef struct Metrics {
    Arena arena;
    Buf lines;        /* finished events */
    const char *path; /* NULL: no log is wanted */
    const char *mode; /* "post-edit", "stop", else PYPTO_OP_LINT_MODE or "cli" */
    bool strict;      /* PYPTO_OP_LINT_STRICT */
    bool log_skipped; /* PYPTO_OP_LINT_LOG_SKIP */
    char id[9];       /* of the newest run */
} Metrics;

/* Begins a log. `file` (--metrics) may be NULL or empty: then PYPTO_LINT_METRICS names the file,
 * which must be an absolute path. `mode` NULL: by PYPTO_OP_LINT_MODE. False when the variable is
 * not an absolute path; nothing is logged then. Give back with metrics_close. */
bool metrics_open(Metrics *metrics, const char *file, const char *mode);
/* Adds the events of one operator directory: those of its rules and the summary. `metrics` may be
 * NULL. */
void metrics_add_run(Metrics *metrics, const OperatorResult *result, Lang lang);
/* Adds what the stop hook decided about the run that was added last. `metrics` may be NULL. */
void metrics_add_decision(Metrics *metrics, const OperatorResult *result, bool blocked);
/* Appends everything to the file and frees it. False with a reason (static, or the system's) when
 * it could not be written; the file has all of it or, unless the disk is full, nothing. */
bool metrics_close(Metrics *metrics, const char **reason);

#endif
