/* Writing suppressing comments; see suppress_add.h. */
#include "lint/suppress_add.h"

#include "base/ascii.h"
#include "lint/statement_lines.h"

/* The comments of one file: one for each statement, and one for the whole file (line 0). */
typedef struct Wanted {
    uint32_t line; /* that it goes above */
    bool whole_file;
    Strs rules;
} Wanted;

typedef struct Adding {
    Unit *unit;
    const PyFile *file;
    StatementList statements;
    VEC(Wanted) list;
} Adding;

/* The first line that may hold code: what names the interpreter or the encoding stays above. */
static uint32_t first_free_line(const Source *source)
{
    uint32_t line = 1;
    while (line <= 2 && line < source->line_count) {
        Str text = str_trim(source_line_text(source, line));
        bool interpreter = line == 1 && str_starts(text, STR("#!"));
        bool encoding = str_starts(text, STR("#")) && str_contains(text, STR("coding"));
        if (!interpreter && !encoding) {
            break;
        }
        line++;
    }
    return line;
}

static bool add_finding(Adding *adding, const Finding *finding)
{
    Arena *arena = &adding->unit->arena;
    uint32_t line = finding->region.line;
    const StatementLines *statement = line == 0 ? NULL : statement_on(&adding->statements, line);
    if (finding->rule->severity == S0 || (line > 0 && statement == NULL)) {
        return false;
    }
    Wanted wanted = {.whole_file = line == 0};
    wanted.line = line == 0 ? first_free_line(&adding->file->parsed.source) : statement->first;
    uint32_t at = 0;
    while (at < adding->list.count && (adding->list.items[at].line != wanted.line ||
                                       adding->list.items[at].whole_file != wanted.whole_file)) {
        at++;
    }
    if (at == adding->list.count) {
        VEC_PUSH(arena, &adding->list, wanted);
    }
    Strs *rules = &adding->list.items[at].rules;
    Str id = str_from(finding->rule->id);
    if (!strs_have(rules, id)) {
        VEC_PUSH(arena, rules, id);
    }
    return true;
}

static void add_edit(Adding *adding, Wanted *wanted, Str reason)
{
    Arena *arena = &adding->unit->arena;
    const Source *source = &adding->file->parsed.source;
    Str line = source_line_text(source, wanted->line);
    uint32_t start = source->line_starts[wanted->line - 1];
    start = start < source->text_start ? source->text_start : start;
    uint32_t indent = start;
    while (indent < source->text.length && is_blank(source->text.at[indent])) {
        indent++;
    }
    size_t line_end = str_find(source->text, STR("\n"), start);
    bool crlf = line_end != SIZE_MAX && line_end > 0 && source->text.at[line_end - 1] == '\r';
    Buf text = {.arena = arena};
    if (!wanted->whole_file && line.length > 0) {
        buf_add(&text, source_slice(source, start, indent));
    }
    strs_sort_unique(&wanted->rules);
    buf_addf(&text, "# pypto-lint: %s[", wanted->whole_file ? "ignore-file" : "ignore");
    for (uint32_t i = 0; i < wanted->rules.count; i++) {
        buf_addf(&text, "%s%.*s", i == 0 ? "" : ", ", STR_ARG(wanted->rules.items[i]));
    }
    buf_addf(&text, "] %.*s%s", STR_ARG(reason), crlf ? "\r\n" : "\n");
    SuppressionEdit entry = {.file = adding->file};
    entry.edit = (Edit){.start = start,
                        .end = start,
                        .region = {wanted->line, 1, wanted->line, 1},
                        .text = buf_str(&text)};
    VEC_PUSH(arena, &adding->unit->suppression_edits, entry);
}

static uint32_t add_file(Unit *unit, const PyFile *file, Str reason)
{
    Adding adding = {.unit = unit, .file = file};
    uint32_t left = 0;
    if (file->parsed.status != PARSE_ERROR) {
        statement_lines_read(&adding.statements, &unit->arena, file->parsed.module);
    }
    for (uint32_t i = 0; i < unit->result.findings.count; i++) {
        const Finding *finding = unit->result.findings.items[i];
        if (unit->loose || str_equal(finding->file, pyfile_path(file))) {
            left += file->parsed.status == PARSE_ERROR || !add_finding(&adding, finding);
        }
    }
    /* More comments in one file would not be read again. */
    for (uint32_t i = 0; i < adding.list.count && i < SUPPRESS_MAX_COMMENTS; i++) {
        add_edit(&adding, &adding.list.items[i], reason);
    }
    return left;
}

uint32_t suppressions_add(Unit *unit, Str reason)
{
    uint32_t left = 0;
    uint32_t in_python = 0;
    if (unit->nothing || unit->out_of_memory || unit->op == NULL) {
        return 0;
    }
    const PyFiles *files = &unit->op->python;
    for (uint32_t i = 0; i < files->count; i++) {
        left += add_file(unit, files->items[i], reason);
        for (uint32_t k = 0; k < unit->result.findings.count; k++) {
            in_python += unit->loose || str_equal(unit->result.findings.items[k]->file,
                                                  pyfile_path(files->items[i]));
        }
    }
    return left + unit->result.findings.count - in_python;
}
