/* Verification log; see verification_log.h. */
#include "harness/report/verification_log.h"

#include "base/fence.h"
#include "base/path.h"
#include "base/utf8.h"
#include "harness/verify.h"
#include "operator/markdown.h"
#include "operator/text.h"

#include <time.h>

enum { MOST_BYTES = 16 << 20, MOST_CELL = 100 };

/* --- the table */

/* The bar at the end may be missing. */
static bool is_row(Str line)
{
    return line.length > 1 && line.at[0] == '|';
}

/* The cells of a trimmed row; `\|` is part of a cell. */
static Strs read_cells(Arena *arena, Str row)
{
    Strs cells = {0};
    Buf cell = {.arena = arena};
    for (size_t i = 1; i < row.length; i++) {
        if (row.at[i] == '|') {
            VEC_PUSH(arena, &cells, text_trim(buf_str(&cell)));
            cell = (Buf){.arena = arena};
            continue;
        }
        i += row.at[i] == '\\' && i + 1 < row.length && row.at[i + 1] == '|';
        buf_add_char(&cell, row.at[i]);
    }
    if (cell.length > 0) { /* there is no bar at the end, or it belongs to the cell */
        VEC_PUSH(arena, &cells, text_trim(buf_str(&cell)));
    }
    return cells;
}

static bool is_rule(const Strs *cells)
{
    for (uint32_t i = 0; i < cells->count; i++) {
        Str cell = cells->items[i];
        for (size_t k = 0; k < cell.length; k++) {
            if (cell.at[k] != '-' && cell.at[k] != ':') {
                return false;
            }
        }
        if (cell.length == 0) {
            return false;
        }
    }
    return cells->count > 0;
}

static void add_run(VerificationLog *log, Arena *arena, Strs cells, uint32_t line)
{
    bool empty = true;
    for (uint32_t i = 0; i < cells.count; i++) {
        empty = empty && cells.items[i].length == 0;
    }
    if (cells.count == log->head.count && !empty) {
        VEC_PUSH(arena, &log->rows, (LogRow){cells});
    } else {
        VEC_PUSH(arena, &log->odd_lines, line);
    }
}

/* The first table of the section, which ends at the first line that is not a row. */
static void read_table(VerificationLog *log, Arena *arena, Str section, uint32_t number)
{
    Str line;
    for (size_t at = 0; text_next_line(section, &at, &line); number++) {
        Str row = text_trim(line);
        if (!is_row(row)) {
            if (log->found) {
                return;
            }
            log->head.count = 0;
            continue;
        }
        Strs cells = read_cells(arena, row);
        if (log->head.count == 0) {
            log->head = cells;
        } else if (!log->found) {
            log->found = is_rule(&cells);
        } else {
            add_run(log, arena, cells, number);
        }
        log->end = (size_t)(section.at - log->text.at) + at;
    }
}

static VerificationLog parse(Arena *arena, Str text)
{
    VerificationLog log = {.text = text};
    Section section = markdown_section(text, 1, STR(VERIFICATION_LOG_NAME));
    if (section.line > 0) {
        read_table(&log, arena, section.raw, section.first_line);
    }
    return log;
}

bool verification_log_read(Arena *arena, Str op_dir, VerificationLog *log, Str *error)
{
    *log = (VerificationLog){.text = STR("")};
    Str path = path_join(arena, op_dir, STR(MEMORY_PATH));
    FileStatus status =
        fence_read(arena, fence_of(arena, op_dir), path.at, MOST_BYTES, &log->text, error);
    if (status != FILE_OK) {
        *error = status == FILE_MISSING       ? STR("there is no such file")
                 : status == FILE_TOO_LARGE   ? STR("it is larger than 16 MiB")
                 : status == FILE_NOT_REGULAR ? STR("it is not a regular file")
                                              : *error;
        return false;
    }
    *log = parse(arena, log->text);
    return true;
}

/* --- the row */

typedef struct Row {
    Arena *arena;
    const Verification *verification;
    int64_t seconds;
} Row;

typedef Str CellMaker(const Row *row);

static Str time_cell(const Row *row)
{
    char text[32] = "";
    struct tm parts;
    time_t now = (time_t)row->seconds;
    if (gmtime_r(&now, &parts) != NULL) {
        strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &parts);
    }
    return str_format(row->arena, "%s", text);
}

static Str phase_cell(const Row *row)
{
    return str_format(row->arena, "M%u", row->verification->module);
}

static Str status_cell(const Row *row)
{
    return str_from(verdict_name(row->verification->judgement.status));
}

static Str cases_cell(const Row *row)
{
    const Judgement *judgement = &row->verification->judgement;
    return str_format(row->arena, "%zu/%zu", judgement->passed, judgement->count);
}

static Str modes_cell(const Row *row)
{
    Buf out = {.arena = row->arena};
    for (Mode mode = 0; mode < MODE_COUNT; mode++) {
        if (row->verification->modes[mode]) {
            buf_addf(&out, "%s%s %s", out.length > 0 ? ", " : "", mode_name(mode),
                     verdict_name(row->verification->judgement.modes[mode]));
        }
    }
    return buf_str(&out);
}

/* The largest over all cases; "-" when one of them has none although it was compared. */
static Str largest_cell(const Row *row, bool relative)
{
    const Judgement *judgement = &row->verification->judgement;
    Largest largest = {0};
    for (size_t i = 0; i < judgement->count; i++) {
        const Check *check = &judgement->checks[i];
        largest_add(&largest, relative ? check->max_rel_diff : check->max_abs_diff,
                    check->nonfinite);
    }
    return largest.metric.known ? str_format(row->arena, "%.3g", largest.metric.value) : STR("-");
}

static Str absolute_cell(const Row *row)
{
    return largest_cell(row, false);
}

static Str relative_cell(const Row *row)
{
    return largest_cell(row, true);
}

static Str failure_cell(const Row *row)
{
    const FirstFailure *first = &row->verification->judgement.first;
    if (!first->present) {
        return STR("-");
    }
    Str id = first->result == NULL ? STR("run") : first->result->source->id;
    return str_format(row->arena, "%.*s: %s", STR_ARG(id), category_name(first->category));
}

static Str kernel_cell(const Row *row)
{
    Str hash = row->verification->hashes.kernel;
    return hash.length == 0 ? STR("-") : str_slice(hash, 0, 12);
}

static Str file_cell(const Row *row)
{
    return row->verification->impl_file;
}

/* Words of a column's head, lower case. The first row that fits counts: "max rel diff" is not the
 * absolute one. */
static const struct {
    const char *words[5];
    CellMaker *make;
} columns[] = {
    {{"time", "date", "when", "时间", "日期"}, time_cell},
    {{"phase", "module", "阶段", "模块"}, phase_cell},
    {{"rel", "相对"}, relative_cell},
    {{"abs", "diff", "error", "误差", "差"}, absolute_cell},
    {{"failure", "categor", "note", "失败", "备注"}, failure_cell},
    {{"kernel", "hash"}, kernel_cell},
    {{"impl", "file", "文件"}, file_cell},
    {{"case", "用例"}, cases_cell},
    {{"mode", "模式"}, modes_cell},
    {{"status", "result", "verdict", "状态", "结果"}, status_cell},
};

static CellMaker *maker_of(Str head)
{
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        for (size_t k = 0; k < 5 && columns[i].words[k] != NULL; k++) {
            if (text_contains_folded(head, str_from(columns[i].words[k]))) {
                return columns[i].make;
            }
        }
    }
    return NULL;
}

/* Adds a cell with its bar; no text in it can end the row or the table. */
static void add_cell(Buf *out, Str text)
{
    buf_add(out, STR(" "));
    size_t at = 0;
    while (at < text.length && at < MOST_CELL) {
        size_t start = at;
        uint32_t c = utf8_next(text, &at);
        if (c == '|') {
            buf_add_char(out, '\\');
        }
        buf_add(out, c < ' ' || c == 0x7F ? STR(" ") : str_slice(text, start, at));
    }
    buf_add(out, at < text.length ? STR("… |") : STR(" |"));
}

static void add_row(Buf *out, const Row *row, const Strs *head)
{
    buf_add_char(out, '|');
    for (uint32_t i = 0; i < head->count; i++) {
        CellMaker *make = maker_of(head->items[i]);
        add_cell(out, make == NULL ? STR("-") : make(row));
    }
}

/* --- the file */

static Str line_end_of(Str text)
{
    return str_contains(text, STR("\r\n")) ? STR("\r\n") : STR("\n");
}

/* Adds lines in the file's own line ends. */
static void add_lines(Buf *out, Str lines, Str line_end)
{
    Str line;
    for (size_t at = 0; text_next_line(lines, &at, &line);) {
        buf_add(out, line);
        buf_add(out, line_end);
    }
}

/* The text with an empty table below its heading, or with a heading at the end of the file. */
static Str with_table(Arena *arena, Str text)
{
    Section section = markdown_section(text, 1, STR(VERIFICATION_LOG_NAME));
    size_t end =
        section.line == 0 ? text.length : (size_t)(section.raw.at - text.at) + section.raw.length;
    Str before = str_slice(text, 0, end), after = str_slice(text, end, text.length);
    Str line_end = line_end_of(text);
    Buf out = {.arena = arena};
    buf_add(&out, before);
    if (before.length > 0) { /* a blank line before the table */
        buf_add(&out, str_ends(before, STR("\n")) ? STR("") : line_end);
        Str two = str_format(arena, "%.*s%.*s", STR_ARG(line_end), STR_ARG(line_end));
        buf_add(&out, str_ends(before, two) ? STR("") : line_end);
    }
    add_lines(&out, section.line == 0 ? STR(VERIFICATION_LOG_HEAD) : STR(VERIFICATION_LOG_TABLE),
              line_end);
    buf_add(&out, after.length > 0 ? line_end : STR(""));
    buf_add(&out, after);
    return buf_str(&out);
}

/* Reads it; false, with the reason, when a row cannot be added. */
static bool open_log(Arena *arena, Str op_dir, VerificationLog *log, Str *error)
{
    if (!verification_log_read(arena, op_dir, log, error)) {
        return false;
    }
    if (!log->found) {
        *log = parse(arena, with_table(arena, log->text));
    }
    bool known = false;
    for (uint32_t i = 0; i < log->head.count && log->found; i++) {
        known = known || maker_of(log->head.items[i]) != NULL;
    }
    if (!known) {
        *error = STR(
            "no column of its table of runs is known; replace the table with this one and run again:\n\n" VERIFICATION_LOG_TABLE);
    }
    return known;
}

bool verification_log_check(Arena *arena, Str op_dir, Str *error)
{
    VerificationLog log;
    return open_log(arena, op_dir, &log, error);
}

bool verification_log_append(const Verification *verification, int64_t seconds, Str *error)
{
    Arena *arena = verification->arena;
    VerificationLog log;
    if (!open_log(arena, verification->op_dir, &log, error)) {
        return false;
    }
    bool ended = log.text.at[log.end - 1] == '\n';
    Str line_end = line_end_of(str_slice(log.text, 0, log.end));
    Buf out = {.arena = arena};
    buf_add(&out, str_slice(log.text, 0, log.end));
    buf_add(&out, ended ? STR("") : line_end);
    add_row(&out, &(Row){arena, verification, seconds}, &log.head);
    buf_add(&out, ended ? line_end : STR(""));
    buf_add(&out, str_slice(log.text, log.end, log.text.length));
    Str path = path_join(arena, verification->op_dir, STR(MEMORY_PATH));
    return fence_write(arena, fence_of(arena, verification->op_dir), path.at, buf_str(&out), error);
}
