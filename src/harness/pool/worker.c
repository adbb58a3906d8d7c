/* Workers; see worker.h. */
#include "harness/pool/worker.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

void worker_init(ProcessCapture *worker, Arena *arena, size_t most_result)
{
    *worker = (ProcessCapture){.status = -1};
    capture_init(&worker->streams[WORKER_LOG], arena, WORKER_LOG_LIMIT / 2, WORKER_LOG_LIMIT / 2);
    capture_init_whole(&worker->streams[WORKER_RESULT], arena, most_result);
}

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

bool worker_open(ProcessCapture *worker, Str job, int ends[3])
{
    if (!process_capture_open(worker, ends)) {
        return false;
    }
    ends[2] = open_job(job);
    if (ends[2] < 0) {
        int error = errno;
        process_close(&ends[0]);
        process_close(&ends[1]);
        process_capture_abandon(worker);
        errno = error;
    }
    return ends[2] >= 0;
}

void worker_start(ProcessCapture *worker, GuardLaunch *launch, Str job)
{
    int ends[3];
    if (!worker_open(worker, job, ends)) {
        process_capture_set(worker, PROCESS_NOT_STARTED, errno);
        return;
    }
    launch->descriptors[0] = -1;
    launch->descriptors[1] = launch->descriptors[2] = ends[0];
    launch->descriptors[3] = ends[1];
    launch->descriptors[4] = ends[2];
    if (launch->descriptor_count < 5) {
        launch->descriptor_count = 5;
    }
    process_capture_start(worker, launch);
    for (int i = 0; i < 3; i++) {
        close(ends[i]);
    }
}

bool worker_has_answered(const ProcessCapture *worker)
{
    const Capture *result = &worker->streams[WORKER_RESULT];
    struct pollfd polled = {.fd = result->fd, .events = POLLIN};
    return result->whole.length > 0 || result->too_much ||
           (poll(&polled, 1, 0) > 0 && (polled.revents & POLLIN) != 0);
}

WorkerOutcome worker_end(ProcessCapture *worker, Arena *arena)
{
    ProcessResult end = process_capture_end(worker);
    const Capture *log = &worker->streams[WORKER_LOG];
    const Capture *result = &worker->streams[WORKER_RESULT];
    return (WorkerOutcome){.end = end.end,
                           .value = end.value,
                           .result = capture_text(result, arena),
                           .result_too_large = result->too_much,
                           .log = capture_text(log, arena),
                           .log_bytes = log->cut.bytes,
                           .seconds = worker->seconds};
}
