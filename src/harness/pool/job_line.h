/* JobLine: a job and its outcome as one line of JSON each, for `pypto-lint verify-job` on another
 * machine (docs/internals/harness.md, "Clusters"). Lines are in the arena and have a line end. */
#ifndef PYPTO_LINT_HARNESS_POOL_JOB_LINE_H
#define PYPTO_LINT_HARNESS_POOL_JOB_LINE_H

#include "harness/pool/pool.h"

#include "document/json.h"

typedef struct JobRequest {
    WorkerJob job;
    PoolOptions options; /* for one job; `python` is NULL if it does not exist here */
} JobRequest;

/* False when the job's text is not a JSON object. */
bool job_request_write(Arena *arena, const PoolOptions *options, const WorkerJob *job, Str *line);
/* False with one line in `*error`. */
bool job_request_read(Arena *arena, Str line, JobRequest *request, Str *error);

Str job_outcome_write(Arena *arena, const WorkerOutcome *outcome);
/* False with one line in `*error`: no outcome, or one of another version of the program. */
bool job_outcome_read(Arena *arena, const json_t *object, WorkerOutcome *outcome, Str *error);

#endif
