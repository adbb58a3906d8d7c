/* Runs jobs in a worker; see job.h. */
#include "server/job.h"

#include "base/fence.h"
#include "base/io_error.h"
#include "base/overlay.h"
#include "base/path.h"
#include "python/parse_memory.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static JobFunction *const functions[JOB_KINDS] = {
    [JOB_CHECK] = check_file_job,
    [JOB_FOLDERS] = check_folders_job,
    [JOB_CODE_ACTION] = code_action_job,
    [JOB_HOVER] = hover_job,
    [JOB_COMPLETION] = completion_job,
    [JOB_SIGNATURE] = signature_job,
    [JOB_INLAY] = inlay_job,
    [JOB_DEFINITION] = definition_job,
    [JOB_LINKS] = links_job,
};

/* --- packets */

void job_packet(Buf *out, const Documents *documents, uint64_t known, JobKind kind, Str path,
                Str params)
{
    packet_begin(out);
    packet_add_number(out, documents->count);
    for (uint32_t i = 0; i < documents->count; i++) {
        const OpenDocument *document = &documents->items[i];
        bool changed = document->change > known;
        packet_add(out, str_from(document->uri));
        packet_add(out, str_from(document->path));
        packet_add_number(out, (uint64_t)document->version);
        packet_add_number(out, changed);
        packet_add(out, changed ? text_str(&document->text) : STR(""));
    }
    packet_add_number(out, kind);
    packet_add(out, path);
    packet_add(out, params);
    packet_end(out);
}

/* Updates the open documents and the overlay with their texts; closed ones are removed from
 * both. */
static void take_documents(Arena *arena, Documents *own, PacketReader *reader)
{
    uint64_t count = packet_number(reader);
    Strs open = {0};
    for (uint64_t i = 0; i < count && !reader->broken; i++) {
        Str uri = packet_text(reader);
        Str path = packet_text(reader);
        int64_t version = (int64_t)packet_number(reader);
        bool changed = packet_number(reader) != 0;
        Str text = packet_text(reader);
        VEC_PUSH(arena, &open, uri);
        OpenDocument *known = documents_by_uri(own, uri);
        if (known == NULL) { /* the text is in the overlay only */
            known = documents_open(own, uri, path, version, STR(""));
        }
        if (known == NULL || (changed && !overlay_put(path, text))) {
            arena_fail(arena);
        }
        known->version = version;
    }
    for (uint32_t i = own->count; i > 0; i--) {
        OpenDocument *document = &own->items[i - 1];
        if (!strs_have(&open, str_from(document->uri))) {
            overlay_drop(str_from(document->path));
            documents_close(own, document);
        }
    }
}

/* --- the process */

static bool read_bytes(int channel, char *to, size_t count)
{
    while (count > 0) {
        ssize_t got = read(channel, to, count);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return false;
        }
        to += got;
        count -= (size_t)got;
    }
    return true;
}

static bool write_bytes(int channel, Str bytes)
{
    while (bytes.length > 0) {
        ssize_t wrote = write(channel, bytes.at, bytes.length);
        if (wrote < 0 && errno == EINTR) {
            continue;
        }
        if (wrote < 0) {
            return false;
        }
        bytes = str_slice(bytes, (size_t)wrote, bytes.length);
    }
    return true;
}

typedef struct Turn {
    Arena *arena;
    const ClientFacts *facts;
    Documents *own;
    Str packet;
    Buf out, answer;
    json_t *params;
    bool last; /* the worker ends after this one */
} Turn;

/* Does one job: from a packet's bytes to those of the answer. */
static void take_turn(void *argument)
{
    Turn *turn = argument;
    PacketReader reader = {turn->packet, false};
    take_documents(turn->arena, turn->own, &reader);
    uint64_t kind = packet_number(&reader);
    Str path = packet_text(&reader);
    Str params = packet_text(&reader);
    if (reader.broken || kind >= JOB_KINDS) {
        _exit(2);
    }
    turn->params = params.length == 0 ? NULL : json_read_lenient(turn->arena, params);
    Work work = {turn->arena,  turn->facts,  turn->own, str_copy(turn->arena, path),
                 turn->params, &turn->answer};
    functions[kind](&work);
    io_error_drop();
    packet_begin(&turn->out);
    packet_add(&turn->out, buf_str(&turn->answer));
    /* A job that captured writes has changed its copies of the client's texts. */
    turn->last = turn->last || overlay_captures();
    packet_add_number(&turn->out, turn->last);
    packet_end(&turn->out);
}

/* After so many jobs a worker is replaced, which frees whatever libraries have kept. */
enum { MOST_TURNS = 4000 };

void job_loop(int in, int out, const ClientFacts *facts, const Documents *documents)
{
    Arena arena;
    Documents own = {0};
    for (uint32_t i = 0; i < documents->count; i++) {
        const OpenDocument *open = &documents->items[i];
        if (documents_open(&own, str_from(open->uri), str_from(open->path), open->version,
                           STR("")) == NULL ||
            !overlay_put(str_from(open->path), text_str(&open->text))) {
            _exit(2);
        }
    }
    bool last = false;
    parse_memory_begin();
    for (int turns = 1; !last; turns++) {
        char head[PACKET_HEAD];
        arena_init(&arena, 0);
        if (!read_bytes(in, head, sizeof head)) {
            _exit(0);
        }
        Turn turn = {.arena = &arena, .facts = facts, .own = &own, .last = turns >= MOST_TURNS};
        size_t length = packet_length(head);
        turn.out.arena = turn.answer.arena = &arena;
        char *packet = malloc(length + 1);
        if (packet == NULL || !read_bytes(in, packet, length)) {
            _exit(2);
        }
        turn.packet = (Str){packet, length};
        bool good = arena_try(&arena, take_turn, &turn);
        json_decref(turn.params);
        free(packet);
        if (!good || !write_bytes(out, buf_str(&turn.out))) {
            _exit(JOB_NO_MEMORY); /* the server sees it, and says "not checked" */
        }
        last = turn.last;
        arena_free(&arena);
    }
    _exit(0);
}

/* --- what jobs share */

bool work_source(Work *work, Str path, Source *source)
{
    Str text, error = STR("");
    Str fence = fence_of(work->arena, path_folder(path));
    FileStatus status =
        fence_read(work->arena, fence, str_dup(work->arena, path), TEXT_MOST_BYTES, &text, &error);
    source_init(source, work->arena, path, status == FILE_OK ? text : STR(""));
    return status == FILE_OK;
}

Str work_uri(Work *work, Str path)
{
    const OpenDocument *open = documents_by_path(work->documents, path);
    return open != NULL ? str_from(open->uri) : uri_of_path(work->arena, path);
}

static uint32_t number_at(const json_t *object, const char *key)
{
    uint64_t number = json_count_at(object, key);
    return number > UINT32_MAX ? UINT32_MAX : (uint32_t)number;
}

Position work_position(const json_t *position)
{
    return (Position){number_at(position, "line"), number_at(position, "character")};
}

Range work_range(const json_t *object, const char *key)
{
    const json_t *range = json_object_get(object, key);
    return (Range){work_position(json_object_get(range, "start")),
                   work_position(json_object_get(range, "end"))};
}

uint32_t work_offset(const Work *work, const Source *source)
{
    Position position = work_position(json_object_get(work->params, "position"));
    return position_offset(source, position, work->facts->encoding);
}

void work_add_range(Buf *out, Range range)
{
    buf_addf(out,
             "{\"start\":{\"line\":%u,\"character\":%u},\"end\":{\"line\":%u,\"character\":%u}}",
             range.start.line, range.start.character, range.end.line, range.end.character);
}
