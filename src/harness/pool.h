/* Pool: jobs for Python, each in a limited process of its own, several at a time.
 *
 * The caller is single-threaded and stays so: one poll loop reads all workers' pipes. A worker is
 * `python3 -m pypto_lint_worker` with the job as JSON on descriptor 4 and its result expected as
 * JSON on descriptor 3; both are described in docs/internals/harness.md. Everything that a worker
 * started is gone when its outcome is there. */
#ifndef PYPTO_LINT_HARNESS_POOL_H
#define PYPTO_LINT_HARNESS_POOL_H

#include "base/process.h"
#include "harness/mode.h"

typedef struct WorkerJob {
    Str json;  /* docs/internals/harness.md, "Job" */
    Mode mode; /* decides the packages and the limits: no two npu jobs share a device */
    Str label; /* for the progress: "L2_canonical" */
} WorkerJob;

typedef struct WorkerOutcome {
    ProcessEnd end;
    int value;
    Str result;            /* the JSON text as received; empty when there is none */
    bool result_too_large; /* then `result` is empty */
    Str log;               /* its stdout and stderr in order of arrival, cut in the middle */
    uint64_t log_bytes;    /* all that it wrote */
    double seconds;        /* from the start of the process to its end */
} WorkerOutcome;

typedef struct PoolOptions {
    const char *python;   /* the interpreter */
    unsigned jobs;        /* workers at a time; 0 = processors */
    unsigned timeout_ms;  /* wall time of one job */
    uint64_t memory;      /* address space of each process; 0 = 80 % of the machine's memory */
    uint32_t processes;   /* that a job may start, at a time; 0 = WORKER_MOST_PROCESSES */
    unsigned npu_devices; /* npu jobs at a time; 0 = 1 */
    bool reuse;           /* jobs of a slot are forks of one interpreter that has imported torch */
    Str soc, profile;     /* of the simulator, or empty */
    Str sanitize;         /* what the simulator's sanitizer looks for, or empty */
    /* Called after each end and each start, on the caller's thread; NULL = nobody looks. */
    void (*progress)(void *context, size_t done, size_t count, const WorkerJob *latest);
    void *context;
    /* The interpreter's arguments, NULL at the end; NULL = those of a worker. For tests. */
    const char *const *command;
} PoolOptions;

enum {
    WORKER_LOG_LIMIT = 64 * 1024, /* bytes kept of a worker's log */
    WORKER_RESULT_LIMIT = 8 * 1024 * 1024,
    WORKER_GRACE_MS = 2000, /* between asking a late worker to end and killing it */
    WORKER_TIMEOUT_MS = 300 * 1000,
    WORKER_MOST_PROCESSES = 500, /* loaders, compilers */
    POOL_MOST_WORKERS = 256,
};

/* Runs all jobs; outcomes[i] is that of jobs[i], in the arena. 0, or the signal (SIGINT, SIGTERM,
 * SIGHUP) that ended the run early: then the jobs that had not ended are PROCESS_CANCELLED. The
 * caller starts no processes meanwhile: at the end all its children are killed, unless there were
 * some before. */
int pool_run(Arena *arena, const PoolOptions *options, const WorkerJob *jobs, size_t count,
             WorkerOutcome *outcomes);

#endif
