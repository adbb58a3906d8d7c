/* Cluster: runs jobs on the machines of a Dask cluster (docs/internals/harness.md).
 *
 * A Python process, the client, submits the jobs to the scheduler and passes on their outcomes. On
 * the machines each job is one `pypto-lint verify-job`, a pool of one worker. A job whose machine
 * is lost runs again elsewhere; the first outcome of a job counts. */
#ifndef PYPTO_LINT_HARNESS_POOL_CLUSTER_H
#define PYPTO_LINT_HARNESS_POOL_CLUSTER_H

#include "harness/pool/pool.h"

/* Like pool_run, with the scheduler at `address` ("tcp://HOST:PORT"). Returns 0, the signal that
 * ended the run early, or -1 with one line in `*error`: no such scheduler, no package
 * `distributed`, or a lost scheduler; then the outcomes are meaningless. */
int cluster_run(Arena *arena, const PoolOptions *options, Str address, const WorkerJob *jobs,
                size_t count, WorkerOutcome *outcomes, Str *error);

#endif
