/* Pool: runs jobs for Python, each in a limited process of its own, several at a time.
 *
 * The caller must be single-threaded; one poll loop reads the pipes of all workers. A worker is
 * `python3 -m pypto_lint_worker`, which reads its job as JSON from descriptor 4 and writes its
 * result as JSON to descriptor 3 (docs/internals/harness.md). Everything that a worker started is
 * gone when the pool returns its outcome. */
#ifndef PYPTO_LINT_HARNESS_POOL_POOL_H
#define PYPTO_LINT_HARNESS_POOL_POOL_H

#include "harness/plan/mode.h"
#include "process/process.h"

typedef struct WorkerJob {
    Str json;  /* docs/internals/harness.md, "Job" */
    Mode mode; /* decides packages and limits; no two npu jobs share a device */
    Str label; /* shown as progress: "L2_canonical" */
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
    /* Called after each start and each end, on the caller's thread; may be NULL. */
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

/* Runs all jobs; outcomes[i] is that of jobs[i], in the arena. Returns 0, or the signal (SIGINT,
 * SIGTERM, SIGHUP) that ended the run early: then jobs that had not ended are PROCESS_CANCELLED.
 * The caller must start no processes meanwhile: at the end all its children are killed, unless it
 * had some before. */
int pool_run(Arena *arena, const PoolOptions *options, const WorkerJob *jobs, size_t count,
             WorkerOutcome *outcomes);

#endif
