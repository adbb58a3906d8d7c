/* Capture; see capture.h. */
#include "process/capture.h"

#include "base/clock.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

enum {
    READ_BYTES = 64 * 1024, /* what a pipe holds */
    MOST_LAST_READS = 64,
};

/* --- one stream */

void capture_init(Capture *capture, Arena *arena, size_t first, size_t last)
{
    *capture = (Capture){.fd = -1};
    middle_cut_init(&capture->cut, arena, first, last);
}

void capture_init_whole(Capture *capture, Arena *arena, size_t most)
{
    *capture = (Capture){.fd = -1, .whole = {.arena = arena}, .most = most};
}

bool capture_open(Capture *capture, int *writer)
{
    middle_cut_reset(&capture->cut);
    capture->whole = (Buf){.arena = capture->whole.arena}; /* the text before is the caller's */
    capture->too_much = capture->failed = false;
    return process_pipe(&capture->fd, writer);
}

static void keep(Capture *capture, const char *bytes, size_t count)
{
    if (capture->most == 0) {
        middle_cut_add(&capture->cut, bytes, count);
        return;
    }
    if (capture->whole.length + count > capture->most) {
        capture->too_much = true;
        capture->whole.length = 0;
    }
    if (!capture->too_much) {
        buf_add(&capture->whole, (Str){bytes, count});
    }
}

/* One read: the number of bytes, 0 when there is nothing to read now. Closes the pipe at its
 * end. */
static size_t read_some(int *fd, char bytes[READ_BYTES], bool *failed)
{
    ssize_t count = *fd < 0 ? 0 : read(*fd, bytes, READ_BYTES);
    if (count > 0) {
        return (size_t)count;
    }
    if (count == 0 || (errno != EAGAIN && errno != EINTR)) {
        *failed = *failed || count < 0;
        process_close(fd);
    }
    return 0;
}

/* Reads once; false when there is nothing to read now, or no more. */
static bool capture_read(Capture *capture)
{
    char bytes[READ_BYTES];
    size_t count = read_some(&capture->fd, bytes, &capture->failed);
    if (count > 0) {
        keep(capture, bytes, count);
    }
    return count > 0;
}

/* Reads what is left, but not for ever, should somebody still be writing, and closes the pipe. */
static void capture_close(Capture *capture)
{
    for (int i = 0; i < MOST_LAST_READS && capture_read(capture); i++) {
    }
    process_close(&capture->fd);
}

Str capture_text(const Capture *capture, Arena *arena)
{
    return capture->most == 0  ? middle_cut_text(&capture->cut, arena)
           : capture->too_much ? STR("")
                               : buf_str(&capture->whole);
}

ProcessEnd capture_all(Capture *streams, size_t count, int64_t end)
{
    for (;;) {
        struct pollfd polled[CAPTURE_STREAMS] = {{.fd = -1}, {.fd = -1}};
        bool open = false;
        for (size_t i = 0; i < count; i++) {
            if (streams[i].failed || streams[i].too_much) {
                return streams[i].failed ? PROCESS_UNREADABLE : PROCESS_TOO_MUCH;
            }
            polled[i] = (struct pollfd){.fd = streams[i].fd, .events = POLLIN};
            open = open || streams[i].fd >= 0;
        }
        int64_t left = end - clock_ms();
        if (!open || left <= 0) {
            return open ? PROCESS_LATE : PROCESS_EXITED;
        }
        if (poll(polled, (nfds_t)count, (int)left) < 0 && errno != EINTR) {
            return PROCESS_UNREADABLE;
        }
        for (size_t i = 0; i < count; i++) {
            if (polled[i].revents != 0) {
                capture_read(&streams[i]);
            }
        }
    }
}

/* --- a process */

static void close_streams(ProcessCapture *capture)
{
    for (int i = 0; i < CAPTURE_STREAMS; i++) {
        process_close(&capture->streams[i].fd);
    }
}

bool process_capture_open(ProcessCapture *capture, int ends[CAPTURE_STREAMS])
{
    capture->cancelled = capture->killed = false;
    capture->report.length = 0;
    capture->status = -1;
    capture->guard = 0;
    capture->started = clock_ms();
    memset(ends, -1, CAPTURE_STREAMS * sizeof *ends);
    for (int i = 0; i < CAPTURE_STREAMS; i++) {
        if (!capture_open(&capture->streams[i], &ends[i])) {
            int error = errno;
            for (int k = 0; k < CAPTURE_STREAMS; k++) {
                process_close(&ends[k]);
            }
            close_streams(capture);
            errno = error;
            return false;
        }
    }
    return true;
}

void process_capture_set(ProcessCapture *capture, ProcessEnd end, int value)
{
    capture->report = (GuardStatus){{.end = end, .value = value}, sizeof(ProcessResult)};
}

void process_capture_start(ProcessCapture *capture, const GuardLaunch *launch)
{
    pid_t guard = guard_start(launch, &capture->status);
    if (guard < 0) {
        process_capture_set(capture, PROCESS_NOT_STARTED, errno);
        close_streams(capture);
        return;
    }
    capture->guard = guard;
    capture->last = launch->milliseconds == 0 ? INT64_MAX
                                              : capture->started + (int64_t)launch->milliseconds +
                                                    launch->grace_ms + GUARD_SLACK_MS;
}

void process_capture_poll(const ProcessCapture *capture, struct pollfd *polled)
{
    for (int i = 0; i < CAPTURE_STREAMS; i++) {
        polled[i] = (struct pollfd){.fd = capture->streams[i].fd, .events = POLLIN};
    }
    polled[CAPTURE_STREAMS] = (struct pollfd){.fd = capture->status, .events = POLLIN};
}

bool process_capture_read(ProcessCapture *capture, const struct pollfd *polled)
{
    for (int i = 0; i < CAPTURE_STREAMS; i++) {
        if (polled[i].fd >= 0 && polled[i].revents != 0) {
            capture_read(&capture->streams[i]);
        }
    }
    if (polled[CAPTURE_STREAMS].fd >= 0 && polled[CAPTURE_STREAMS].revents != 0) {
        char bytes[READ_BYTES];
        bool failed = false;
        size_t count = read_some(&capture->status, bytes, &failed);
        guard_status_add(&capture->report, bytes, count);
    }
    return capture->status >= 0;
}

static void bury(ProcessCapture *capture)
{
    if (capture->guard > 0) {
        guard_bury(capture->guard);
        capture->guard = 0;
    }
    process_close(&capture->status);
}

void process_capture_check_time(ProcessCapture *capture, int64_t now)
{
    if (capture->guard > 0 && now >= capture->last) {
        bury(capture);
        capture->killed = true;
    }
}

void process_capture_cancel(ProcessCapture *capture, unsigned grace_ms)
{
    if (capture->guard > 0) {
        kill(capture->guard, SIGTERM);
        int64_t last = clock_ms() + grace_ms + GUARD_SLACK_MS;
        capture->last = last < capture->last ? last : capture->last;
        capture->cancelled = true;
    }
}

ProcessResult process_capture_end(ProcessCapture *capture)
{
    for (int i = 0; i < CAPTURE_STREAMS; i++) {
        capture_close(&capture->streams[i]);
    }
    capture->seconds = (double)(clock_ms() - capture->started) / 1000;
    bury(capture);
    if (capture->report.length == sizeof(ProcessResult)) {
        return capture->report.report;
    }
    /* Without a report the guard was killed: by us, the system, or the program. */
    if (capture->killed) {
        return (ProcessResult){capture->cancelled ? PROCESS_CANCELLED : PROCESS_LATE, 0};
    }
    return (ProcessResult){PROCESS_KILLED, SIGKILL};
}

void process_capture_abandon(ProcessCapture *capture)
{
    bury(capture);
    close_streams(capture);
}
