/* Workers: each takes the next unit that nobody has; the calling thread is one of them. */
#include "lint/workers.h"

#include "platform/platform.h"

#include <pthread.h>
#include <stdatomic.h>

typedef struct Work {
    Unit *units;
    uint32_t count;
    atomic_uint next, done;
} Work;

/* `who` hears of the progress; NULL in all threads but the calling one. */
static void work_on(Work *work, const Caller *who)
{
    for (;;) {
        unsigned index = atomic_fetch_add(&work->next, 1);
        if (index >= work->count) {
            return;
        }
        unit_run(&work->units[index]);
        unsigned done = atomic_fetch_add(&work->done, 1) + 1;
        if (who != NULL && who->progress != NULL) {
            who->progress(who->progress_context, done, work->count);
        }
    }
}

/* A thread of its own gives back what it keeps for further arenas. */
static void *run_thread(void *data)
{
    work_on(data, NULL);
    arena_drop_cache();
    return NULL;
}

static unsigned worker_count(uint32_t units, unsigned jobs)
{
    if (jobs == 0) {
        jobs = platform_processors();
    }
    return jobs > units ? units : jobs;
}

/* Lowering recurses once a level of nesting (PARSE_MAX_DEPTH, about 1 KiB each). With less it would
 * only give up earlier (base/stack.h). */
enum { WORKER_STACK = 16 * 1024 * 1024, MAX_WORKERS = 256 };

void units_run(Unit *units, uint32_t count, const Caller *who)
{
    Work work = {.units = units, .count = count};
    unsigned workers = worker_count(count, who->jobs);
    pthread_t threads[MAX_WORKERS];
    unsigned started = 0;
    pthread_attr_t attributes;
    if (workers > 1 && pthread_attr_init(&attributes) == 0) {
        pthread_attr_setstacksize(&attributes, WORKER_STACK);
        while (started + 1 < workers && started < MAX_WORKERS &&
               pthread_create(&threads[started], &attributes, run_thread, &work) == 0) {
            started++;
        }
        pthread_attr_destroy(&attributes);
    }
    work_on(&work, who);
    for (unsigned i = 0; i < started; i++) {
        pthread_join(threads[i], NULL);
    }
}
