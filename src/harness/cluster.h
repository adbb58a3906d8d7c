/* Cluster: the jobs of a run on the machines of a Dask cluster (docs/internals/harness.md).
 *
 * A Python process of ours, the client, hands the jobs to the scheduler and tells the outcomes as
 * they come; on the machines each job is one `pypto-lint verify-job`, a pool of one worker. A job
 * whose machine is lost runs again elsewhere; of several outcomes of a job the first counts. */
#ifndef PYPTO_LINT_HARNESS_CLUSTER_H
#define PYPTO_LINT_HARNESS_CLUSTER_H

#include "harness/pool.h"

/* As pool_run, by the scheduler at `address` ("tcp://HOST:PORT"). 0, the signal that ended the run
 * early, or -1 with one line in `*error`: no such scheduler, no package `distributed`, or the
 * scheduler was lost; then the outcomes mean nothing. */
int cluster_run(Arena *arena, const PoolOptions *options, Str address, const WorkerJob *jobs,
                size_t count, WorkerOutcome *outcomes, Str *error);

#endif
