/* Parallel loops over a pool of helper threads that is started at first use. */
#include "sim/threads.h"

#include <fenv.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <time.h>
#include <unistd.h>

/* Between pieces of a share the run can be stopped. They begin small, as nobody
 * knows what an element costs, and grow while they are quick: a small share is not cut into single
 * elements. */
enum { PIECES = 256, QUICK_NS = 1000000 };

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

typedef struct Job {
    PtsTask *task;
    void *context;
    int64_t count;
    int shares;
    const atomic_bool *stop; /* NULL = none */
} Job;

static _Thread_local const atomic_bool *stop_flag;

void pts_parallel_stop(const atomic_bool *flag)
{
    stop_flag = flag;
}

static struct {
    pthread_mutex_t owner; /* held by the caller whose job runs */
    pthread_mutex_t lock;  /* guards what follows */
    pthread_cond_t work, done;
    Job job;
    unsigned generation; /* grows with each job */
    int next, running;   /* next share to take; shares not finished */
    int helpers;
    bool is_prepared;
} pool = {
    .owner = PTHREAD_MUTEX_INITIALIZER,
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .work = PTHREAD_COND_INITIALIZER,
    .done = PTHREAD_COND_INITIALIZER,
};

static void run_share(const Job *job, int share)
{
    int64_t part = job->count / job->shares;
    int64_t rest = job->count % job->shares;
    int64_t from = share * part + (share < rest ? share : rest);
    int64_t to = from + part + (share < rest ? 1 : 0);
    if (job->stop == NULL) {
        job->task(job->context, from, to, share);
        return;
    }
    int64_t piece = (to - from) / PIECES + 1;
    int64_t before = now_ns();
    while (from < to && !atomic_load_explicit(job->stop, memory_order_relaxed)) {
        int64_t end = to - from < piece ? to : from + piece;
        job->task(job->context, from, end, share);
        from = end;
        int64_t after = now_ns();
        piece = after - before < QUICK_NS ? piece * 4 : piece;
        before = after;
    }
}

/* Takes shares of the present job until none is left. Called with the lock held. */
static void take_shares(void)
{
    while (pool.next < pool.job.shares) {
        int share = pool.next++;
        Job job = pool.job;
        pthread_mutex_unlock(&pool.lock);
        run_share(&job, share);
        pthread_mutex_lock(&pool.lock);
        if (--pool.running == 0) {
            pthread_cond_signal(&pool.done);
        }
    }
}

static void *helper(void *unused)
{
    (void)unused;
    fesetenv(FE_DFL_ENV); /* not the creator's rounding or flushing of subnormal numbers */
    pthread_mutex_lock(&pool.lock);
    for (unsigned seen = 0;;) {
        take_shares();
        seen = pool.generation;
        while (pool.generation == seen) {
            pthread_cond_wait(&pool.work, &pool.lock);
        }
    }
    return NULL;
}

static void before_fork(void)
{
    pthread_mutex_lock(&pool.owner);
    pthread_mutex_lock(&pool.lock);
}

static void after_fork_in_parent(void)
{
    pthread_mutex_unlock(&pool.lock);
    pthread_mutex_unlock(&pool.owner);
}

/* The child has no helpers: it starts its own when it needs some. */
static void after_fork_in_child(void)
{
    pthread_mutex_init(&pool.owner, NULL);
    pthread_mutex_init(&pool.lock, NULL);
    pthread_cond_init(&pool.work, NULL);
    pthread_cond_init(&pool.done, NULL);
    pool.helpers = 0;
}

/* Sees to it that there are `wanted` helpers, as far as the system allows. Called with the lock
 * held. Helpers take no signals: those belong to the program's own threads. */
static void start_helpers(int wanted)
{
    if (!pool.is_prepared) {
        pool.is_prepared =
            pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child) == 0;
    }
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    while (pool.helpers < wanted) {
        pthread_t thread;
        if (pthread_create(&thread, &attributes, helper, NULL) != 0) {
            break;
        }
        pool.helpers++;
    }
    pthread_attr_destroy(&attributes);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}

void pts_parallel(int threads, int64_t count, PtsTask *task, void *context)
{
    int shares = threads < PTS_MAX_THREADS ? threads : PTS_MAX_THREADS;
    shares = shares < count ? shares : (int)count;
    if (count <= 0) {
        return;
    }
    Job job = {task, context, count, shares < 1 ? 1 : shares, stop_flag};
    if (shares <= 1) {
        if (stop_flag == NULL) {
            task(context, 0, count, 0);
        } else {
            run_share(&job, 0);
        }
        return;
    }
    if (pthread_mutex_trylock(&pool.owner) != 0) {
        for (int share = 0; share < shares; share++) {
            run_share(&job, share);
        }
        return;
    }
    pthread_mutex_lock(&pool.lock);
    start_helpers(shares - 1);
    pool.job = job;
    pool.next = 0;
    pool.running = shares;
    pool.generation++;
    pthread_cond_broadcast(&pool.work);
    take_shares();
    while (pool.running > 0) {
        pthread_cond_wait(&pool.done, &pool.lock);
    }
    pool.job.shares = 0; /* a helper that wakes late finds nothing to do */
    pthread_mutex_unlock(&pool.lock);
    pthread_mutex_unlock(&pool.owner);
}

int pts_hardware_threads(void)
{
    cpu_set_t set;
    int count = 0;
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        count = CPU_COUNT(&set);
    }
    if (count <= 0) {
        count = (int)sysconf(_SC_NPROCESSORS_ONLN);
    }
    return count < 1 ? 1 : count > PTS_MAX_THREADS ? PTS_MAX_THREADS : count;
}
