/* Workers; see worker.h. */
#include "harness/worker.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    READ_BYTES = 64 * 1024, /* what a pipe holds */
    MOST_LAST_READS = 64,   /* should somebody still be writing */
};

void worker_init(Worker *worker, Arena *arena)
{
    *worker = (Worker){
        .pipes = {-1, -1, -1}, .result = {.arena = arena}, .result_limit = WORKER_RESULT_LIMIT};
    middle_cut_init(&worker->log, arena, WORKER_LOG_LIMIT);
}

static void close_pipes(Worker *worker)
{
    for (int i = 0; i < WORKER_PIPES; i++) {
        process_close(&worker->pipes[i]);
    }
}

/* --- start */

/* The job as a file that has no name. */
static int open_job(Str job)
{
    int fd = memfd_create("job", MFD_CLOEXEC);
    size_t written = 0;
    while (fd >= 0 && written < job.length) {
        ssize_t count = write(fd, job.at + written, job.length - written);
        if (count < 0 && errno != EINTR) {
            close(fd);
            return -1;
        }
        written += count > 0 ? (size_t)count : 0;
    }
    if (fd >= 0 && lseek(fd, 0, SEEK_SET) != 0) {
        close(fd);
        return -1;
    }
    return fd;
}

void worker_reset(Worker *worker)
{
    middle_cut_reset(&worker->log);
    worker->result.at = NULL; /* the outcome before has it */
    worker->result.length = worker->result.capacity = 0;
    worker->result_too_large = worker->cancelled = worker->killed = false;
    worker->status.length = 0;
    worker->started = clock_ms();
}

bool worker_open(Worker *worker, Str job, int ends[3])
{
    worker_reset(worker);
    ends[0] = ends[1] = ends[2] = -1;
    if (process_pipe(&worker->pipes[WORKER_LOG], &ends[0]) &&
        process_pipe(&worker->pipes[WORKER_RESULT], &ends[1]) && (ends[2] = open_job(job)) >= 0) {
        return true;
    }
    int error = errno;
    for (int i = 0; i < 3; i++) {
        process_close(&ends[i]);
    }
    close_pipes(worker);
    errno = error;
    return false;
}

void worker_set_report(Worker *worker, ProcessEnd end, int value)
{
    worker->status = (GuardStatus){{.end = end, .value = value}, sizeof(GuardReport)};
}

void worker_start(Worker *worker, GuardLaunch *launch, Str job)
{
    int ends[3];
    worker->guard = 0;
    if (!worker_open(worker, job, ends)) {
        worker_set_report(worker, PROCESS_NOT_STARTED, errno);
        return;
    }
    launch->descriptors[0] = -1;
    launch->descriptors[1] = launch->descriptors[2] = ends[0];
    launch->descriptors[3] = ends[1];
    launch->descriptors[4] = ends[2];
    if (launch->descriptor_count < 5) {
        launch->descriptor_count = 5;
    }
    pid_t guard = guard_start(launch, &worker->pipes[WORKER_STATUS]);
    int error = errno;
    for (int i = 0; i < 3; i++) {
        close(ends[i]);
    }
    if (guard < 0) {
        close_pipes(worker);
        worker_set_report(worker, PROCESS_NOT_STARTED, error);
        return;
    }
    worker->guard = guard;
    worker->last = launch->milliseconds == 0 ? INT64_MAX
                                             : worker->started + (int64_t)launch->milliseconds +
                                                   launch->grace_ms + GUARD_SLACK_MS;
}

/* --- reading */

bool worker_has_told(const Worker *worker)
{
    struct pollfd result = {.fd = worker->pipes[WORKER_RESULT], .events = POLLIN};
    return worker->result.length > 0 || worker->result_too_large ||
           (poll(&result, 1, 0) > 0 && (result.revents & POLLIN) != 0);
}

void worker_poll(const Worker *worker, struct pollfd *polled)
{
    for (int i = 0; i < WORKER_PIPES; i++) {
        polled[i] = (struct pollfd){.fd = worker->pipes[i], .events = POLLIN};
    }
}

static void take_result(Worker *worker, const char *bytes, size_t count)
{
    if (worker->result.length + count > worker->result_limit) {
        worker->result_too_large = true;
        worker->result.length = 0;
    }
    if (!worker->result_too_large) {
        buf_add(&worker->result, (Str){bytes, count});
    }
}

/* One read; false when there is nothing to read now. Closes the pipe at its end. */
static bool read_pipe(Worker *worker, int which)
{
    char bytes[READ_BYTES];
    int *fd = &worker->pipes[which];
    ssize_t count = *fd < 0 ? 0 : read(*fd, bytes, sizeof bytes);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) {
        return false;
    }
    if (count <= 0) {
        process_close(fd);
        return false;
    }
    if (which == WORKER_LOG) {
        middle_cut_add(&worker->log, bytes, (size_t)count);
    } else if (which == WORKER_RESULT) {
        take_result(worker, bytes, (size_t)count);
    } else {
        guard_status_add(&worker->status, bytes, (size_t)count);
    }
    return true;
}

bool worker_read(Worker *worker, const struct pollfd *polled)
{
    for (int i = 0; i < WORKER_PIPES; i++) {
        if (polled[i].fd >= 0 && polled[i].revents != 0) {
            read_pipe(worker, i);
        }
    }
    return worker->pipes[WORKER_STATUS] >= 0;
}

/* --- end */

void worker_cancel(Worker *worker)
{
    if (worker->guard > 0) {
        kill(worker->guard, SIGTERM);
        int64_t last = clock_ms() + WORKER_GRACE_MS + GUARD_SLACK_MS;
        worker->last = last < worker->last ? last : worker->last;
        worker->cancelled = true;
    }
}

void worker_check_time(Worker *worker, int64_t now)
{
    if (worker->guard > 0 && now >= worker->last) {
        guard_bury(worker->guard);
        worker->guard = 0;
        worker->killed = true;
        process_close(&worker->pipes[WORKER_STATUS]);
    }
}

WorkerOutcome worker_end(Worker *worker, Arena *arena)
{
    for (int which = WORKER_LOG; which <= WORKER_RESULT; which++) {
        for (int i = 0; i < MOST_LAST_READS && read_pipe(worker, which); i++) {
        }
    }
    int64_t ended = clock_ms();
    if (worker->guard > 0) {
        guard_bury(worker->guard);
        worker->guard = 0;
    }
    close_pipes(worker);
    /* Without a report somebody has killed the guard: we, the system, or the job. */
    WorkerOutcome outcome = {.end = PROCESS_KILLED, .value = SIGKILL};
    if (worker->status.length == sizeof(GuardReport)) {
        outcome.end = worker->status.report.end;
        outcome.value = worker->status.report.value;
    } else if (worker->killed) {
        outcome.end = worker->cancelled ? PROCESS_CANCELLED : PROCESS_LATE;
        outcome.value = 0;
    }
    outcome.result = worker->result_too_large ? STR("") : buf_str(&worker->result);
    outcome.result_too_large = worker->result_too_large;
    outcome.log = middle_cut_text(&worker->log, arena);
    outcome.log_bytes = worker->log.bytes;
    outcome.seconds = (double)(ended - worker->started) / 1000;
    return outcome;
}

void worker_abandon(Worker *worker)
{
    if (worker->guard > 0) {
        guard_bury(worker->guard);
        worker->guard = 0;
    }
    close_pipes(worker);
}
