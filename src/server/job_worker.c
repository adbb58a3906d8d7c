/* Gives jobs to a worker process and collects the answers; see job_worker.h. */
#include "server/job_worker.h"

#include "base/clock.h"

#include <errno.h>

/* Bytes of an answer; a longer one is treated as a crash. */
enum { MOST_ANSWER = 256 * 1024 * 1024 };

void job_worker_end(JobWorker *worker)
{
    job_process_end(&worker->process, NULL);
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

/* Cleans up a process that ended by itself while idle. */
static void reap_idle(JobWorker *worker)
{
    if (worker->process.pid > 0 && job_process_has_ended(&worker->process)) {
        job_worker_end(worker);
    }
}

static void send_out(JobWorker *worker)
{
    while (worker->sent < worker->out.length) {
        ssize_t wrote = job_process_write(&worker->process, worker->out.at + worker->sent,
                                          worker->out.length - worker->sent);
        if (wrote < 0 && errno == EINTR) {
            continue;
        }
        if (wrote <= 0) {
            return; /* the channel is full, or closed, which reading will show */
        }
        worker->sent += (size_t)wrote;
    }
}

bool job_worker_give(JobWorker *worker, const ClientFacts *facts, const Documents *documents,
                     JobKind kind, Str path, Str params)
{
    reap_idle(worker);
    if (worker->process.pid == 0) {
        if (!job_process_start(&worker->process, facts, documents)) {
            return false;
        }
        worker->known = job_process_knows(documents);
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

static WorkerEvent crashed(JobWorker *worker, const char **how)
{
    job_process_end(&worker->process, how); /* it may have only closed its channel */
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
        ssize_t got = job_process_read(&worker->process, bytes, sizeof bytes);
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
                job_worker_end(worker); /* it was the worker's last job */
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
