/* Runs the pool; see pool.h. A single thread with one poll loop; signals also arrive through a
 * descriptor. */
#include "harness/pool/pool.h"

#include "base/clock.h"
#include "harness/pool/fork_server.h"
#include "harness/pool/interruption.h"
#include "harness/pool/worker.h"
#include "harness/pool/worker_environment.h"
#include "process/descendants.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>

enum { LAST_SWEEP_MS = 3000 };

typedef struct Slot {
    bool busy;
    size_t job;
    unsigned device; /* of an npu job */
    ProcessCapture worker;
    bool forked; /* the job runs under the server */
    bool again;  /* the job was started a second time */
    ForkServer server;
} Slot;

/* Descriptors that poll waits for: one for signals, then so many for each slot. */
enum { SLOT_POLLED = CAPTURE_POLLED + FORK_POLLED };

typedef struct Pool {
    Arena *arena;
    const PoolOptions *options;
    const WorkerJob *jobs;
    size_t count, done;
    bool *started; /* for each job */
    WorkerOutcome *outcomes;
    Slot *slots;
    unsigned slot_count, devices;
    bool *device_busy;
    struct pollfd *polled;
    char **arguments, **server_arguments;
    char **sim_environment;
    char ***npu_environments; /* one for each device */
    uint64_t memory;
    uint32_t processes;
    Interruption interruption;
} Pool;

static const char *const worker_command[] = {"-X", "faulthandler", "-m", "pypto_lint_worker", NULL};

/* --- set up */

static uint64_t memory_limit(uint64_t wanted)
{
    struct sysinfo info;
    if (wanted > 0 || sysinfo(&info) != 0) {
        return wanted;
    }
    return (uint64_t)info.totalram * info.mem_unit / 5 * 4;
}

/* With one more argument, unless it is NULL. */
static char **make_arguments(const Pool *pool, const char *more)
{
    const char *const *command = pool->options->command;
    command = command == NULL ? worker_command : command;
    size_t count = 0;
    while (command[count] != NULL) {
        count++;
    }
    char **list = ARENA_ARRAY(pool->arena, char *, count + 3);
    list[0] = str_dup(pool->arena, str_from(pool->options->python));
    for (size_t i = 0; i < count; i++) {
        list[i + 1] = str_dup(pool->arena, str_from(command[i]));
    }
    if (more != NULL) {
        list[count + 1] = str_dup(pool->arena, str_from(more));
    }
    return list;
}

static void set_up_environments(Pool *pool)
{
    const PoolOptions *options = pool->options;
    unsigned threads = processors_now() / pool->slot_count;
    WorkerSettings settings = {.mode = MODE_SIM,
                               .soc = options->soc,
                               .sanitize = options->sanitize,
                               .profile = options->profile,
                               .devices = pool->devices,
                               .threads = threads > 0 ? threads : 1};
    pool->sim_environment = worker_environment(pool->arena, &settings);
    settings.mode = MODE_NPU;
    pool->npu_environments = ARENA_ARRAY(pool->arena, char **, pool->devices);
    for (unsigned i = 0; i < pool->devices; i++) {
        settings.device = i;
        pool->npu_environments[i] = worker_environment(pool->arena, &settings);
    }
}

static void set_up(Pool *pool)
{
    const PoolOptions *options = pool->options;
    unsigned wanted = options->jobs == 0 ? processors_now() : options->jobs;
    wanted = wanted < POOL_MOST_WORKERS ? wanted : POOL_MOST_WORKERS;
    pool->slot_count = pool->count < wanted ? (unsigned)pool->count : wanted;
    unsigned devices = options->npu_devices == 0 ? 1 : options->npu_devices;
    pool->devices = devices < POOL_MOST_WORKERS ? devices : POOL_MOST_WORKERS;
    pool->memory = memory_limit(options->memory);
    pool->processes = options->processes == 0 ? WORKER_MOST_PROCESSES : options->processes;
    pool->started = ARENA_ARRAY(pool->arena, bool, pool->count);
    pool->device_busy = ARENA_ARRAY(pool->arena, bool, pool->devices);
    pool->polled = ARENA_ARRAY(pool->arena, struct pollfd, 1 + pool->slot_count * SLOT_POLLED);
    pool->slots = ARENA_ARRAY(pool->arena, Slot, pool->slot_count);
    for (unsigned i = 0; i < pool->slot_count; i++) {
        worker_init(&pool->slots[i].worker, pool->arena, WORKER_RESULT_LIMIT);
        fork_server_init(&pool->slots[i].server, pool->arena);
    }
    for (size_t i = 0; i < pool->count; i++) {
        pool->outcomes[i] = (WorkerOutcome){.end = PROCESS_CANCELLED};
    }
    pool->arguments = make_arguments(pool, NULL);
    pool->server_arguments = make_arguments(pool, "--template");
    set_up_environments(pool);
}

/* --- starting */

static bool find_device(const Pool *pool, unsigned *device)
{
    for (unsigned i = 0; i < pool->devices; i++) {
        if (!pool->device_busy[i]) {
            *device = i;
            return true;
        }
    }
    return false;
}

/* The next job that can run now; false when there is none. */
static bool find_job(const Pool *pool, size_t *job, unsigned *device)
{
    bool free_device = find_device(pool, device);
    for (size_t i = 0; i < pool->count; i++) {
        if (!pool->started[i] && (pool->jobs[i].mode != MODE_NPU || free_device)) {
            *job = i;
            return true;
        }
    }
    return false;
}

static GuardLaunch make_launch(const Pool *pool, const Slot *slot)
{
    unsigned timeout = pool->options->timeout_ms;
    bool npu = pool->jobs[slot->job].mode == MODE_NPU;
    /* Limits the processes that escape the limit of wall time. */
    uint64_t cpu = ((uint64_t)timeout / 1000 + 2) * processors_now() + 60;
    return (GuardLaunch){
        .path = pool->options->python,
        .arguments = pool->arguments,
        .environment = npu ? pool->npu_environments[slot->device] : pool->sim_environment,
        .namespaces = npu ? GUARD_SHARED : GUARD_OWN,
        .milliseconds = timeout,
        .grace_ms = WORKER_GRACE_MS,
        .cpu_seconds = timeout == 0 ? 0 : cpu,
        .memory = pool->memory,
        .processes = pool->processes,
    };
}

/* Starts the job of the slot; false when it has ended already. */
static bool start_job(Pool *pool, Slot *slot)
{
    const WorkerJob *job = &pool->jobs[slot->job];
    GuardLaunch launch = make_launch(pool, slot);
    slot->forked = pool->options->reuse && job->mode == MODE_SIM && !slot->server.broken;
    if (slot->forked) {
        launch.arguments = pool->server_arguments;
        fork_server_begin(&slot->server, &launch, &slot->worker, job->json);
        if (!slot->server.broken) {
            return slot->server.step != FORK_IDLE;
        }
        launch = make_launch(pool, slot);
        slot->forked = false;
    }
    worker_start(&slot->worker, &launch, job->json);
    return slot->worker.guard > 0;
}

/* Runs a job again that its fork server did not begin: in a process of its own if the server is
 * broken, once more if it was lost. False when the job has ended. */
static bool start_again(Pool *pool, Slot *slot)
{
    if (!slot->server.broken && (!slot->server.lost || slot->again)) {
        return false;
    }
    slot->again = true;
    process_capture_abandon(&slot->worker); /* the pipes of the first time */
    return start_job(pool, slot);
}

static void show_progress(const Pool *pool, size_t job)
{
    if (pool->options->progress != NULL) {
        pool->options->progress(pool->options->context, pool->done, pool->count, &pool->jobs[job]);
    }
}

static void finish(Pool *pool, Slot *slot)
{
    pool->outcomes[slot->job] = worker_end(&slot->worker, pool->arena);
    slot->busy = false;
    if (pool->jobs[slot->job].mode == MODE_NPU) {
        pool->device_busy[slot->device] = false;
    }
    pool->done++;
    show_progress(pool, slot->job);
}

static void start_jobs(Pool *pool)
{
    for (unsigned i = 0; i < pool->slot_count; i++) {
        Slot *slot = &pool->slots[i];
        while (!slot->busy && find_job(pool, &slot->job, &slot->device)) {
            const WorkerJob *job = &pool->jobs[slot->job];
            pool->started[slot->job] = slot->busy = true;
            slot->again = false;
            if (job->mode == MODE_NPU) {
                pool->device_busy[slot->device] = true;
            }
            bool runs = start_job(pool, slot) || start_again(pool, slot);
            show_progress(pool, slot->job);
            if (!runs) {
                finish(pool, slot);
            }
        }
    }
}

/* --- the loop */

static void take_signal(Pool *pool)
{
    if (!interruption_take(&pool->interruption)) {
        return;
    }
    for (unsigned i = 0; i < pool->slot_count; i++) {
        Slot *slot = &pool->slots[i];
        if (slot->busy && slot->forked) {
            fork_server_cancel(&slot->server, PROCESS_CANCELLED);
        } else if (slot->busy) {
            process_capture_cancel(&slot->worker, WORKER_GRACE_MS);
        }
    }
}

/* Milliseconds until a guard is late; -1 = none can be. */
static int time_left(const Pool *pool)
{
    int64_t first = INT64_MAX;
    for (unsigned i = 0; i < pool->slot_count; i++) {
        const Slot *slot = &pool->slots[i];
        int64_t last = slot->forked ? slot->server.last : slot->worker.last;
        first = slot->busy && last < first ? last : first;
    }
    if (first == INT64_MAX) {
        return -1;
    }
    int64_t left = first - clock_ms();
    left = left < 0 ? 0 : left + 1;
    return left < INT32_MAX ? (int)left : INT32_MAX;
}

/* Handles what has happened in a slot; `polled` are its entries. */
static void read_slot(Pool *pool, Slot *slot, const struct pollfd *polled, int64_t now)
{
    bool lives = process_capture_read(&slot->worker, polled);
    bool goes_on = fork_server_read(&slot->server, polled + CAPTURE_POLLED, now);
    if (!slot->busy) {
        return;
    }
    if (!slot->forked) {
        process_capture_check_time(&slot->worker, now);
        goes_on = lives && slot->worker.guard > 0;
    } else if (!goes_on && pool->interruption.number == 0) {
        goes_on = start_again(pool, slot);
    }
    if (!goes_on) {
        finish(pool, slot);
    }
}

/* Waits for something to happen and handles it. */
static void step(Pool *pool)
{
    size_t count = 1 + (size_t)pool->slot_count * SLOT_POLLED;
    pool->polled[0] = (struct pollfd){.fd = pool->interruption.fd, .events = POLLIN};
    for (unsigned i = 0; i < pool->slot_count; i++) {
        const Slot *slot = &pool->slots[i];
        struct pollfd *polled = &pool->polled[1 + i * SLOT_POLLED];
        process_capture_poll(&slot->worker, polled);
        fork_server_poll(&slot->server, polled + CAPTURE_POLLED);
    }
    if (poll(pool->polled, count, time_left(pool)) < 0) {
        memset(pool->polled, 0, count * sizeof *pool->polled); /* nothing has happened */
    }
    if (pool->polled[0].revents != 0) {
        take_signal(pool);
    }
    int64_t now = clock_ms();
    for (unsigned i = 0; i < pool->slot_count; i++) {
        read_slot(pool, &pool->slots[i], &pool->polled[1 + i * SLOT_POLLED], now);
    }
}

static bool is_busy(const Pool *pool)
{
    for (unsigned i = 0; i < pool->slot_count; i++) {
        if (pool->slots[i].busy) {
            return true;
        }
    }
    return false;
}

static void run(void *argument)
{
    Pool *pool = argument;
    for (;;) {
        if (pool->interruption.number == 0) {
            start_jobs(pool);
        }
        if (!is_busy(pool)) {
            return; /* nothing runs, so everything that could be started has ended */
        }
        step(pool);
    }
}

/* From now on, workers whose guard was killed become our children, unless we have children that are
 * not the pool's, such as those of a shell that became this program. */
static bool begin_adopting(void)
{
    siginfo_t info;
    int reaper = 0;
    return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) < 0 && errno == ECHILD &&
           prctl(PR_GET_CHILD_SUBREAPER, &reaper) == 0 && reaper == 0 &&
           prctl(PR_SET_CHILD_SUBREAPER, 1) == 0;
}

int pool_run(Arena *arena, const PoolOptions *options, const WorkerJob *jobs, size_t count,
             WorkerOutcome *outcomes)
{
    if (count == 0) {
        return 0;
    }
    Pool *pool = ARENA_NEW(arena, Pool);
    *pool = (Pool){
        .arena = arena, .options = options, .jobs = jobs, .count = count, .outcomes = outcomes};
    set_up(pool);
    bool adopts = begin_adopting();
    int dumpable = prctl(PR_GET_DUMPABLE, 0, 0, 0, 0);
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); /* no kernel may look into this process */
    interruption_begin(&pool->interruption);
    bool complete = arena_try(arena, run, pool);
    for (unsigned i = 0; i < pool->slot_count; i++) {
        process_capture_abandon(&pool->slots[i].worker);
        fork_server_end(&pool->slots[i].server);
    }
    if (adopts) {
        descendants_kill(LAST_SWEEP_MS);
        prctl(PR_SET_CHILD_SUBREAPER, 0);
    }
    if (dumpable == 1) {
        prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
    }
    interruption_end(&pool->interruption);
    if (!complete) {
        arena_fail(arena);
    }
    return pool->interruption.number;
}
