/* ForkServer: an interpreter that imports torch once and forks a child for each job
 * (runtime/harness/pypto_lint_worker/template.py), so that jobs do not repeat the imports.
 *
 * It runs under a guard of its own, together with its jobs. The time limit of jobs is kept here: a
 * late job is ended through the server; if that does not answer, everything under its guard is
 * killed, and the next job starts a new server. If the server dies before a job begins, the job can
 * be run again. */
#ifndef PYPTO_LINT_HARNESS_POOL_FORK_SERVER_H
#define PYPTO_LINT_HARNESS_POOL_FORK_SERVER_H

#include "harness/pool/worker.h"

typedef enum ForkStep {
    FORK_IDLE,    /* no job */
    FORK_IMPORTS, /* the job waits for the server to be ready */
    FORK_RUNS,
    FORK_ENDING, /* the job was asked to end */
    FORK_KILLED, /* it was killed; the server has to confirm that */
} ForkStep;

enum { FORK_POLLED = CAPTURE_POLLED + 1, FORK_READY_MS = 120 * 1000 };

typedef struct ForkServer {
    ProcessCapture process; /* the server itself */
    int socket;             /* to it; -1 = none */
    bool ready;
    bool broken; /* did not get ready: jobs need processes of their own */
    bool lost;   /* died before the last job began: none of its code has run */
    ForkStep step;
    ProcessCapture *job; /* its streams; it has no guard of its own */
    Str text;            /* of the job */
    ProcessEnd reason;
    unsigned timeout_ms;
    int64_t last; /* of this step */
} ForkServer;

void fork_server_init(ForkServer *server, Arena *arena);

/* Begins a job; `launch` starts the server if it does not run. Must not be called while a job runs
 * or when the server is broken. */
void fork_server_begin(ForkServer *server, GuardLaunch *launch, ProcessCapture *job, Str text);

/* Fills in what to wait for besides the streams of the job: FORK_POLLED entries. */
void fork_server_poll(const ForkServer *server, struct pollfd *polled);

/* Reads what poll found, then looks at the clock. False: the job has ended, or could not begin
 * because the server is broken or lost. */
bool fork_server_read(ForkServer *server, const struct pollfd *polled, int64_t now);

/* Asks the job to end; asked twice it is killed. */
void fork_server_cancel(ForkServer *server, ProcessEnd reason);

/* Kills it and frees what it holds. */
void fork_server_end(ForkServer *server);

#endif
