/* GitHub: workflow commands, which the runner turns into annotations of the changed lines.
 *
 * Every line is a command of ours, and whatever comes from the linted files is escaped, so that it
 * can neither end the command nor begin another one. */
#include "report/report_common.h"
#include "report/terminal.h"

/* The escapes of the runner; `property`: also those that end a property. */
static void add_escaped(Buf *out, Str text, bool property)
{
    for (size_t i = 0; i < text.length; i++) {
        char c = text.at[i];
        bool special = c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ','));
        if (special) {
            buf_addf(out, "%%%02X", (unsigned)(unsigned char)c);
        } else {
            buf_add_char(out, c);
        }
    }
}

/* Text that people read in the log: control characters are shown, not obeyed. */
static void add_shown(Buf *out, Str text, bool property)
{
    Buf shown = {.arena = out->arena};
    terminal_add(&shown, text);
    add_escaped(out, buf_str(&shown), property);
}

static const char *command_name(Level level)
{
    return level == LEVEL_NOTE ? "notice" : level_name(level);
}

/* The runner looks for the file, so line ends in its name are kept as such. */
static void add_file(Buf *out, Str path)
{
    buf_add(out, STR("file="));
    size_t offset = 0;
    while (offset < path.length) {
        size_t start = offset;
        Glyph glyph = glyph_next(path, &offset);
        bool line_end = path.at[start] == '\r' || path.at[start] == '\n';
        add_escaped(out, line_end ? str_slice(path, start, offset) : str_from(glyph.text), true);
    }
}

static void add_place(Buf *out, Str path, Region region)
{
    add_file(out, path);
    if (region.line == 0) {
        return;
    }
    buf_addf(out, ",line=%u,endLine=%u", region.line,
             region.end_line < region.line ? region.line : region.end_line);
    /* The runner drops columns, with a complaint, when the lines differ. */
    if (region.end_line <= region.line) {
        buf_addf(out, ",col=%u,endColumn=%u", region.column,
                 region.end_column < region.column ? region.column : region.end_column);
    }
}

static void add_finding(Buf *out, const OperatorResult *op, const Finding *finding,
                        const ReportOptions *options, Lang lang)
{
    Str path =
        path_from(out->arena, options->working_dir, full_path(out->arena, op, finding->file));
    buf_addf(out, "::%s ", command_name(finding_level(finding)));
    add_place(out, path, finding->region);
    Str label = rule_label(out->arena, finding->rule);
    buf_addf(out, ",title=%.*s%%3A ", STR_ARG(label));
    add_shown(out, rule_title(finding->rule, lang), true);
    buf_add(out, STR("::"));
    /* The log shows the message only: it has to say where. */
    Buf place = {.arena = out->arena};
    place_add(&place, path, finding->region);
    add_escaped(out, buf_str(&place), false);
    buf_addf(out, ": %.*s: ", STR_ARG(label));
    add_shown(out, finding->message, false);
    Str hint = finding_fix_hint(finding, lang);
    if (hint.length > 0) {
        buf_add(out, str_from(words(lang, "%0Ahelp: ", "%0A帮助：")));
        add_shown(out, hint, false);
    }
    buf_add_char(out, '\n');
}

static void add_notice(Buf *out, const Notice *notice, const ReportOptions *options)
{
    buf_addf(out, "::%s ", notice->is_error ? "error" : "notice");
    if (notice->file.length > 0) {
        add_place(out, path_from(out->arena, options->working_dir, notice->file), (Region){0});
        buf_add_char(out, ',');
    }
    buf_add(out, STR("title=pypto-lint::"));
    add_shown(out, notice->message, false);
    buf_add_char(out, '\n');
}

/* The runner shows ten of a kind in a step and drops the rest without a word. */
enum { MOST_OF_A_KIND = 10, KIND_COUNT = LEVEL_ERROR + 1 };

typedef struct Kinds {
    uint32_t shown[KIND_COUNT], left[KIND_COUNT];
} Kinds;

static bool has_room(Kinds *kinds, Level level)
{
    bool room = kinds->shown[level] < MOST_OF_A_KIND;
    kinds->shown[level] += room;
    kinds->left[level] += !room;
    return room;
}

static void add_notices(Buf *out, const RunResult *result, bool errors, Kinds *kinds,
                        const ReportOptions *options)
{
    for (uint32_t i = 0; i < result->notices.count; i++) {
        const Notice *notice = &result->notices.items[i];
        if (notice->is_error == errors && has_room(kinds, errors ? LEVEL_ERROR : LEVEL_NOTE)) {
            add_notice(out, notice, options);
        }
    }
}

/* The findings of severity S0, or the others. */
static void add_findings(Buf *out, const RunResult *result, bool broken, Kinds *kinds,
                         const ReportOptions *options)
{
    for (uint32_t i = 0; i < result->operators.count; i++) {
        const OperatorResult *op = result->operators.items[i];
        for (uint32_t k = 0; k < op->findings.count; k++) {
            const Finding *finding = op->findings.items[k];
            if ((finding->rule->severity == S0) == broken &&
                has_room(kinds, finding_level(finding))) {
                add_finding(out, op, finding, options, result->lang);
            }
        }
    }
}

static void add_rest(Buf *out, const Kinds *kinds, Lang lang)
{
    uint32_t errors = kinds->left[LEVEL_ERROR], warnings = kinds->left[LEVEL_WARNING];
    uint32_t notes = kinds->left[LEVEL_NOTE];
    if (errors + warnings + notes == 0) {
        return;
    }
    buf_addf(out,
             words(lang,
                   "pypto-lint: %u more without an annotation (%u errors, %u warnings, %u notices): "
                   "GitHub shows %d of a kind\n",
                   "pypto-lint：另有 %u 个没有标注（%u 个错误，%u 个警告，%u 个提示）：GitHub 每类显示 "
                   "%d 个\n"),
             errors + warnings + notes, errors, warnings, notes, MOST_OF_A_KIND);
}

bool report_github(Buf *out, const RunResult *result, const ReportOptions *options)
{
    Kinds kinds = {0};
    add_notices(out, result, true, &kinds, options);
    add_findings(out, result, true, &kinds, options);
    add_findings(out, result, false, &kinds, options);
    add_notices(out, result, false, &kinds, options);
    add_rest(out, &kinds, result->lang);
    return true;
}
