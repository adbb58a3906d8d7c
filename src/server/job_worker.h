/* JobWorker: a process that does jobs one after the other. Documents are untrusted: a worker that
 * crashes, hangs or runs out of memory is replaced, and the server keeps running. */
#ifndef PYPTO_LINT_SERVER_JOB_WORKER_H
#define PYPTO_LINT_SERVER_JOB_WORKER_H

#include "server/job_process.h"

typedef struct JobWorker {
    JobProcess process;
    bool busy;
    bool old;         /* ends after the current job */
    int64_t deadline; /* clock_ms() */
    uint64_t known;   /* Documents.changes when the last job was sent */
    Arena arena;      /* of the current job */
    Buf out, in;
    size_t sent;
} JobWorker;

typedef enum WorkerEvent {
    WORKER_WORKS,
    WORKER_ANSWERED, /* the answer is available until the next job */
    WORKER_CRASHED,
    WORKER_LATE,
} WorkerEvent;

/* Gives a job to an idle worker, and starts its process if it has none. False when that fails. */
bool job_worker_give(JobWorker *worker, const ClientFacts *facts, const Documents *documents,
                     JobKind kind, Str path, Str params);
/* To be called when the channel is ready and when the deadline has passed. `*reader` gets the
 * answer; `*how` says in English how the worker crashed. Unless WORKER_WORKS is returned, the
 * worker is idle afterwards. */
WorkerEvent job_worker_step(JobWorker *worker, PacketReader *reader, const char **how);
/* Replaces the process, after its current job, because the client's facts have changed: a process
 * keeps those from its start. */
void job_worker_renew(JobWorker *worker);
/* Kills its process. */
void job_worker_end(JobWorker *worker);

#endif
