/* Server: the Language Server Protocol over two descriptors (docs/internals/language-server.md).
 *
 * One thread waits for the client, for workers and for programs that run. It looks into no text:
 * whatever does runs in a worker. */
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

/* One worker does checks, one answers requests, one looks through folders: a long job delays only
 * its own kind. */
enum { WORKER_CHECKS, WORKER_ANSWERS, WORKER_FOLDERS, WORKER_COUNT };

/* A request, or a check that nobody asked for, that waits for a worker or has one. */
typedef struct Task {
    JobKind kind;
    char *id;            /* of the request, as JSON; malloc; NULL: none */
    char *path, *params; /* malloc */
    uint64_t change;     /* Documents.changes when it was given to a worker */
} Task;

/* State of an open document that only the server knows; by its path. */
typedef struct Watched {
    char *path;      /* malloc */
    char *target;    /* the operator directory that it belongs to; malloc; NULL: not known yet */
    bool dirty;      /* to be checked */
    uint64_t since;  /* Documents.changes when it became so */
    int64_t version; /* that the running check sees */
} Watched;

typedef struct Server {
    int in, out;
    ServerState state;
    int exit_status;
    const char *fault; /* why it cannot go on; NULL: it can */
    Arena arena;       /* of the message at hand */
    jmp_buf guard;
    ClientFacts facts;
    bool lang_given;  /* on the command line: settings do not count */
    Lang client_lang; /* of the client's locale, for settings that name none */
    FrameReader reader;
    char *outbox; /* malloc */
    size_t out_length, out_capacity, out_sent;
    Documents documents;
    Store store;
    JobWorker workers[WORKER_COUNT];
    Task running[WORKER_COUNT];
    Task *queue; /* malloc; in the order of their coming */
    uint32_t queued, queue_capacity;
    Watched *watched;
    uint32_t watched_count, watched_capacity;
    char **folders; /* absolute paths; malloc */
    uint32_t folder_count;
    Program *programs;       /* that the user has started; a list */
    uint64_t next_id;        /* of the server's own requests */
    int64_t published;       /* clock_ms(): when diagnostics were last sent */
    bool pulled, pulled_all; /* the client has asked for those of a document, of all files */
    pid_t client;            /* whose end is ours; 0: not known */
} Server;

typedef struct ServerOptions {
    Lang lang;
    bool has_lang;
    uint32_t check_seconds;
    Str docs_uri;
} ServerOptions;

/* Serves until the client ends it. The exit status: 0 after `shutdown` and `exit`, 1 after `exit`
 * alone or the end of the input, 2 with `*fault` for what cannot be read or written. */
int server_run(int in, int out, const ServerOptions *options, const char **fault);

/* --- sending (send.c) */

void server_flush(Server *server);
/* `result` is JSON. `id` is JSON, too. */
void server_answer(Server *server, const char *id, Str result);
void server_refuse(Server *server, const char *id, int code, const char *message);
void server_notify(Server *server, const char *method, Str params);
/* A request of the server's own, whose answer nobody waits for. */
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

/* The text under a key as a Str of the tree's; empty without one. */
Str json_str(const json_t *object, const char *key);
void server_set_folders(Server *server, const json_t *params);
/* Ends what the server has started, and gives its memory back. */
void server_free(Server *server);
void take_settings(Server *server, const json_t *settings);

/* --- diagnostics (diagnostics.c) */

/* Sends the diagnostics of a file, unless this client asks for them. */
void publish(Server *server, Str path, int64_t version, bool has_version, Str items);
/* The client asks by itself: from now on it is not sent what it asks for, and what it was sent is
 * taken back. `all`: it asks for all files. */
void diagnostics_pulled(Server *server, bool all);
/* The client shall ask anew, for settings or files have changed. */
void diagnostics_refresh(Server *server);
/* Takes over what a check has found. */
void diagnostics_take(Server *server, const Task *task, PacketReader *answer);
/* The check of a file ended without an answer. */
void diagnostics_fail(Server *server, const Task *task, const char *how);
/* A document is closed: what was said of it is taken back. */
void diagnostics_close(Server *server, Str path, Str target);

/* --- tasks (schedule.c) */

/* Queues a request. */
void schedule_request(Server *server, JobKind kind, const char *id, Str path, const json_t *params);
/* A document is to be checked, alone or with all that share its operator. */
void schedule_check(Server *server, Str path);
void schedule_all(Server *server);
/* Those that are below the folder of a file that has changed. */
void schedule_near(Server *server, Str path);
/* Gives work to workers that have none. */
void schedule(Server *server);
/* The worker has an answer, has crashed or is late. */
void schedule_step(Server *server, unsigned worker);
/* The request is withdrawn. */
void schedule_cancel(Server *server, const char *id);
Watched *watched_find(const Server *server, Str path);
void watched_drop(Server *server, Watched *watched);
void schedule_free(Server *server);

#endif
