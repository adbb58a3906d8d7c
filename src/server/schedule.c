/* Scheduling: what has to be checked or answered, when, and by which worker. */
#include "server/server.h"

#include "base/clock.h"
#include "base/path.h"

#include <stdlib.h>

enum { MOST_QUEUED = 1000 }; /* requests; a client that sends more gets errors */

/* --- what is known of open documents */

Watched *watched_find(const Server *server, Str path)
{
    for (uint32_t i = 0; i < server->watched_count; i++) {
        if (str_is(path, server->watched[i].path)) {
            return &server->watched[i];
        }
    }
    return NULL;
}

static Watched *watched_add(Server *server, Str path)
{
    if (server->watched_count == server->watched_capacity) {
        uint32_t wanted = server->watched_capacity == 0 ? 16 : server->watched_capacity * 2;
        Watched *grown = realloc(server->watched, wanted * sizeof *grown);
        if (grown == NULL) {
            return NULL;
        }
        server->watched = grown;
        server->watched_capacity = wanted;
    }
    Watched made = {.path = strndup(path.at, path.length)};
    if (made.path == NULL) {
        return NULL;
    }
    server->watched[server->watched_count] = made;
    return &server->watched[server->watched_count++];
}

void watched_drop(Server *server, Watched *watched)
{
    free(watched->path);
    free(watched->target);
    *watched = server->watched[--server->watched_count];
}

void schedule_check(Server *server, Str path)
{
    Watched *watched = watched_find(server, path);
    watched = watched == NULL ? watched_add(server, path) : watched;
    if (watched == NULL) {
        server->fault = "out of memory";
        return;
    }
    watched->dirty = true;
    watched->since = ++server->documents.changes;
}

void schedule_all(Server *server)
{
    for (uint32_t i = 0; i < server->watched_count; i++) {
        server->watched[i].dirty = true;
        server->watched[i].since = ++server->documents.changes;
    }
}

void schedule_near(Server *server, Str path)
{
    Str folder = path_folder(path);
    Str inside;
    for (uint32_t i = 0; i < server->watched_count; i++) {
        Watched *watched = &server->watched[i];
        bool owns = watched->target != NULL && *watched->target != '\0' &&
                    path_below(str_from(watched->target), path, &inside);
        if (owns || path_below(folder, str_from(watched->path), &inside)) {
            watched->dirty = true;
            watched->since = ++server->documents.changes;
        }
    }
}

/* --- the queue */

static void task_free(Task *task)
{
    free(task->id);
    free(task->path);
    free(task->params);
    *task = (Task){0};
}

static char *dumped(const json_t *params)
{
    return params == NULL ? strdup("") : json_dumps(params, JSON_COMPACT);
}

void schedule_request(Server *server, JobKind kind, const char *id, Str path, const json_t *params)
{
    if (server->queued == MOST_QUEUED) {
        server_refuse(server, id, RPC_REQUEST_FAILED, "too many requests wait for an answer");
        return;
    }
    if (server->queued == server->queue_capacity) {
        uint32_t wanted = server->queue_capacity == 0 ? 16 : server->queue_capacity * 2;
        Task *grown = realloc(server->queue, wanted * sizeof *grown);
        if (grown == NULL) {
            server_refuse(server, id, RPC_INTERNAL_ERROR, "out of memory");
            return;
        }
        server->queue = grown;
        server->queue_capacity = wanted;
    }
    Task task = {kind, strdup(id), strndup(path.at == NULL ? "" : path.at, path.length),
                 dumped(params), 0};
    if (task.id == NULL || task.path == NULL || task.params == NULL) {
        task_free(&task);
        server_refuse(server, id, RPC_INTERNAL_ERROR, "out of memory");
        return;
    }
    server->queue[server->queued++] = task;
}

static Task unqueue(Server *server, uint32_t at)
{
    Task task = server->queue[at];
    server->queued--;
    memmove(&server->queue[at], &server->queue[at + 1],
            (server->queued - at) * sizeof *server->queue);
    return task;
}

static unsigned worker_for(JobKind kind)
{
    return kind == JOB_CHECK     ? WORKER_CHECKS
           : kind == JOB_FOLDERS ? WORKER_FOLDERS
                                 : WORKER_ANSWERS;
}

void schedule_cancel(Server *server, const char *id)
{
    for (uint32_t i = 0; i < server->queued; i++) {
        if (strcmp(server->queue[i].id, id) == 0) {
            Task task = unqueue(server, i);
            server_refuse(server, id, RPC_CANCELLED, "cancelled");
            task_free(&task);
            return;
        }
    }
    for (unsigned i = 0; i < WORKER_COUNT; i++) {
        Task *task = &server->running[i];
        if (server->workers[i].busy && task->id != NULL && strcmp(task->id, id) == 0) {
            server_refuse(server, id, RPC_CANCELLED, "cancelled");
            if (i == WORKER_CHECKS) { /* its findings are still useful */
                free(task->id);
                task->id = NULL;
            } else {
                job_worker_end(&server->workers[i]);
                task_free(task);
            }
            return;
        }
    }
}

/* --- giving */

/* Takes the dirty document that changed last: the one the user is probably looking at. */
static bool next_check(Server *server, Task *task)
{
    Watched *latest = NULL;
    for (uint32_t i = 0; i < server->watched_count; i++) {
        Watched *watched = &server->watched[i];
        if (watched->dirty && (latest == NULL || watched->since > latest->since)) {
            latest = watched;
        }
    }
    if (latest == NULL) {
        return false;
    }
    *task = (Task){.kind = JOB_CHECK, .path = strdup(latest->path), .params = strdup("")};
    latest->dirty = task->path == NULL || task->params == NULL;
    return !latest->dirty;
}

static bool next_task(Server *server, unsigned worker, Task *task)
{
    for (uint32_t i = 0; i < server->queued; i++) {
        if (worker_for(server->queue[i].kind) == worker) {
            *task = unqueue(server, i);
            return true;
        }
    }
    return worker == WORKER_CHECKS && next_check(server, task);
}

/* Notes which versions of the open documents the check that starts now sees. */
static void note_versions(Server *server)
{
    for (uint32_t i = 0; i < server->watched_count; i++) {
        Watched *watched = &server->watched[i];
        const OpenDocument *open = documents_by_path(&server->documents, str_from(watched->path));
        watched->version = open == NULL ? 0 : open->version;
    }
}

static void fail(Server *server, const Task *task, const char *how)
{
    if (task->kind == JOB_CHECK) {
        diagnostics_fail(server, task, how);
        return;
    }
    Str message = str_format(&server->arena, "not answered: %s", how);
    server_refuse(server, task->id, RPC_REQUEST_FAILED, message.at);
}

void schedule(Server *server)
{
    for (unsigned i = 0; i < WORKER_COUNT; i++) {
        Task task;
        while (!server->workers[i].busy && next_task(server, i, &task)) {
            task.change = server->documents.changes;
            if (task.kind == JOB_CHECK) {
                note_versions(server);
            }
            if (job_worker_give(&server->workers[i], &server->facts, &server->documents, task.kind,
                                str_from(task.path), str_from(task.params))) {
                server->running[i] = task;
            } else {
                fail(server, &task, "no process can be started");
                task_free(&task);
            }
        }
    }
}

static void take_answer(Server *server, const Task *task, PacketReader *answer)
{
    if (task->kind == JOB_CHECK || task->kind == JOB_FOLDERS) {
        diagnostics_take(server, task, answer);
    } else if (answer->rest.length == 0) {
        server_answer(server, task->id, STR("null"));
    } else {
        server_answer(server, task->id, answer->rest);
    }
}

void schedule_step(Server *server, unsigned worker)
{
    PacketReader answer = {STR(""), false};
    const char *how = "";
    Task *task = &server->running[worker];
    switch (job_worker_step(&server->workers[worker], &answer, &how)) {
    case WORKER_WORKS:
        return;
    case WORKER_ANSWERED:
        take_answer(server, task, &answer);
        break;
    case WORKER_CRASHED:
        fail(server, task, str_format(&server->arena, "the check crashed (%s)", how).at);
        break;
    case WORKER_LATE:
        fail(server, task,
             str_format(&server->arena, "the check took longer than %lld seconds",
                        (long long)server->facts.check_ms / 1000)
                 .at);
        break;
    }
    task_free(task);
}

void schedule_free(Server *server)
{
    for (unsigned i = 0; i < WORKER_COUNT; i++) {
        job_worker_end(&server->workers[i]);
        arena_free(&server->workers[i].arena);
        task_free(&server->running[i]);
    }
    for (uint32_t i = 0; i < server->queued; i++) {
        task_free(&server->queue[i]);
    }
    while (server->watched_count > 0) {
        watched_drop(server, &server->watched[0]);
    }
    free(server->queue);
    free(server->watched);
}
