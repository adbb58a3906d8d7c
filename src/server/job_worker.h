/* JobWorker: a process that does jobs one after the other. Texts are untrusted: a worker that
 * crashes, hangs or runs out of memory is replaced, and the server lives on. */
#ifndef PYPTO_LINT_SERVER_JOB_WORKER_H
#define PYPTO_LINT_SERVER_JOB_WORKER_H

#include "server/job_process.h"

typedef struct JobWorker {
    JobProcess process;
    bool busy;
    bool old;         /* ends with the job at hand */
    int64_t deadline; /* clock_ms() */
    uint64_t known;   /* Documents.changes when it was last told */
    Arena arena;      /* of the job at hand */
    Buf out, in;
    size_t sent;
} JobWorker;

typedef enum WorkerEvent {
    WORKER_WORKS,
    WORKER_ANSWERED, /* the answer is there, until the next job */
    WORKER_CRASHED,
    WORKER_LATE,
} WorkerEvent;

/* Gives an idle worker a job, and starts its process when there is none. False when the system
 * refuses that. */
bool job_worker_give(JobWorker *worker, const ClientFacts *facts, const Documents *documents,
                     JobKind kind, Str path, Str params);
/* To be called when the channel is ready, and when the deadline is over. `*reader` gets the
 * answer; `*how` (in English) says how it crashed. In every case but WORKER_WORKS it is idle. */
WorkerEvent job_worker_step(JobWorker *worker, PacketReader *reader, const char **how);
/* The client's facts have changed, which a process knows as they were when it began: it is replaced
 * when it has done its job. */
void job_worker_renew(JobWorker *worker);
/* Ends its process, whatever it does. */
void job_worker_end(JobWorker *worker);

#endif
