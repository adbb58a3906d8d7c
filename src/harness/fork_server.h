/* ForkServer: an interpreter that has imported torch once and forks a child for each job
 * (runtime/harness/pypto_lint_worker/template.py), so that jobs do not pay for the imports.
 *
 * It lives under a guard of its own, and its jobs with it. Time is kept here: a job that is late is
 * ended through the server, and when that does not answer everything under its guard is killed; the
 * next job starts a new one. A job that the server did not live to begin can be begun again. */
#ifndef PYPTO_LINT_HARNESS_FORK_SERVER_H
#define PYPTO_LINT_HARNESS_FORK_SERVER_H

#include "harness/worker.h"

typedef enum ForkStep {
    FORK_IDLE,    /* no job */
    FORK_IMPORTS, /* the job waits for the server to be ready */
    FORK_RUNS,
    FORK_ENDING, /* the job was asked to end */
    FORK_KILLED, /* it was killed, and the server has to say so */
} ForkStep;

enum { FORK_POLLED = WORKER_PIPES + 1, FORK_READY_MS = 120 * 1000 };

typedef struct ForkServer {
    Worker process; /* the server itself */
    int socket;     /* to it; -1 = none */
    bool ready;
    bool broken; /* did not get ready: jobs need processes of their own */
    bool lost;   /* died before the last job began: none of its code has run */
    ForkStep step;
    Worker *job; /* its pipes; without a guard of its own */
    Str text;    /* of the job */
    ProcessEnd reason;
    unsigned timeout_ms;
    int64_t last; /* of this step */
} ForkServer;

void fork_server_init(ForkServer *server, Arena *arena);

/* Begins a job; `launch` starts the server when there is none. Not while it has one, nor when it is
 * broken. */
void fork_server_begin(ForkServer *server, GuardLaunch *launch, Worker *job, Str text);

/* Fills in what to wait for: FORK_POLLED entries, beside the pipes of the job. */
void fork_server_poll(const ForkServer *server, struct pollfd *polled);

/* Reads what poll found, then looks at the clock. False: the job has ended, or could not begin, if
 * the server is broken. */
bool fork_server_read(ForkServer *server, const struct pollfd *polled, int64_t now);

/* Asks the job to end; asked twice it is killed. */
void fork_server_cancel(ForkServer *server, ProcessEnd reason);

/* Kills it and gives back what it holds. */
void fork_server_end(ForkServer *server);

#endif
