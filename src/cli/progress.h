/* Progress: one line on a terminal's standard error while long work goes on, gone when it is done.
 * It has no colour, so that NO_COLOR changes nothing; pipes, files and TERM=dumb get no line. */
#ifndef PYPTO_LINT_CLI_PROGRESS_H
#define PYPTO_LINT_CLI_PROGRESS_H

#include "harness/pool/pool.h"
#include "lint/request.h"

typedef struct Progress {
    size_t width;         /* of the text on the line */
    int64_t begun, shown; /* clock_ms() */
} Progress;

/* Shows the jobs of a pool from now on, if there is a terminal. */
void progress_of_pool(Progress *progress, PoolOptions *pool);
/* The same for the operators and files of a check, after the first half second. */
void progress_of_check(Progress *progress, Caller *who);
/* Takes the line away. Before anything else is printed. */
void progress_end(Progress *progress);

#endif
