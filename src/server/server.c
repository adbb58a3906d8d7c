/* The main loop: waits for the client, for workers, and for programs that the user has started. */
#include "server/commands.h"

#include "base/clock.h"
#include "platform/platform.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    CHUNK = 65536,
    MOST_CHUNKS = 64,  /* read before work is given out, so that it sees all changes sent so far */
    MOST_WATCHED = 64, /* descriptors */
    CLIENT_LOOK_MS = 5000 /* how often to see whether the client is still alive */
};

static void take_messages(Server *server)
{
    Str message;
    const char *error;
    FrameStatus status;
    while (server->state != SERVER_ENDED && server->fault == NULL &&
           (status = frame_next(&server->reader, &message, &error)) != FRAME_NONE) {
        if (status == FRAME_BROKEN) {
            server->fault = error;
            return;
        }
        server_take_message(server, message);
    }
}

/* Reads and handles the messages that have arrived. */
static void take_input(Server *server)
{
    for (int i = 0; i < MOST_CHUNKS && server->state != SERVER_ENDED && server->fault == NULL;
         i++) {
        char *room = frame_room(&server->reader, CHUNK);
        ssize_t got = room == NULL ? -1 : read(server->in, room, CHUNK);
        if (room == NULL || (got < 0 && errno != EINTR && errno != EAGAIN)) {
            server->fault = room == NULL ? "out of memory" : "the input cannot be read";
        } else if (got == 0) {
            server->exit_status = server->state == SERVER_SHUT ? 0 : 1;
            server->state = SERVER_ENDED;
        } else if (got > 0) {
            frame_filled(&server->reader, (size_t)got);
            take_messages(server);
        }
        struct pollfd more = {.fd = server->in, .events = POLLIN};
        if (got < CHUNK && poll(&more, 1, 0) != 1) {
            return;
        }
    }
}

/* The wait (-1: without end) if the deadline is not earlier, else the time left until then. */
static int64_t until(int64_t deadline, int64_t now, int64_t wait)
{
    int64_t left = deadline > now ? deadline - now : 0;
    return wait < 0 || left < wait ? left : wait;
}

static int patience(const Server *server)
{
    int64_t now = clock_ms();
    int64_t wait = server->client > 0 ? CLIENT_LOOK_MS : -1;
    for (unsigned i = 0; i < WORKER_COUNT; i++) {
        const JobWorker *worker = &server->workers[i];
        wait = worker->busy ? until(worker->deadline, now, wait) : wait;
    }
    for (const Program *program = server->programs; program != NULL; program = program->next) {
        wait = program->cancelled ? until(program->deadline, now, wait) : wait;
    }
    return (int)wait;
}

/* The descriptors to wait for: the client's two, the workers', the programs'. */
static nfds_t watch(const Server *server, struct pollfd *list)
{
    nfds_t count = 2;
    list[0] = (struct pollfd){.fd = server->in, .events = POLLIN};
    bool waits = server->out_sent < server->out_length;
    list[1] = (struct pollfd){.fd = waits ? server->out : -1, .events = POLLOUT};
    for (unsigned i = 0; i < WORKER_COUNT; i++) {
        const JobWorker *worker = &server->workers[i];
        short unsent = worker->sent < worker->out.length ? POLLOUT : 0;
        list[count++] = (struct pollfd){.fd = worker->busy ? worker->process.in : -1,
                                        .events = (short)(POLLIN | unsent)};
    }
    for (const Program *program = server->programs; program != NULL && count < MOST_WATCHED;
         program = program->next) {
        list[count++] = (struct pollfd){.fd = program->out, .events = POLLIN};
    }
    return count;
}

static void turn(Server *server)
{
    struct pollfd list[MOST_WATCHED];
    nfds_t count = watch(server, list);
    int ready = poll(list, count, patience(server));
    if (ready < 0 && errno != EINTR) {
        server->fault = "waiting for input failed";
        return;
    }
    if (ready > 0 && (list[1].revents & (POLLERR | POLLOUT | POLLHUP)) != 0) {
        server_flush(server);
    }
    if (ready > 0 && list[0].revents != 0) {
        take_input(server);
    }
    for (unsigned i = 0; i < WORKER_COUNT; i++) {
        if (server->workers[i].busy) {
            schedule_step(server, i);
        }
    }
    for (Program *program = server->programs, *next; program != NULL; program = next) {
        next = program->next;
        program_step(server, program);
    }
    if (server->client > 0 && ready == 0 && kill(server->client, 0) != 0 && errno == ESRCH) {
        server->exit_status = 1;
        server->state = SERVER_ENDED;
    }
    schedule(server);
}

static void set_guards(Server *server)
{
    server->arena.guard = &server->guard;
    for (unsigned i = 0; i < WORKER_COUNT; i++) {
        server->workers[i].arena.guard = &server->guard;
    }
}

static void serve(Server *server)
{
    if (setjmp(server->guard) != 0) {
        server->fault = "out of memory";
        return;
    }
    while (server->state != SERVER_ENDED && server->fault == NULL) {
        arena_free(&server->arena);
        arena_init(&server->arena, 0);
        set_guards(server);
        turn(server);
    }
}

/* Sends what is left, for at most two seconds. */
static void send_rest(Server *server)
{
    enum { MOST_MS = 2000 };
    int64_t end = clock_ms() + MOST_MS;
    while (server->out_sent < server->out_length && server->fault == NULL && clock_ms() < end) {
        struct pollfd out = {.fd = server->out, .events = POLLOUT};
        poll(&out, 1, 100);
        server_flush(server);
    }
}

void server_free(Server *server)
{
    programs_end(server);
    schedule_free(server);
    documents_free(&server->documents);
    store_free(&server->store);
    frame_free(&server->reader);
    for (uint32_t i = 0; i < server->folder_count; i++) {
        free(server->folders[i]);
    }
    free(server->folders);
    free(server->outbox);
    arena_free(&server->arena);
}

int server_run(int in, int out, const ServerOptions *options, const char **fault)
{
    static Server server; /* its guard must outlive every jump */
    in = platform_pollable(in);
    if (in < 0) {
        *fault = "its input cannot be waited for";
        return 2;
    }
    server = (Server){.in = in, .out = out, .exit_status = 1, .lang_given = options->has_lang};
    server.facts = (ClientFacts){.lang = options->lang,
                                 .has_lang = options->has_lang,
                                 .check_ms = (int64_t)options->check_seconds * 1000,
                                 .docs_uri = options->docs_uri};
    int flags = fcntl(out, F_GETFL);
    arena_init(&server.arena, 0);
    if (flags >= 0) {
        fcntl(out, F_SETFL, flags | O_NONBLOCK);
    }
    serve(&server);
    send_rest(&server);
    server_free(&server);
    if (flags >= 0) {
        fcntl(out, F_SETFL, flags);
    }
    *fault = server.fault;
    return server.fault == NULL ? server.exit_status : 2;
}
