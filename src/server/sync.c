/* Sync: follows changes of the client's documents, files, settings and folders. */
#include "server/server.h"

#include "base/path.h"

#include <stdlib.h>

/* --- documents */

/* Marks a document for a check, which reports a text that could not be kept as "not checked". */
static void check_document(Server *server, OpenDocument *document)
{
    if (document->lost) {
        text_set(&document->text, STR(""));
    }
    schedule_check(server, str_from(document->path));
}

void take_open(Server *server, const json_t *params)
{
    const json_t *document = json_object_get(params, "textDocument");
    Str uri = json_str(document, "uri");
    Str path = uri_path(&server->arena, uri);
    if (path.length == 0) {
        return; /* not a file, so no rule applies */
    }
    OpenDocument *opened = documents_open(&server->documents, uri, path,
                                          json_integer_value(json_object_get(document, "version")),
                                          json_str(document, "text"));
    if (opened == NULL) {
        server->fault = "out of memory";
    } else {
        check_document(server, opened);
    }
}

static void change_text(Server *server, OpenDocument *document, const json_t *change)
{
    Str text = json_str(change, "text");
    const json_t *range = json_object_get(change, "range");
    bool good = true;
    if (!json_is_object(range)) {
        document->lost = false;
        good = text_set(&document->text, text);
    } else if (!document->lost) {
        good = text_replace(&document->text, work_range(change, "range"), text,
                            server->facts.encoding);
    }
    document->lost = document->lost || !good;
}

void take_change(Server *server, const json_t *params)
{
    const json_t *named = json_object_get(params, "textDocument");
    OpenDocument *document = documents_by_uri(&server->documents, json_str(named, "uri"));
    size_t index;
    const json_t *change;
    if (document == NULL) {
        return;
    }
    json_array_foreach(json_object_get(params, "contentChanges"), index, change)
    {
        change_text(server, document, change);
    }
    document->version = json_integer_value(json_object_get(named, "version"));
    document->change = ++server->documents.changes;
    check_document(server, document);
}

void take_close(Server *server, const json_t *params)
{
    Str uri = json_str(json_object_get(params, "textDocument"), "uri");
    OpenDocument *document = documents_by_uri(&server->documents, uri);
    if (document == NULL) {
        return;
    }
    Str path = str_copy(&server->arena, str_from(document->path));
    Watched *watched = watched_find(server, path);
    Str target = STR("");
    if (watched != NULL) {
        target = str_copy(&server->arena, str_from(watched->target == NULL ? "" : watched->target));
        watched_drop(server, watched);
    }
    /* Before the document is closed, so that diagnostics are withdrawn under the client's URI. */
    diagnostics_close(server, path, target);
    documents_close(&server->documents, document);
}

void take_save(Server *server, const json_t *params)
{
    Str uri = json_str(json_object_get(params, "textDocument"), "uri");
    const OpenDocument *document = documents_by_uri(&server->documents, uri);
    if (document != NULL && !server->facts.takes_watchers) {
        schedule_near(server,
                      str_from(document->path)); /* other programs may have written as well */
    }
}

/* --- files */

static void take_deleted(Server *server, Str path)
{
    StoredFile *file = store_find(&server->store, path);
    if (file != NULL && documents_by_path(&server->documents, path) == NULL) {
        publish(server, path, 0, false, STR(""));
        store_drop(&server->store, file);
    }
}

void take_watched(Server *server, const json_t *params)
{
    enum { DELETED = 3 };
    size_t index;
    const json_t *change;
    json_array_foreach(json_object_get(params, "changes"), index, change)
    {
        Str path = uri_path(&server->arena, json_str(change, "uri"));
        if (path.length == 0) {
            continue;
        }
        if (json_integer_value(json_object_get(change, "type")) == DELETED) {
            take_deleted(server, path);
        }
        schedule_near(server, path);
    }
    diagnostics_refresh(server);
}

void take_configuration(Server *server, const json_t *params)
{
    const json_t *settings = json_object_get(params, "settings");
    const json_t *own = json_object_get(settings, "pypto-lint");
    take_settings(server, own == NULL ? settings : own);
    for (unsigned i = 0; i < WORKER_COUNT; i++) {
        job_worker_renew(&server->workers[i]);
    }
    schedule_all(server);
    diagnostics_refresh(server);
    if (server->facts.takes_hint_refresh) {
        server_ask(server, "workspace/inlayHint/refresh", STR(""));
    }
}

/* --- folders */

static bool add_folder(Server *server, Str uri)
{
    Str path = uri_path(&server->arena, uri);
    char **grown = path.length == 0 ? NULL
                                    : realloc(server->folders,
                                              (server->folder_count + 1) * sizeof *server->folders);
    if (grown == NULL) {
        return false;
    }
    server->folders = grown;
    server->folders[server->folder_count] = strndup(path.at, path.length);
    server->folder_count += server->folders[server->folder_count] != NULL;
    return true;
}

void server_set_folders(Server *server, const json_t *params)
{
    const json_t *folders = json_object_get(params, "workspaceFolders");
    size_t index;
    const json_t *folder;
    json_array_foreach(folders, index, folder)
    {
        add_folder(server, json_str(folder, "uri"));
    }
    if (server->folder_count == 0) {
        add_folder(server, json_str(params, "rootUri"));
    }
}

static void remove_folder(Server *server, Str path)
{
    for (uint32_t i = server->folder_count; i > 0; i--) {
        if (str_is(path, server->folders[i - 1])) {
            free(server->folders[i - 1]);
            server->folders[i - 1] = server->folders[--server->folder_count];
        }
    }
}

void take_folders(Server *server, const json_t *params)
{
    const json_t *event = json_object_get(params, "event");
    size_t index;
    const json_t *folder;
    json_array_foreach(json_object_get(event, "removed"), index, folder)
    {
        remove_folder(server, uri_path(&server->arena, json_str(folder, "uri")));
    }
    json_array_foreach(json_object_get(event, "added"), index, folder)
    {
        add_folder(server, json_str(folder, "uri"));
    }
    diagnostics_refresh(server);
}

/* --- pulls */

void take_pull(Server *server, const char *id, const json_t *params)
{
    Str uri = json_str(json_object_get(params, "textDocument"), "uri");
    const OpenDocument *open = documents_by_uri(&server->documents, uri);
    Str path = open != NULL ? str_from(open->path) : uri_path(&server->arena, uri);
    if (path.length == 0) {
        server_answer(server, id, STR("{\"kind\":\"full\",\"items\":[]}"));
        return;
    }
    diagnostics_pulled(server, false);
    schedule_request(server, JOB_CHECK, id, path, params);
}

void take_workspace_pull(Server *server, const char *id, const json_t *params)
{
    diagnostics_pulled(server, true);
    json_t *asked = json_deep_copy(params);
    json_t *folders = json_array();
    JsonTree tree = {asked == NULL || folders == NULL, NULL};
    for (uint32_t i = 0; i < server->folder_count; i++) {
        json_append(&tree, folders, json_text(str_from(server->folders[i])));
    }
    json_put(&tree, asked, "folders", folders);
    if (tree.failed) {
        server_refuse(server, id, RPC_INTERNAL_ERROR, "out of memory");
    } else {
        schedule_request(server, JOB_FOLDERS, id, STR(""), asked);
    }
    json_decref(asked);
}
