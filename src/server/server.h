/* Server: the Language Server Protocol over two descriptors (docs/internals/language-server.md).
 *
 * A single thread waits for the client, for workers and for running programs. It never analyses a
 * document: workers do. */
#ifndef PYPTO_LINT_SERVER_SERVER_H
#define PYPTO_LINT_SERVER_SERVER_H

#include "server/documents.h"
#include "server/frame.h"
#include "server/job_worker.h"
#include "server/program.h"
#include "server/store.h"

typedef enum ServerState {
    SERVER_NEW, /* before `initialize` */
    SERVER_OPEN,
    SERVER_SHUT, /* after `shutdown` */
    SERVER_ENDED,
} ServerState;

/* One worker does checks, one answers requests, one checks whole folders: a long job delays only
 * its own kind. */
enum { WORKER_CHECKS, WORKER_ANSWERS, WORKER_FOLDERS, WORKER_COUNT };

/* A request, or a check that nobody asked for, that waits for a worker or is being done by one. */
typedef struct Task {
    JobKind kind;
    char *id;            /* of the request, as JSON; malloc; NULL: none */
    char *path, *params; /* malloc */
    uint64_t change;     /* Documents.changes when it was given to a worker */
} Task;

/* What the server knows about an open document, found by its path. */
typedef struct Watched {
    char *path;      /* malloc */
    char *target;    /* the operator directory that it belongs to; malloc; NULL: not known yet */
    bool dirty;      /* to be checked */
    uint64_t since;  /* Documents.changes when it became dirty */
    int64_t version; /* that the running check sees */
} Watched;

typedef struct Server {
    int in, out;
    ServerState state;
    int exit_status;
    const char *fault; /* why it cannot continue; NULL: it can */
    Arena arena;       /* freed at each turn of the loop */
    jmp_buf guard;
    ClientFacts facts;
    bool lang_given;  /* on the command line, which overrides settings */
    Lang client_lang; /* of the client's locale, unless settings name one */
    FrameReader reader;
    char *outbox; /* malloc */
    size_t out_length, out_capacity, out_sent;
    Documents documents;
    Store store;
    JobWorker workers[WORKER_COUNT];
    Task running[WORKER_COUNT];
    Task *queue; /* malloc; in order of arrival */
    uint32_t queued, queue_capacity;
    Watched *watched;
    uint32_t watched_count, watched_capacity;
    char **folders; /* absolute paths; malloc */
    uint32_t folder_count;
    Program *programs;       /* started by the user; a linked list */
    uint64_t next_id;        /* of the server's own requests */
    int64_t published;       /* clock_ms() when diagnostics were last pushed */
    bool pulled, pulled_all; /* the client has pulled those of a document; of all files */
    pid_t client;            /* the server ends with it; 0: not known */
} Server;

typedef struct ServerOptions {
    Lang lang;
    bool has_lang;
    uint32_t check_seconds;
    Str docs_uri;
} ServerOptions;

/* Serves until the client ends it. Returns the exit status: 0 after `shutdown` and `exit`, 1 after
 * `exit` alone or without `exit`, 2 when input or output fails or memory runs out. `*fault` says in
 * English why, else it is NULL. */
int server_run(int in, int out, const ServerOptions *options, const char **fault);

/* --- sending (send.c) */

void server_flush(Server *server);
/* `id`, `result` and `params` are JSON texts; `message` is plain text. */
void server_answer(Server *server, const char *id, Str result);
void server_refuse(Server *server, const char *id, int code, const char *message);
void server_notify(Server *server, const char *method, Str params);
/* Sends a request to the client and ignores its answer. */
void server_ask(Server *server, const char *method, Str params);
void server_log(Server *server, int type, Str message);

enum {
    RPC_PARSE_ERROR = -32700,
    RPC_INVALID_REQUEST = -32600,
    RPC_METHOD_NOT_FOUND = -32601,
    RPC_INVALID_PARAMS = -32602,
    RPC_INTERNAL_ERROR = -32603,
    RPC_NOT_INITIALIZED = -32002,
    RPC_REQUEST_FAILED = -32803,
    RPC_CANCELLED = -32800,
};

/* --- messages (dispatch.c, lifecycle.c, sync.c, commands.c) */

void server_take_message(Server *server, Str text);

typedef void RequestHandler(Server *server, const char *id, const json_t *params);
typedef void NotificationHandler(Server *server, const json_t *params);
RequestHandler take_initialize, take_shutdown, take_command, take_pull, take_workspace_pull;
NotificationHandler take_initialized, take_exit, take_open, take_change, take_close, take_save,
    take_watched, take_configuration, take_folders, take_cancel, take_progress_cancel;

/* The string under a key, which belongs to the JSON tree; empty without one. */
Str json_str(const json_t *object, const char *key);
void server_set_folders(Server *server, const json_t *params);
/* Ends all that the server has started, and frees its memory. */
void server_free(Server *server);
void take_settings(Server *server, const json_t *settings);

/* --- diagnostics (diagnostics.c) */

/* Pushes the diagnostics of a file, unless this client pulls them. `items`: those of a JSON
 * list. */
void publish(Server *server, Str path, int64_t version, bool has_version, Str items);
/* The client has pulled. From now on it gets no pushes for what it pulls, and what was pushed is
 * withdrawn. `all`: it pulls all files. */
void diagnostics_pulled(Server *server, bool all);
/* Asks the client to pull again, because settings or files have changed. */
void diagnostics_refresh(Server *server);
/* Takes what a check has found. */
void diagnostics_take(Server *server, const Task *task, PacketReader *answer);
/* The check of a file failed; `how` says why. The file gets a diagnostic "not checked". */
void diagnostics_fail(Server *server, const Task *task, const char *how);
/* A document was closed. If another one of the same operator is open, checks that one again; else
 * withdraws the diagnostics of the file and its operator. */
void diagnostics_close(Server *server, Str path, Str target);

/* --- tasks (schedule.c) */

/* Queues a request. */
void schedule_request(Server *server, JobKind kind, const char *id, Str path, const json_t *params);
/* Marks one document, or all open ones, for a check. */
void schedule_check(Server *server, Str path);
void schedule_all(Server *server);
/* Marks documents that a changed file may affect: those of its operator, and those in or below its
 * folder. */
void schedule_near(Server *server, Str path);
/* Gives work to idle workers. */
void schedule(Server *server);
/* Handles an answer, a crash or a timeout of the worker, if there is one. */
void schedule_step(Server *server, unsigned worker);
/* Cancels a queued or running request; `id` is JSON. */
void schedule_cancel(Server *server, const char *id);
Watched *watched_find(const Server *server, Str path);
void watched_drop(Server *server, Watched *watched);
void schedule_free(Server *server);

#endif
