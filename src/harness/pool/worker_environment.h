/* WorkerEnvironment: the environment variables of a worker (docs/internals/harness.md): ours, and
 * those of this process. */
#ifndef PYPTO_LINT_HARNESS_POOL_WORKER_ENVIRONMENT_H
#define PYPTO_LINT_HARNESS_POOL_WORKER_ENVIRONMENT_H

#include "harness/plan/mode.h"

typedef struct WorkerSettings {
    Mode mode;
    Str soc, profile; /* of the simulator, or empty */
    Str sanitize;     /* what its sanitizer looks for, or empty: PTOSIM_SANITIZE as it is */
    unsigned device;  /* of an npu job, counted from the first one that it may use */
    unsigned devices; /* npu jobs at a time; 1 = the device is as given */
    unsigned threads; /* of a worker */
} WorkerSettings;

/* A list for execve, in the arena. */
char **worker_environment(Arena *arena, const WorkerSettings *settings);

/* Processors that this process may use, at least 1. */
unsigned processors_now(void);

#endif
