/* Unchecked files and folders; see unchecked.h. */
#include "lint/unchecked.h"

#include "base/io_error.h"
#include "base/utf8.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

/* What the rules saw and what is there now differ: the verdict may be that of an empty text. */
static void note_change(Notices *notices, Str path)
{
    notice_add(notices, path, true, "changed while it was being checked: check again",
               "检查期间发生变化：请重新检查");
}

/* Reads the file once more, or what was given in its place. */
static FileStatus read_again(Operator *op, Str path, const TextSource *given, Str *text,
                             Str *reason)
{
    if (given != NULL && str_equal(path, op->file)) {
        *text = given->text;
        return text->length > op->max_file ? FILE_TOO_LARGE : FILE_OK;
    }
    return operator_read_again(op, path, text, reason);
}

/* Says why a file could not be used. */
static void note_file(Notices *notices, Operator *op, Str path, const TextSource *given, bool gate)
{
    Str text = STR("");
    Str reason = STR("");
    switch (read_again(op, path, given, &text, &reason)) {
    case FILE_TOO_LARGE:
        notice_add(notices, path, gate, "not checked: larger than %zu bytes (max-file-size)",
                   "未检查：超过 %zu 字节 (max-file-size)", op->max_file);
        break;
    case FILE_OK: {
        size_t offset = utf8_first_error(text);
        if (offset == SIZE_MAX) {
            if (gate) {
                note_change(notices, path);
            }
            break; /* readable by now; elsewhere the next run sees it */
        }
        notice_add(notices, path, gate, "not checked: not UTF-8 at byte %zu",
                   "未检查：字节 %zu 处不是 UTF-8", offset);
        break;
    }
    case FILE_ERROR:
        notice_add(notices, path, true, "cannot be read: %.*s", "无法读取：%.*s", STR_ARG(reason));
        break;
    case FILE_MISSING:
    case FILE_NOT_REGULAR:
        if (gate) {
            note_change(notices, path);
        }
        break;
    }
}

/* A folder that cannot be listed looks like an empty one to the rules. */
static void note_folder(Notices *notices, Operator *op, Str path)
{
    const char *full =
        path.length == 0 ? str_dup(op->arena, op->dir) : path_join(op->arena, op->dir, path).at;
    if (!file_is_directory(full) || access(full, R_OK | X_OK) == 0) {
        return;
    }
    Str reason = system_reason(op->arena, errno);
    notice_add(notices, path.length == 0 ? STR(".") : path, true, "cannot be read: %.*s",
               "无法读取：%.*s", STR_ARG(reason));
}

/* A file that the rules took for missing, and that is there by now with something in it. */
static void note_late(Notices *notices, Operator *op, Str path)
{
    struct stat info;
    const char *full = path_join(op->arena, op->dir, path).at;
    if (stat(full, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0) {
        note_change(notices, path);
    }
}

void note_unchecked(Notices *notices, Operator *op, const TextSource *text, bool gate)
{
    for (uint32_t i = 0; i < op->python.count; i++) {
        const Parsed *parsed = &op->python.items[i]->parsed;
        /* A text that was read has no errors without a byte in it. */
        if (parsed->status == PARSE_ERROR && parsed->source.text.length == 0) {
            note_file(notices, op, parsed->source.path, text, gate);
        } else if (gate && parsed->status == PARSE_ABSENT) {
            note_late(notices, op, parsed->source.path);
        }
    }
    for (uint32_t i = 0; i < op->documents.count; i++) {
        const Document *document = op->documents.items[i];
        if (document->exists && !document->readable) {
            note_file(notices, op, document->path, text, gate);
        } else if (gate && !document->exists) {
            note_late(notices, op, document->path);
        }
    }
    if (!op->loose) {
        note_folder(notices, op, STR(""));
        note_folder(notices, op, STR("eval"));
    }
    if (op->scope != SCOPE_FILE) {
        note_folder(notices, op, STR("modules"));
    }
}
