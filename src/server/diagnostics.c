/* Diagnostics: what checks have found, pushed to the client or kept until it pulls them. */
#include "server/server.h"

#include "base/clock.h"
#include "base/path.h"
#include "server/linting.h"

#include <stdlib.h>

/* A document that keeps changing still gets diagnostics at least this often. */
enum { MOST_SILENCE_MS = 500 };

static void add_items(Buf *out, Str items)
{
    buf_add(out, STR("["));
    buf_add(out, items);
    buf_add(out, STR("]"));
}

static Str uri_of(Server *server, Str path)
{
    const OpenDocument *open = documents_by_path(&server->documents, path);
    return open != NULL ? str_from(open->uri) : uri_of_path(&server->arena, path);
}

/* Are the diagnostics of this file pushed? Clients show pushed and pulled ones side by side, so a
 * file must not get both. */
static bool is_sent(const Server *server, Str path)
{
    if (server->facts.way != WAY_AUTO) {
        return server->facts.way != WAY_PULL;
    }
    bool open = documents_by_path(&server->documents, path) != NULL;
    bool related = server->pulled && (open || server->facts.takes_related_documents);
    return !related && !server->pulled_all;
}

static void send_diagnostics(Server *server, Str path, int64_t version, bool has_version, Str items)
{
    Buf out = {.arena = &server->arena};
    buf_add(&out, STR("{\"uri\":"));
    json_add_string(&out, uri_of(server, path));
    if (has_version) {
        buf_addf(&out, ",\"version\":%lld", (long long)version);
    }
    buf_add(&out, STR(",\"diagnostics\":"));
    add_items(&out, items);
    buf_add_char(&out, '}');
    server_notify(server, "textDocument/publishDiagnostics", buf_str(&out));
    server->published = clock_ms();
}

void publish(Server *server, Str path, int64_t version, bool has_version, Str items)
{
    if (is_sent(server, path)) {
        send_diagnostics(server, path, version, has_version, items);
    }
}

void diagnostics_pulled(Server *server, bool all)
{
    if (server->facts.way != WAY_AUTO || (all ? server->pulled_all : server->pulled)) {
        return;
    }
    bool *asked = all ? &server->pulled_all : &server->pulled;
    for (uint32_t i = 0; i < server->store.count; i++) {
        Str path = str_from(server->store.items[i].path);
        bool sent = is_sent(server, path) && *server->store.items[i].items != '\0';
        *asked = true;
        if (sent && !is_sent(server, path)) {
            send_diagnostics(server, path, 0, false, STR(""));
        }
        *asked = false;
    }
    *asked = true;
}

void diagnostics_refresh(Server *server)
{
    if (server->facts.takes_refresh && server->facts.offers_pull) {
        server_ask(server, "workspace/diagnostic/refresh", STR(""));
    }
}

/* --- answers to pulls */

/* "kind", "resultId" and "items" of a report. */
static void add_report(Buf *out, Str items, Str previous)
{
    Str id = str_format(out->arena, "%016llx", (unsigned long long)diagnostics_hash(items));
    bool same = str_equal(id, previous);
    buf_addf(out, "\"kind\":\"%s\",\"resultId\":\"%.*s\"", same ? "unchanged" : "full",
             STR_ARG(id));
    if (!same) {
        buf_add(out, STR(",\"items\":"));
        add_items(out, items);
    }
}

static void add_related_documents(Server *server, Buf *out, const StoredFile *main)
{
    bool any = false;
    for (uint32_t i = 0; i < server->store.count && *main->target != '\0'; i++) {
        const StoredFile *file = &server->store.items[i];
        if (file == main || strcmp(file->target, main->target) != 0) {
            continue;
        }
        buf_add(out, any ? STR(",") : STR(",\"relatedDocuments\":{"));
        json_add_string(out, uri_of(server, str_from(file->path)));
        buf_add(out, STR(":{"));
        add_report(out, str_from(file->items), STR(""));
        buf_add_char(out, '}');
        any = true;
    }
    buf_add(out, any ? STR("}") : STR(""));
}

/* Answers a pull for a file with the diagnostics in the store. */
static void diagnostics_answer(Server *server, const char *id, Str path, Str previous)
{
    Buf out = {.arena = &server->arena};
    const StoredFile *file = store_find(&server->store, path);
    buf_add_char(&out, '{');
    add_report(&out, file == NULL ? STR("") : str_from(file->items), previous);
    if (file != NULL && server->facts.takes_related_documents) {
        add_related_documents(server, &out, file);
    }
    buf_add_char(&out, '}');
    server_answer(server, id, buf_str(&out));
}

static void answer_pull(Server *server, const Task *task)
{
    json_t *params = json_read_lenient(&server->arena, str_from(task->params));
    Str previous = str_copy(&server->arena, json_str(params, "previousResultId"));
    json_decref(params);
    diagnostics_answer(server, task->id, str_from(task->path), previous);
}

/* --- what a check has found */

/* The diagnostics of a document whose text could not be kept. */
static Str lost_items(Server *server)
{
    Buf items = {.arena = &server->arena};
    bool zh = server->facts.lang == LANG_ZH;
    plain_diagnostic_add(&items, DIAGNOSTIC_ERROR, (Range){0}, STR("not-checked"),
                         zh ? STR("未检查：文本过大") : STR("not checked: the text is too large"),
                         false);
    return buf_str(&items);
}

/* Stores the diagnostics of one file, and pushes them if it is open or they have changed. */
static void take_file(Server *server, const Task *task, Str path, Str target, Str items)
{
    bool changed = false;
    Watched *watched = watched_find(server, path);
    const OpenDocument *open = documents_by_path(&server->documents, path);
    items = open != NULL && open->lost ? lost_items(server) : items;
    StoredFile *file = store_set(&server->store, path, target, items, &changed);
    if (file == NULL) {
        server->fault = "out of memory";
        return;
    }
    file->fresh = true;
    bool stale = watched != NULL && watched->dirty && watched->since > task->change;
    bool recent = clock_ms() - server->published < MOST_SILENCE_MS;
    if (watched != NULL && !(stale && recent)) {
        publish(server, path, watched->version, true, items);
    } else if (watched == NULL && changed) {
        publish(server, path, 0, false, items);
    }
}

/* Was the open document part of this check? */
static bool is_covered(const Watched *watched, const Task *task, Str target)
{
    bool same = target.length > 0 && watched->target != NULL && str_is(target, watched->target);
    return same || strcmp(watched->path, task->path) == 0;
}

static void take_covered(Server *server, const Task *task, Str target)
{
    for (uint32_t i = 0; i < server->watched_count; i++) {
        Watched *watched = &server->watched[i];
        if (!is_covered(watched, task, target)) {
            continue;
        }
        char *known = strndup(target.at, target.length);
        free(watched->target);
        watched->target = known;
        watched->dirty = watched->dirty && watched->since > task->change;
        const StoredFile *file = store_find(&server->store, str_from(watched->path));
        if (file == NULL || !file->fresh) {
            take_file(server, task, str_from(watched->path), target, STR(""));
        }
    }
}

/* Removes files that no longer have any diagnostics. */
static void drop_stale(Server *server, const Task *task, Str target)
{
    for (uint32_t i = server->store.count; i > 0; i--) {
        StoredFile *file = &server->store.items[i - 1];
        bool same = (target.length > 0 && str_is(target, file->target)) ||
                    strcmp(file->path, task->path) == 0;
        if (same && !file->fresh && watched_find(server, str_from(file->path)) == NULL) {
            publish(server, str_from(file->path), 0, false, STR(""));
            store_drop(&server->store, file);
        } else if (same && file->fresh && *file->items == '\0' &&
                   watched_find(server, str_from(file->path)) == NULL) {
            store_drop(&server->store, file);
        }
    }
}

static void take_check(Server *server, const Task *task, PacketReader *answer)
{
    Str target = packet_text(answer);
    uint64_t count = packet_number(answer);
    for (uint32_t i = 0; i < server->store.count; i++) {
        server->store.items[i].fresh = false;
    }
    for (uint64_t i = 0; i < count && !answer->broken; i++) {
        Str path = packet_text(answer);
        Str items = packet_text(answer);
        take_file(server, task, path, target, items);
    }
    take_covered(server, task, target);
    drop_stale(server, task, target);
    if (task->id != NULL) {
        answer_pull(server, task);
    }
}

void diagnostics_fail(Server *server, const Task *task, const char *how)
{
    Buf items = {.arena = &server->arena};
    Str path = str_from(task->path);
    bool zh = server->facts.lang == LANG_ZH;
    Str message = str_format(&server->arena, zh ? "未检查：%s" : "not checked: %s", how);
    plain_diagnostic_add(&items, DIAGNOSTIC_ERROR, (Range){0}, STR("not-checked"), message, false);
    const Watched *watched = watched_find(server, path);
    Str target = watched == NULL || watched->target == NULL ? STR("") : str_from(watched->target);
    take_file(server, task, path, target, buf_str(&items));
    if (task->id != NULL) {
        answer_pull(server, task);
    }
}

void diagnostics_close(Server *server, Str path, Str target)
{
    for (uint32_t i = 0; i < server->watched_count; i++) {
        const Watched *other = &server->watched[i];
        if (target.length > 0 && other->target != NULL && str_is(target, other->target)) {
            schedule_check(server,
                           str_from(other->path)); /* with the file on disk instead of the text */
            return;
        }
    }
    for (uint32_t i = server->store.count; i > 0; i--) {
        StoredFile *file = &server->store.items[i - 1];
        if (str_is(path, file->path) || (target.length > 0 && str_is(target, file->target))) {
            publish(server, str_from(file->path), 0, false, STR(""));
            store_drop(&server->store, file);
        }
    }
}

/* --- the whole workspace */

/* The result id that the client has for a URI, which is added to `named`. */
static Str previous_id(const json_t *list, Str uri, Strs *named, Arena *arena)
{
    size_t index;
    const json_t *item;
    json_array_foreach(list, index, item)
    {
        if (str_equal(json_str(item, "uri"), uri)) {
            VEC_PUSH(arena, named, uri);
            return json_str(item, "value");
        }
    }
    return STR("");
}

static void add_workspace_file(Server *server, Buf *out, Str uri, Str path, Str items, Str previous)
{
    const OpenDocument *open = documents_by_path(&server->documents, path);
    buf_add(out, out->at[out->length - 1] == '[' ? STR("{\"uri\":") : STR(",{\"uri\":"));
    json_add_string(out, uri);
    buf_add(out, STR(",\"version\":"));
    buf_add(out,
            open == NULL ? STR("null") : str_format(out->arena, "%lld", (long long)open->version));
    buf_add_char(out, ',');
    add_report(out, items, previous);
    buf_add_char(out, '}');
}

static void take_workspace(Server *server, const Task *task, PacketReader *answer)
{
    Arena *arena = &server->arena;
    Buf out = {.arena = arena};
    Strs named = {0};
    json_t *params = json_read_lenient(arena, str_from(task->params));
    const json_t *previous = json_object_get(params, "previousResultIds");
    packet_text(answer);
    uint64_t count = packet_number(answer);
    buf_add(&out, STR("{\"items\":["));
    for (uint64_t i = 0; i < count && !answer->broken; i++) {
        Str path = packet_text(answer);
        Str items = packet_text(answer);
        Str uri = uri_of(server, path);
        if (path.length > 0) {
            Str known = previous_id(previous, uri, &named, arena);
            add_workspace_file(server, &out, uri, path, items, known);
        }
    }
    size_t index;
    const json_t *item;
    json_array_foreach(previous, index, item)
    {
        Str uri = json_str(item, "uri");
        if (uri.length > 0 && !strs_have(&named, uri)) { /* nothing was found there this time */
            Str path = uri_path(arena, uri);
            add_workspace_file(server, &out, uri, path, STR(""), json_str(item, "value"));
        }
    }
    buf_add(&out, STR("]}"));
    server_answer(server, task->id, buf_str(&out));
    json_decref(params);
}

void diagnostics_take(Server *server, const Task *task, PacketReader *answer)
{
    PacketReader items = *answer;
    if (task->kind == JOB_FOLDERS) {
        take_workspace(server, task, &items);
    } else {
        take_check(server, task, &items);
    }
}
