/* Checks: the findings of an operator, a file or whole folders as diagnostics, file by file. */
#include "base/path.h"
#include "report/report_common.h"
#include "server/linting.h"

/* The diagnostics of one file so far: the items of a JSON list. */
typedef struct FileItems {
    Str path;
    Buf items;
} FileItems;

typedef struct Check {
    Linting linting;
    Map numbers;
    VEC(FileItems) files;
} Check;

static Buf *items_of(Check *check, Str path)
{
    Arena *arena = check->linting.work->arena;
    uint32_t number = map_find(&check->numbers, path);
    if (number == MAP_NONE) {
        Str own = str_copy(arena, path);
        FileItems file = {own, {.arena = arena}};
        number = map_add(&check->numbers, arena, own);
        VEC_PUSH(arena, &check->files, file);
    }
    Buf *items = &check->files.items[number].items;
    if (items->length > 0) {
        buf_add_char(items, ',');
    }
    return items;
}

static void take_operator(Check *check, const OperatorResult *op)
{
    for (uint32_t i = 0; i < op->findings.count; i++) {
        const Finding *finding = op->findings.items[i];
        Str path = linting_path(&check->linting, op, finding->file);
        diagnostic_add(&check->linting, items_of(check, path), op, finding);
    }
}

/* Shows what was not checked, so that it does not pass for clean, and comments that have no
 * effect. */
static void take_notice(Check *check, const Notice *notice, Str fallback)
{
    const RunResult *result = check->linting.result;
    Work *work = check->linting.work;
    bool nothing = str_equal(notice->message, result->nothing);
    if (nothing || (!notice->is_error && notice->line == 0)) {
        return;
    }
    Str path = notice->file.length == 0 ? fallback : path_absolute(work->arena, notice->file);
    if (path.length == 0 || !file_is_regular(str_dup(work->arena, path))) {
        path = fallback;
    }
    Region line = {notice->line, 1, notice->line, UINT32_MAX};
    Range range = linting_range(&check->linting, path, line);
    Str message = notice->message;
    if (notice->is_error) {
        message =
            str_format(work->arena, "%s%.*s", words(result->lang, "not checked: ", "未检查："),
                       STR_ARG(notice->message));
    }
    plain_diagnostic_add(items_of(check, path),
                         notice->is_error ? DIAGNOSTIC_ERROR : DIAGNOSTIC_HINT, range,
                         notice->is_error ? STR("not-checked") : STR("suppression"), message,
                         !notice->is_error && work->facts->takes_unnecessary);
}

/* The operator directory that was checked; empty for a loose file, for several and for none. */
static Str target_of(Check *check)
{
    const RunResult *result = check->linting.result;
    if (result->operators.count != 1 || result->operators.items[0]->loose) {
        return STR("");
    }
    return path_absolute(check->linting.work->arena, result->operators.items[0]->op_dir);
}

static void check_places(Work *work, Strs places, Str fallback)
{
    Check check = {0};
    Request request = linting_request(work, places);
    linting_begin(&check.linting, work, &request);
    const RunResult *result = check.linting.result;
    for (uint32_t i = 0; i < result->operators.count; i++) {
        take_operator(&check, result->operators.items[i]);
    }
    for (uint32_t i = 0; i < result->notices.count; i++) {
        take_notice(&check, &result->notices.items[i], fallback);
    }
    packet_add(work->out, target_of(&check));
    packet_add_number(work->out, check.files.count);
    for (uint32_t i = 0; i < check.files.count; i++) {
        packet_add(work->out, check.files.items[i].path);
        packet_add(work->out, buf_str(&check.files.items[i].items));
    }
    linting_end(&check.linting);
}

void check_file_job(Work *work)
{
    Strs places = {0};
    VEC_PUSH(work->arena, &places, work->path);
    check_places(work, places, work->path);
}

void check_folders_job(Work *work)
{
    Strs places = {0};
    size_t index;
    const json_t *folder;
    json_array_foreach(json_object_get(work->params, "folders"), index, folder)
    {
        Str path = str_from(json_is_string(folder) ? json_string_value(folder) : "");
        if (path.length > 0 && file_is_directory(path.at)) {
            VEC_PUSH(work->arena, &places, path);
        }
    }
    if (places.count > 0) {
        check_places(work, places, STR(""));
    } else {
        packet_add(work->out, STR(""));
        packet_add_number(work->out, 0);
    }
}
