/* JobProcess on Windows; see job_process.h. */
#include "server/job_process.h"

#include "base/clock.h"
#include "base/program.h"
#include "process/process.h"
#include "rules/data/api.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>

/* Sends the client's facts as the first packet to a new process. */
static bool send_facts(int channel, Arena *arena, const ClientFacts *facts)
{
    Buf out = {.arena = arena};
    packet_begin(&out);
    packet_add(&out, (Str){(const char *)facts, sizeof *facts});
    packet_add(&out, facts->docs_uri);
    packet_end(&out);
    return write(channel, out.at, out.length) == (ssize_t)out.length;
}

static bool start(JobProcess *process, Arena *arena, const ClientFacts *facts)
{
    int theirs_in = -1, theirs_out = -1, error = 0;
    bool good = process_pipe(&theirs_in, &process->out) && process_pipe(&process->in, &theirs_out);
    char *arguments[] = {str_dup(arena, STR("pypto-lint")), str_dup(arena, STR(JOB_PROCESS_WORD)),
                         NULL};
    Process again = {.program = program_again(arena),
                     .arguments = arguments,
                     .environment = environ,
                     .in = theirs_in,
                     .out = theirs_out,
                     .err = STDERR_FILENO};
    process->pid = good ? process_start(&again, &error) : -1;
    process_close(&theirs_in);
    process_close(&theirs_out);
    return process->pid > 0 && send_facts(process->out, arena, facts);
}

bool job_process_start(JobProcess *process, const ClientFacts *facts, const Documents *documents)
{
    Arena arena;
    jmp_buf place;
    bool good = false;
    (void)documents;
    *process = (JobProcess){0, -1, -1};
    arena_init(&arena, 0);
    if (OOM_GUARD(&arena, place)) {
        good = start(process, &arena, facts);
    }
    arena_free(&arena);
    if (!good) {
        job_process_end(process, NULL);
    }
    return good;
}

/* It knows nothing: the first job brings all texts. */
uint64_t job_process_knows(const Documents *documents)
{
    (void)documents;
    return 0;
}

ssize_t job_process_read(JobProcess *process, void *to, size_t size)
{
    struct pollfd ready = {.fd = process->in, .events = POLLIN};
    if (poll(&ready, 1, 0) == 0) {
        errno = EAGAIN;
        return -1;
    }
    return (ready.revents & POLLIN) != 0 ? read(process->in, to, size) : 0;
}

/* May block, which is safe: a process reads a whole job before it answers. */
ssize_t job_process_write(JobProcess *process, const void *from, size_t size)
{
    return write(process->out, from, size);
}

bool job_process_has_ended(JobProcess *process)
{
    struct pollfd ready = {.fd = process->in, .events = POLLIN};
    return poll(&ready, 1, 0) > 0;
}

void job_process_end(JobProcess *process, const char **how)
{
    int status = 0;
    if (process->pid == 0) {
        return; /* its descriptors are closed, or were never open */
    }
    bool ended =
        process->pid > 0 && process_wait(process->pid, clock_ms(), &status) == PROCESS_EXITED;
    if (process->pid > 0 && !ended) {
        process_end(process->pid, 0);
    }
    process->pid = 0;
    process_close(&process->in);
    process_close(&process->out);
    if (how != NULL) {
        *how = status == JOB_NO_MEMORY ? "it ran out of memory" : "it ended by itself";
    }
}

/* --- in the new process */

bool job_process_is_asked(int argc, char **argv)
{
    return argc == 1 && strcmp(argv[0], JOB_PROCESS_WORD) == 0;
}

static bool read_whole(int channel, char *to, size_t size)
{
    for (ssize_t got; size > 0; to += got, size -= (size_t)got) {
        got = read(channel, to, size);
        if (got <= 0) {
            return false;
        }
    }
    return true;
}

int job_process_main(void)
{
    enum { MOST_FACTS = 1 << 20 };
    static ClientFacts facts;
    static const Documents none;
    static Arena arena; /* the data of api_load lives as long as the process */
    Str error;
    char head[PACKET_HEAD];
    int in = dup(STDIN_FILENO), out = dup(STDOUT_FILENO);
    int nowhere = open("/dev/null", O_RDWR);
    if (in < 0 || out < 0 || nowhere < 0 || dup2(nowhere, STDIN_FILENO) < 0 ||
        dup2(nowhere, STDOUT_FILENO) < 0 || !read_whole(in, head, sizeof head) ||
        packet_length(head) > MOST_FACTS) {
        return 2;
    }
    size_t length = packet_length(head);
    char *packet = malloc(length + 1); /* kept: the facts point into it */
    if (packet == NULL || !read_whole(in, packet, length)) {
        return 2;
    }
    PacketReader reader = {{packet, length}, false};
    Str bytes = packet_text(&reader);
    Str docs_uri = packet_text(&reader);
    if (reader.broken || bytes.length != sizeof facts) {
        return 2;
    }
    memcpy(&facts, bytes.at, sizeof facts);
    facts.docs_uri = docs_uri;
    arena_init(&arena, 0);
    if (!api_load(&arena, &error)) {
        return 2;
    }
    job_loop(in, out, &facts, &none);
}
