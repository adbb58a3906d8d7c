/* Fork servers; see fork_server.h. */
#include "harness/pool/fork_server.h"

#include "base/clock.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum { JOB_DESCRIPTORS = 3, SOCKET_FD = 5 };

void fork_server_init(ForkServer *server, Arena *arena)
{
    *server = (ForkServer){.socket = -1};
    worker_init(&server->process, arena, WORKER_RESULT_LIMIT);
}

void fork_server_end(ForkServer *server)
{
    process_capture_abandon(&server->process);
    if (server->socket >= 0) {
        close(server->socket);
        server->socket = -1;
    }
    server->ready = false;
}

/* --- to the server */

static void send_words(const ForkServer *server, const char *words)
{
    (void)send(server->socket, words, strlen(words), MSG_NOSIGNAL | MSG_DONTWAIT);
}

static bool send_job(const ForkServer *server, const int fds[JOB_DESCRIPTORS])
{
    char words[] = "run";
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(JOB_DESCRIPTORS * sizeof(int))];
    } extra = {0};
    struct iovec part = {.iov_base = words, .iov_len = sizeof words - 1};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = extra.bytes,
                             .msg_controllen = sizeof extra.bytes};
    struct cmsghdr *rights = CMSG_FIRSTHDR(&message);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(JOB_DESCRIPTORS * sizeof(int));
    memcpy(CMSG_DATA(rights), fds, JOB_DESCRIPTORS * sizeof(int));
    return sendmsg(server->socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT) > 0;
}

/* The job has ended. */
static bool finish(ForkServer *server, ProcessEnd end, int value)
{
    if (server->step == FORK_ENDING || server->step == FORK_KILLED) {
        end = server->reason;
        value = 0;
    }
    process_capture_set(server->job, end, value);
    server->step = FORK_IDLE;
    return false;
}

/* The server is gone. If this job had not begun, it is not to blame and none of its code has run,
 * so the caller can run it as if nothing had happened. */
static bool hand_back(ForkServer *server)
{
    server->lost = server->step == FORK_RUNS && !worker_has_answered(server->job);
    return finish(server, PROCESS_KILLED, SIGKILL);
}

/* There will be no server: the caller has to run the job without one. */
static bool give_up(ForkServer *server)
{
    process_capture_set(server->job, PROCESS_CANCELLED, 0); /* if the caller does not */
    server->broken = true;
    server->step = FORK_IDLE;
    return false;
}

/* Hands the job over; false when it has ended at once: it has no pipes, or the server is gone. */
static bool start_job(ForkServer *server)
{
    int ends[JOB_DESCRIPTORS];
    if (!worker_open(server->job, server->text, ends)) {
        return finish(server, PROCESS_NOT_STARTED, errno);
    }
    bool sent = send_job(server, ends);
    for (int i = 0; i < JOB_DESCRIPTORS; i++) {
        close(ends[i]);
    }
    server->step = FORK_RUNS;
    server->last = server->timeout_ms == 0 ? INT64_MAX : clock_ms() + server->timeout_ms;
    if (!sent) {
        fork_server_end(server);
        return hand_back(server);
    }
    return true;
}

static bool start_server(ForkServer *server, GuardLaunch *launch)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        return false;
    }
    launch->descriptors[SOCKET_FD] = ends[1];
    launch->descriptor_count = SOCKET_FD + 1;
    worker_start(&server->process, launch, STR(""));
    close(ends[1]);
    server->socket = ends[0];
    return server->process.guard > 0;
}

void fork_server_begin(ForkServer *server, GuardLaunch *launch, ProcessCapture *job, Str text)
{
    server->lost = false;
    server->job = job;
    server->text = text;
    server->timeout_ms = (unsigned)launch->milliseconds;
    server->step = FORK_IMPORTS;
    server->last = clock_ms() + FORK_READY_MS;
    launch->milliseconds = 0; /* of the server; those of jobs are counted here */
    if (server->process.guard == 0) {
        fork_server_end(server);
        server->broken = !start_server(server, launch);
    } else if (server->ready) {
        start_job(server);
    }
}

/* --- from the server */

void fork_server_poll(const ForkServer *server, struct pollfd *polled)
{
    process_capture_poll(&server->process, polled);
    polled[CAPTURE_POLLED] = (struct pollfd){.fd = server->socket, .events = POLLIN};
}

/* True while the job continues. */
static bool read_words(ForkServer *server)
{
    char words[64];
    ssize_t length = recv(server->socket, words, sizeof words - 1, MSG_DONTWAIT);
    if (length <= 0) {
        return true; /* the guard reports its end */
    }
    words[length] = '\0';
    if (strcmp(words, "ready") == 0) {
        server->ready = true;
        return server->step != FORK_IMPORTS || start_job(server);
    }
    bool killed = strncmp(words, "killed ", 7) == 0;
    if (server->step < FORK_RUNS || (!killed && strncmp(words, "exited ", 7) != 0)) {
        return true;
    }
    return finish(server, killed ? PROCESS_KILLED : PROCESS_EXITED,
                  (int)strtol(words + 7, NULL, 10));
}

/* The server has ended, and with it the job. */
static bool take_end(ForkServer *server)
{
    const GuardStatus *status = &server->process.report;
    ProcessEnd end = status->length == sizeof(ProcessResult) ? status->report.end : PROCESS_KILLED;
    bool was_ready = server->ready;
    fork_server_end(server);
    if (server->step == FORK_IDLE) {
        return true;
    }
    if (!was_ready && end != PROCESS_TOO_MANY) {
        return give_up(server);
    }
    return end == PROCESS_TOO_MANY ? finish(server, end, 0) : hand_back(server);
}

static bool check_time(ForkServer *server, int64_t now)
{
    if (server->step == FORK_IDLE || now < server->last) {
        return true;
    }
    if (server->step == FORK_IMPORTS) {
        fork_server_end(server);
        return give_up(server);
    }
    if (server->step == FORK_KILLED) { /* and the server does not report its end */
        fork_server_end(server);
        return finish(server, PROCESS_KILLED, SIGKILL);
    }
    fork_server_cancel(server, server->step == FORK_RUNS ? PROCESS_LATE : server->reason);
    return true;
}

bool fork_server_read(ForkServer *server, const struct pollfd *polled, int64_t now)
{
    bool goes_on = true;
    bool lives = process_capture_read(&server->process, polled);
    if (server->socket >= 0 && polled[CAPTURE_POLLED].revents != 0) {
        goes_on = read_words(server);
    }
    if (!lives && server->process.guard > 0) {
        goes_on = take_end(server) && goes_on;
    }
    return check_time(server, now) && goes_on;
}

void fork_server_cancel(ForkServer *server, ProcessEnd reason)
{
    int64_t now = clock_ms();
    if (server->step == FORK_RUNS) {
        server->reason = reason;
        server->step = FORK_ENDING;
        server->last = now + WORKER_GRACE_MS;
        send_words(server, "end");
    } else if (server->step == FORK_ENDING) {
        server->step = FORK_KILLED;
        server->last = now + GUARD_SLACK_MS;
        send_words(server, "kill");
    } else if (server->step == FORK_IMPORTS) {
        server->reason = reason;
        server->step = FORK_KILLED; /* the job has not begun, so there is nothing to ask */
        server->last = now;
    }
}
