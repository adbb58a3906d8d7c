/* Worker: one process that runs one job, seen from the pool: started under a guard (base/guard.h),
 * its pipes read whenever they have something. */
#ifndef PYPTO_LINT_HARNESS_WORKER_H
#define PYPTO_LINT_HARNESS_WORKER_H

#include "base/guard.h"
#include "harness/middle_cut.h"
#include "harness/pool.h"

#include <poll.h>

typedef enum WorkerPipe {
    WORKER_LOG,    /* its stdout and stderr */
    WORKER_RESULT, /* its descriptor 3 */
    WORKER_STATUS, /* of the guard; ends when everything is gone */
    WORKER_PIPES,
} WorkerPipe;

typedef struct Worker {
    int pipes[WORKER_PIPES]; /* read ends; -1 = ended */
    pid_t guard;             /* 0 = none */
    int64_t started;         /* clock_ms */
    int64_t last;            /* when the guard itself is late */
    bool cancelled, killed;  /* by us */
    MiddleCut log;
    Buf result;
    size_t result_limit;
    bool result_too_large;
    GuardStatus status;
} Worker;

/* Once for each worker of a pool, before its first job. */
void worker_init(Worker *worker, Arena *arena);

/* Makes the pipes of the log and the result and a descriptor to read the job from; `ends` are the
 * worker's ends of the three: log, result, job. False with errno. */
bool worker_open(Worker *worker, Str job, int ends[3]);

/* Forgets the job before. */
void worker_reset(Worker *worker);
/* True when the job has written to its result, read or not: code of the operator may have run. */
bool worker_has_told(const Worker *worker);

/* Says how the job ended, when no guard of its own does. */
void worker_set_report(Worker *worker, ProcessEnd end, int value);

/* Starts the program of `launch` on the job; its descriptors are filled in here. When it cannot be
 * started the worker has ended at once, with PROCESS_NOT_STARTED. */
void worker_start(Worker *worker, GuardLaunch *launch, Str job);

/* Fills in what to wait for: WORKER_PIPES entries. */
void worker_poll(const Worker *worker, struct pollfd *polled);

/* Reads what poll found. False: the worker is gone. */
bool worker_read(Worker *worker, const struct pollfd *polled);

/* Asks it to end; asked twice it is killed. */
void worker_cancel(Worker *worker);

/* Kills the guard of a worker that should have been gone long ago. */
void worker_check_time(Worker *worker, int64_t now);

/* Its outcome, in the arena, when it is gone; gives back what the job held. */
WorkerOutcome worker_end(Worker *worker, Arena *arena);

/* Kills it and gives back what it holds, without an outcome. */
void worker_abandon(Worker *worker);

#endif
