/* Operator: files of one operator directory, read and parsed once. */
#include "operator/operator.h"

#include "base/fence.h"
#include "base/utf8.h"
#include "operator/state.h"
#include "operator/text.h"

Str phase_suffix(Arena *arena, int phase)
{
    Buf suffix = {.arena = arena};
    buf_add(&suffix, STR(""));
    for (int i = 1; i <= phase; i++) {
        buf_addf(&suffix, "%d", i);
    }
    return buf_str(&suffix);
}

Str operator_artifact(const Operator *op, FileKind kind)
{
    return artifact_file(op->arena, kind, op->name);
}

Str operator_module(const Operator *op, FileKind kind, Str suffix)
{
    return artifact_module(op->arena, kind, op->name, suffix);
}

static const char *full_path(const Operator *op, Str path)
{
    return path_join(op->arena, op->dir, path).at;
}

FileStatus operator_read_again(Operator *op, Str path, Str *text, Str *reason)
{
    if (op->fence.length == 0) {
        op->fence = fence_of(op->arena, op->dir);
    }
    return fence_read(op->arena, op->fence, full_path(op, path), op->max_file, text, reason);
}

FileStatus operator_read(Operator *op, Str path, Str *text, Str *reason)
{
    uint32_t number = map_find(&op->read, path);
    if (number != MAP_NONE) {
        *text = op->texts.items[number];
        return FILE_OK;
    }
    FileStatus status = operator_read_again(op, path, text, reason);
    if (status == FILE_OK) {
        map_add(&op->read, op->arena, str_copy(op->arena, path));
        VEC_PUSH(op->arena, &op->texts, *text);
    }
    return status;
}

bool operator_has_file(const Operator *op, Str path)
{
    return file_is_regular(full_path(op, path));
}

/* A file that exists but cannot be read is unparsable, not absent: a gate must not take it for
 * missing. */
static void refuse(PyFile *file, Arena *arena, Str path, Str reason)
{
    *file = (PyFile){.arena = arena};
    file->parsed.status = PARSE_ERROR;
    source_init(&file->parsed.source, arena, path, STR(""));
    SyntaxError error = {0, 0, str_format(arena, "cannot be read: %.*s", STR_ARG(reason)),
                         str_format(arena, "无法读取：%.*s", STR_ARG(reason))};
    VEC_PUSH(arena, &file->parsed.errors, error);
}

static PyFile *add_python(Operator *op, Str path, FileStatus status, Str text, Str reason)
{
    Str own_path = str_copy(op->arena, path);
    PyFile *file = ARENA_NEW(op->arena, PyFile);
    switch (status) {
    case FILE_OK:
        pyfile_init(file, op->arena, own_path, text);
        if (!op->upstream) {
            pyfile_accept_aliases(file);
        }
        break;
    case FILE_MISSING:
    case FILE_NOT_REGULAR:
        pyfile_init(file, op->arena, own_path, STR(""));
        break;
    case FILE_TOO_LARGE:
        reason = str_format(op->arena, "larger than %zu bytes", op->max_file);
        refuse(file, op->arena, own_path, reason);
        break;
    case FILE_ERROR:
        refuse(file, op->arena, own_path, reason);
        break;
    }
    VEC_PUSH(op->arena, &op->python, file);
    return file;
}

PyFile *operator_python(Operator *op, Str path)
{
    for (uint32_t i = 0; i < op->python.count; i++) {
        if (str_equal(pyfile_path(op->python.items[i]), path)) {
            return op->python.items[i];
        }
    }
    Str text = STR("");
    Str reason = STR("");
    FileStatus status = operator_read(op, path, &text, &reason);
    return add_python(op, path, status, text, reason);
}

PyFile *operator_python_text(Operator *op, Str path, Str text)
{
    bool large = text.length > op->max_file;
    return add_python(op, path, large ? FILE_TOO_LARGE : FILE_OK, text, STR(""));
}

static Document *add_document(Operator *op, Str path, FileStatus status, Str text)
{
    Document *document = ARENA_NEW(op->arena, Document);
    document->path = str_copy(op->arena, path);
    document->exists = status == FILE_OK || status == FILE_TOO_LARGE ||
                       (status == FILE_ERROR && file_exists(full_path(op, path)));
    document->readable = status == FILE_OK && utf8_first_error(text) == SIZE_MAX;
    document->text = document->readable ? text_with_line_feeds(op->arena, text) : STR("");
    source_init(&document->source, op->arena, document->path, document->text);
    /* A BOM belongs to a document's text. */
    document->source.text_start = 0;
    VEC_PUSH(op->arena, &op->documents, document);
    return document;
}

Document *operator_document(Operator *op, Str path)
{
    for (uint32_t i = 0; i < op->documents.count; i++) {
        if (str_equal(op->documents.items[i]->path, path)) {
            return op->documents.items[i];
        }
    }
    if (op->state != NULL && op->state->text.at != NULL && str_is(path, STATE_PATH)) {
        return operator_document_text(op, path, op->state->text);
    }
    Str text = STR("");
    FileStatus status = operator_read(op, path, &text, NULL);
    return add_document(op, path, status, text);
}

Document *operator_document_text(Operator *op, Str path, Str text)
{
    return add_document(op, path, text.length > op->max_file ? FILE_TOO_LARGE : FILE_OK, text);
}

Strs operator_modules(Operator *op, Str prefix, Str suffix)
{
    Strs paths = {0};
    DirEntries entries;
    if (!directory_list(op->arena, full_path(op, STR("modules")), &entries)) {
        return paths;
    }
    for (uint32_t i = 0; i < entries.count; i++) {
        Str name = entries.items[i].name;
        if (name.length >= prefix.length && str_starts(name, prefix) && str_ends(name, suffix)) {
            Str path = str_format(op->arena, "modules/%.*s", STR_ARG(name));
            VEC_PUSH(op->arena, &paths, path);
        }
    }
    return paths;
}
