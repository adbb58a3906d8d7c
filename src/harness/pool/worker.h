/* Worker: one process that runs one job, seen from the pool: a captured process (process/capture.h)
 * whose streams are its log and its result. */
#ifndef PYPTO_LINT_HARNESS_POOL_WORKER_H
#define PYPTO_LINT_HARNESS_POOL_WORKER_H

#include "harness/pool/pool.h"
#include "process/capture.h"

enum {
    WORKER_LOG,    /* stream of its stdout and stderr */
    WORKER_RESULT, /* stream of its descriptor 3 */
};

/* Once for each worker of a pool, before its first job. */
void worker_init(ProcessCapture *worker, Arena *arena, size_t most_result);

/* Makes the pipes of log and result, and a descriptor to read the job from; `ends` are the worker's
 * ends: log, result, job. False with errno. */
bool worker_open(ProcessCapture *worker, Str job, int ends[3]);

/* Starts the program of `launch` on the job; fills in the descriptors. If that fails the worker has
 * ended at once, with PROCESS_NOT_STARTED. */
void worker_start(ProcessCapture *worker, GuardLaunch *launch, Str job);

/* Has the job written to its result, read or not? Then code of the operator may have run. */
bool worker_has_answered(const ProcessCapture *worker);

/* Its outcome, in the arena, when it is gone; frees what the job held. */
WorkerOutcome worker_end(ProcessCapture *worker, Arena *arena);

#endif
