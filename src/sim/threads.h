/* Parallel loops with a fixed division of work. Private to libptosim. */
#ifndef PTOSIM_THREADS_H
#define PTOSIM_THREADS_H

#include <stdatomic.h>
#include <stdint.h>

enum { PTS_MAX_THREADS = 64 };

/* One share of the work: items from ≤ i < to. `worker` numbers the shares from 0. */
typedef void PtsTask(void *context, int64_t from, int64_t to, int worker);

/* Divides `count` items into at most `threads` contiguous shares of equal size and runs them, one
 * here and the others in helper threads, which are kept for the next time. Which thread runs a
 * share never changes what it computes. When the helpers are busy with another caller's work, or
 * cannot be started, the shares run here one after the other. */
void pts_parallel(int threads, int64_t count, PtsTask *task, void *context);

/* While the flag, when there is one, is set, tasks of this thread's pts_parallel end early: what
 * they would have computed is undefined then. NULL = none. */
void pts_parallel_stop(const atomic_bool *flag);

/* Threads that the machine runs at a time, between 1 and PTS_MAX_THREADS. */
int pts_hardware_threads(void);

#endif
