/* Dispatch: parses a message and calls the function that handles it. */
#include "server/server.h"

#include <stdlib.h>

typedef struct RequestRow {
    const char *method;
    RequestHandler *handler; /* NULL: a worker does the job */
    JobKind job;
} RequestRow;

static const RequestRow requests[] = {
    {"initialize", take_initialize, 0},
    {"shutdown", take_shutdown, 0},
    {"textDocument/diagnostic", take_pull, 0},
    {"workspace/diagnostic", take_workspace_pull, 0},
    {"workspace/executeCommand", take_command, 0},
    {"textDocument/codeAction", NULL, JOB_CODE_ACTION},
    {"textDocument/hover", NULL, JOB_HOVER},
    {"textDocument/completion", NULL, JOB_COMPLETION},
    {"textDocument/signatureHelp", NULL, JOB_SIGNATURE},
    {"textDocument/inlayHint", NULL, JOB_INLAY},
    {"textDocument/definition", NULL, JOB_DEFINITION},
    {"textDocument/documentLink", NULL, JOB_LINKS},
};

typedef struct NotificationRow {
    const char *method;
    NotificationHandler *handler;
} NotificationRow;

static const NotificationRow notifications[] = {
    {"initialized", take_initialized},
    {"exit", take_exit},
    {"textDocument/didOpen", take_open},
    {"textDocument/didChange", take_change},
    {"textDocument/didClose", take_close},
    {"textDocument/didSave", take_save},
    {"workspace/didChangeWatchedFiles", take_watched},
    {"workspace/didChangeConfiguration", take_configuration},
    {"workspace/didChangeWorkspaceFolders", take_folders},
    {"$/cancelRequest", take_cancel},
    {"window/workDoneProgress/cancel", take_progress_cancel},
};

Str json_str(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_string(value) ? (Str){json_string_value(value), json_string_length(value)}
                                 : STR("");
}

static void take_job(Server *server, const RequestRow *row, const char *id, const json_t *params)
{
    Str uri = json_str(json_object_get(params, "textDocument"), "uri");
    if (uri.length == 0) {
        server_refuse(server, id, RPC_INVALID_PARAMS, "textDocument.uri is missing");
        return;
    }
    const OpenDocument *open = documents_by_uri(&server->documents, uri);
    Str path = open != NULL ? str_from(open->path) : uri_path(&server->arena, uri);
    if (path.length == 0) { /* not a file of this machine */
        server_answer(server, id, STR("null"));
        return;
    }
    schedule_request(server, row->job, id, path, params);
}

static void take_request(Server *server, Str method, const char *id, const json_t *params)
{
    bool first = str_is(method, "initialize");
    if (server->state == SERVER_NEW && !first) {
        server_refuse(server, id, RPC_NOT_INITIALIZED, "the first request must be `initialize`");
        return;
    }
    if (server->state == SERVER_SHUT || (first && server->state != SERVER_NEW)) {
        server_refuse(server, id, RPC_INVALID_REQUEST,
                      first ? "`initialize` may be sent only once" : "the server is shut down");
        return;
    }
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        const RequestRow *row = &requests[i];
        if (str_is(method, row->method)) {
            if (row->handler != NULL) {
                row->handler(server, id, params);
            } else {
                take_job(server, row, id, params);
            }
            return;
        }
    }
    Str text = str_format(&server->arena, "no such method: %.*s", STR_ARG(method));
    server_refuse(server, id, RPC_METHOD_NOT_FOUND, text.at);
}

static void take_notification(Server *server, Str method, const json_t *params)
{
    bool early = server->state == SERVER_NEW || server->state == SERVER_SHUT;
    if (early && !str_is(method, "exit")) {
        return;
    }
    for (size_t i = 0; i < sizeof notifications / sizeof *notifications; i++) {
        if (str_is(method, notifications[i].method)) {
            notifications[i].handler(server, params);
            return;
        }
    }
}

static void take_object(Server *server, const json_t *message)
{
    Str method = json_str(message, "method");
    const json_t *id = json_object_get(message, "id");
    const json_t *params = json_object_get(message, "params");
    bool answer =
        json_object_get(message, "result") != NULL || json_object_get(message, "error") != NULL;
    if (method.length == 0) {
        if (!answer) {
            server_refuse(server, "null", RPC_INVALID_REQUEST,
                          "the message is neither a request nor an answer");
        }
        return;
    }
    if (id == NULL) {
        take_notification(server, method, params);
        return;
    }
    if (!json_is_integer(id) && !json_is_string(id)) {
        server_refuse(server, "null", RPC_INVALID_REQUEST,
                      "the id is neither a number nor a string");
        return;
    }
    char *text = json_dumps(id, JSON_ENCODE_ANY | JSON_COMPACT);
    if (text == NULL) {
        server->fault = "out of memory";
        return;
    }
    take_request(server, method, text, params);
    free(text);
}

void server_take_message(Server *server, Str text)
{
    json_t *message = json_read_lenient(&server->arena, text);
    if (message == NULL) {
        server_refuse(server, "null", RPC_PARSE_ERROR, "the message is not JSON");
    } else if (!json_is_object(message)) {
        server_refuse(server, "null", RPC_INVALID_REQUEST, "the message is not an object");
    } else {
        take_object(server, message);
    }
    json_decref(message);
}
