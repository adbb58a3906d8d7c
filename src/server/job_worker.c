/* JobWorker; see job_worker.h. */
#include "server/job_worker.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* A worker answers with at most so much; more is a mistake. */
enum { MOST_ANSWER = 256 * 1024 * 1024 };

/* The new process: nothing of the client's is left to it. */
_Noreturn static void begin(int channel, pid_t server, const ClientFacts *facts,
                            const Documents *documents)
{
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    signal(SIGTERM, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (nowhere < 0 || dup2(nowhere, STDIN_FILENO) < 0 || dup2(nowhere, STDOUT_FILENO) < 0 ||
        getppid() != server) {
        _exit(2);
    }
    job_loop(channel, facts, documents);
}

static bool start(JobWorker *worker, const ClientFacts *facts, const Documents *documents)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        return false;
    }
    pid_t server = getpid();
    pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        begin(ends[1], server, facts, documents);
    }
    close(ends[1]);
    if (pid < 0 || fcntl(ends[0], F_SETFL, O_NONBLOCK) != 0) {
        close(ends[0]);
        return false;
    }
    worker->pid = pid;
    worker->channel = ends[0];
    worker->known = documents->changes;
    return true;
}

void job_worker_end(JobWorker *worker)
{
    if (worker->pid > 0) {
        close(worker->channel);
        kill(worker->pid, SIGKILL);
        while (waitpid(worker->pid, NULL, 0) < 0 && errno == EINTR) {
        }
    }
    worker->pid = 0;
    worker->busy = false;
    worker->old = false;
}

void job_worker_renew(JobWorker *worker)
{
    worker->old = worker->busy;
    if (!worker->busy) {
        job_worker_end(worker);
    }
}

/* One that has ended by itself while it was idle is replaced. */
static void reap_idle(JobWorker *worker)
{
    char byte;
    ssize_t got = worker->pid > 0 ? recv(worker->channel, &byte, 1, MSG_PEEK | MSG_DONTWAIT) : -1;
    if (worker->pid > 0 && (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR))) {
        job_worker_end(worker);
    }
}

static void send_out(JobWorker *worker)
{
    while (worker->sent < worker->out.length) {
        ssize_t wrote = send(worker->channel, worker->out.at + worker->sent,
                             worker->out.length - worker->sent, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (wrote < 0 && errno == EINTR) {
            continue;
        }
        if (wrote <= 0) {
            return; /* the channel is full, or its end shows when it is read */
        }
        worker->sent += (size_t)wrote;
    }
}

bool job_worker_give(JobWorker *worker, const ClientFacts *facts, const Documents *documents,
                     JobKind kind, Str path, Str params)
{
    reap_idle(worker);
    if (worker->pid == 0 && !start(worker, facts, documents)) {
        return false;
    }
    jmp_buf *guard = worker->arena.guard;
    arena_free(&worker->arena);
    arena_init(&worker->arena, 0);
    worker->arena.guard = guard;
    worker->out = worker->in = (Buf){.arena = &worker->arena};
    worker->sent = 0;
    job_packet(&worker->out, documents, worker->known, kind, path, params);
    worker->known = documents->changes;
    worker->busy = true;
    worker->deadline = clock_ms() + facts->check_ms;
    send_out(worker);
    return true;
}

/* How the process that is gone has ended. */
static const char *ending(pid_t pid)
{
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFSIGNALED(status)) {
        return strsignal(WTERMSIG(status));
    }
    return WEXITSTATUS(status) == JOB_NO_MEMORY ? "it ran out of memory" : "it ended by itself";
}

static WorkerEvent crashed(JobWorker *worker, const char **how)
{
    kill(worker->pid, SIGKILL); /* it may only have closed its channel */
    close(worker->channel);
    *how = ending(worker->pid);
    worker->pid = 0;
    worker->busy = false;
    worker->old = false;
    return WORKER_CRASHED;
}

static bool is_whole(const JobWorker *worker)
{
    return worker->in.length >= PACKET_HEAD &&
           worker->in.length - PACKET_HEAD >= packet_length(worker->in.at);
}

WorkerEvent job_worker_step(JobWorker *worker, PacketReader *reader, const char **how)
{
    char bytes[65536];
    send_out(worker);
    for (;;) {
        ssize_t got = recv(worker->channel, bytes, sizeof bytes, MSG_DONTWAIT);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0 && errno == EAGAIN) {
            break;
        }
        if (got <= 0 || worker->in.length > MOST_ANSWER) {
            return crashed(worker, how);
        }
        buf_add(&worker->in, (Str){bytes, (size_t)got});
        if (is_whole(worker)) {
            *reader = (PacketReader){str_slice(buf_str(&worker->in), PACKET_HEAD, SIZE_MAX), false};
            Str answer = packet_text(reader);
            if (packet_number(reader) != 0 || worker->old) {
                job_worker_end(worker); /* it said that this was its last */
            }
            *reader = (PacketReader){answer, reader->broken};
            worker->busy = false;
            return WORKER_ANSWERED;
        }
    }
    if (clock_ms() >= worker->deadline) {
        job_worker_end(worker);
        return WORKER_LATE;
    }
    return WORKER_WORKS;
}
