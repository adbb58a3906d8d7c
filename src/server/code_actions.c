/* Code actions: fixes, suggestions, comments that suppress a finding, and commands to run. */
#include "base/ascii.h"
#include "base/overlay.h"
#include "base/path.h"
#include "report/report_common.h"
#include "server/commands.h"
#include "server/linting.h"

typedef struct Actions {
    Work *work;
    Linting linting;
    const Source *source; /* of the document */
    bool any;
} Actions;

/* Does the client want actions of this kind? Kinds are words separated by dots; a kind includes all
 * that continue it. */
static bool is_wanted(const json_t *params, const char *kind)
{
    const json_t *only = json_object_get(json_object_get(params, "context"), "only");
    size_t index;
    const json_t *item;
    if (!json_is_array(only)) {
        return !str_starts(str_from(kind), STR("source"));
    }
    json_array_foreach(only, index, item)
    {
        Str wanted = str_from(json_is_string(item) ? json_string_value(item) : "-");
        bool same =
            str_starts(str_from(kind), wanted) &&
            (wanted.length == 0 || kind[wanted.length] == '\0' || kind[wanted.length] == '.');
        if (same) {
            return true;
        }
    }
    return false;
}

/* Has the user opened the menu? Otherwise the editor asks by itself, whenever the cursor moves, and
 * expensive actions are left out. */
static bool is_invoked(const json_t *params)
{
    enum { INVOKED = 1 };
    const json_t *kind = json_object_get(json_object_get(params, "context"), "triggerKind");
    return json_integer_value(kind) == INVOKED;
}

/* --- edits */

static bool has_crlf(Str text)
{
    size_t end = str_find(text, STR("\n"), 0);
    return end != SIZE_MAX && end > 0 && text.at[end - 1] == '\r';
}

/* The text with the line ends of the document. */
static Str with_line_ends(Arena *arena, Str text, bool crlf)
{
    Buf out = {.arena = arena};
    buf_add(&out, STR(""));
    for (size_t i = 0; i < text.length; i++) {
        if (crlf && text.at[i] == '\n' && (i == 0 || text.at[i - 1] != '\r')) {
            buf_add_char(&out, '\r');
        }
        buf_add_char(&out, text.at[i]);
    }
    return buf_str(&out);
}

static void begin_edit(Actions *actions, Buf *out)
{
    Work *work = actions->work;
    const OpenDocument *open = documents_by_path(work->documents, work->path);
    if (!work->facts->takes_versioned_edits) {
        buf_add(out, STR("\"edit\":{\"changes\":{"));
        json_add_string(out, work_uri(work, work->path));
        buf_add(out, STR(":["));
        return;
    }
    buf_add(out, STR("\"edit\":{\"documentChanges\":[{\"textDocument\":{\"uri\":"));
    json_add_string(out, work_uri(work, work->path));
    buf_add(out, STR(",\"version\":"));
    buf_add(out,
            open == NULL ? STR("null") : str_format(out->arena, "%lld", (long long)open->version));
    buf_add(out, STR("},\"edits\":["));
}

static void end_edit(Actions *actions, Buf *out)
{
    buf_add(out, actions->work->facts->takes_versioned_edits ? STR("]}]}") : STR("]}}"));
}

static void add_edit(Buf *out, Range range, Str text)
{
    buf_add(out, out->at[out->length - 1] == '[' ? STR("{\"range\":") : STR(",{\"range\":"));
    work_add_range(out, range);
    buf_add(out, STR(",\"newText\":"));
    json_add_string(out, text);
    buf_add_char(out, '}');
}

static void begin_action(Actions *actions, const char *title, Str text, const char *kind)
{
    Buf *out = actions->work->out;
    buf_add(out, actions->any ? STR(",{\"title\":") : STR("{\"title\":"));
    actions->any = true;
    json_add_string(out, str_format(out->arena, title, STR_ARG(text)));
    buf_addf(out, ",\"kind\":\"%s\",", kind);
}

/* --- one finding */

static void add_diagnostics(Actions *actions, const OperatorResult *op, const Finding *finding)
{
    Buf *out = actions->work->out;
    buf_add(out, STR("\"diagnostics\":["));
    diagnostic_add(&actions->linting, out, op, finding);
    buf_add(out, STR("],"));
}

static void add_fix(Actions *actions, const OperatorResult *op, const Finding *finding)
{
    Buf *out = actions->work->out;
    Lang lang = actions->linting.result->lang;
    bool safe = finding->fix == FIX_SAFE;
    Str what = str_format(out->arena, "%s: %.*s", finding->rule->id,
                          STR_ARG(finding_fix_hint(finding, lang)));
    const char *title =
        safe ? words(lang, "Fix %.*s", "修复 %.*s")
             : words(lang, "Suggestion (please review): %.*s", "建议（请核对）：%.*s");
    begin_action(actions, title, what, "quickfix");
    add_diagnostics(actions, op, finding);
    buf_addf(out, "\"isPreferred\":%s,", safe ? "true" : "false");
    begin_edit(actions, out);
    bool crlf = has_crlf(actions->source->text);
    for (uint32_t i = 0; i < finding->edits.count; i++) {
        const Edit *edit = &finding->edits.items[i];
        Range range = range_of(actions->source, edit->region, actions->work->facts->encoding);
        add_edit(out, range, with_line_ends(out->arena, edit->text, crlf));
    }
    end_edit(actions, out);
    buf_add_char(out, '}');
}

/* The blanks that a line begins with. */
static Str indentation(Str line)
{
    size_t end = 0;
    while (end < line.length && is_blank(line.at[end])) {
        end++;
    }
    return str_slice(line, 0, end);
}

/* A comment on a line of its own above that of the finding, which works for every statement. */
static void add_ignore(Actions *actions, const OperatorResult *op, const Finding *finding)
{
    Buf *out = actions->work->out;
    Lang lang = actions->linting.result->lang;
    const Source *source = actions->source;
    uint32_t line = finding->region.line;
    Str id = str_from(finding->rule->id);
    Str indent = indentation(source_line_text(source, line));
    Str reason = str_from(words(lang, "REASON", "原因"));
    Str text = str_format(out->arena, "%.*s# pypto-lint: ignore[%.*s] %.*s%s", STR_ARG(indent),
                          STR_ARG(id), STR_ARG(reason), has_crlf(source->text) ? "\r\n" : "\n");
    begin_action(actions,
                 words(lang, "Ignore %.*s here, with a reason", "在此处忽略 %.*s 并说明原因"), id,
                 "quickfix");
    add_diagnostics(actions, op, finding);
    begin_edit(actions, out);
    Position start = {line - 1, 0};
    add_edit(out, (Range){start, start}, text);
    end_edit(actions, out);
    buf_add_char(out, '}');
}

/* Can a comment suppress the finding? Not S0, and not a syntax error. */
static bool may_be_ignored(const Finding *finding, Str path)
{
    return finding->rule->severity != S0 && finding->rule != &rule_ol00 &&
           finding->region.line > 0 && str_ends(path, STR(".py"));
}

static void add_findings(Actions *actions, const OperatorResult *op)
{
    Work *work = actions->work;
    Range wanted = work_range(work->params, "range");
    for (uint32_t i = 0; i < op->findings.count; i++) {
        const Finding *finding = op->findings.items[i];
        Str path = linting_path(&actions->linting, op, finding->file);
        if (!str_equal(path, work->path) ||
            !ranges_meet(wanted, linting_range(&actions->linting, path, finding->region))) {
            continue;
        }
        if (finding->edits.count > 0 && finding->fix != FIX_NONE) {
            add_fix(actions, op, finding);
        }
        if (may_be_ignored(finding, path)) {
            add_ignore(actions, op, finding);
        }
    }
}

/* --- programs */

/* Adds a command: within an action, or by itself for clients that support only commands. */
static void add_command(Actions *actions, const ProgramCommand *command, Str path)
{
    Buf *out = actions->work->out;
    const char *title = words(actions->linting.result->lang, command->title, command->title_zh);
    if (actions->work->facts->takes_action_literals) {
        begin_action(actions, "%.*s", str_from(title), "source.pypto-lint");
        buf_add(out, STR("\"command\":{"));
    } else {
        buf_add(out, actions->any ? STR(",{") : STR("{"));
        actions->any = true;
    }
    buf_add(out, STR("\"title\":"));
    json_add_string(out, str_from(title));
    buf_addf(out, ",\"command\":\"%s\",\"arguments\":[", command->name);
    json_add_string(out, work_uri(actions->work, path));
    buf_add(out, actions->work->facts->takes_action_literals ? STR("]}}") : STR("]}"));
}

/* Adds the commands. To run a kernel that belongs to an operator, run the operator's test. */
static void add_commands(Actions *actions)
{
    const RunResult *result = actions->linting.result;
    Work *work = actions->work;
    if (result->operators.count != 1 || !str_ends(work->path, STR(".py"))) {
        return;
    }
    const OperatorResult *op = result->operators.items[0];
    Str dir = op->loose ? STR("") : path_absolute(work->arena, op->op_dir);
    Str test = str_format(work->arena, "%.*s/test_%.*s.py", STR_ARG(dir), STR_ARG(op->op_name));
    bool tested = dir.length > 0 && file_is_regular(test.at);
    add_command(actions, &program_commands[COMMAND_RUN], tested ? test : work->path);
    if (dir.length > 0) {
        add_command(actions, &program_commands[COMMAND_VERIFY], dir);
    }
}

/* --- all safe fixes */

/* The lines in which two texts differ, as one edit. */
static void add_difference(Actions *actions, Buf *out, Str before, Str after)
{
    size_t start = 0, end = 0;
    size_t shorter = before.length < after.length ? before.length : after.length;
    while (start < shorter && before.at[start] == after.at[start]) {
        start++;
    }
    while (start > 0 && before.at[start - 1] != '\n') {
        start--;
    }
    while (end < shorter - start &&
           before.at[before.length - 1 - end] == after.at[after.length - 1 - end]) {
        end++;
    }
    while (end > 0 && before.at[before.length - end - 1] != '\n') {
        end--;
    }
    Encoding encoding = actions->work->facts->encoding;
    Range range = {position_of(actions->source, (uint32_t)start, encoding),
                   position_of(actions->source, (uint32_t)(before.length - end), encoding)};
    add_edit(out, range, str_slice(after, start, after.length - end));
}

static void add_fix_all(Actions *actions)
{
    Work *work = actions->work;
    Strs paths = {0};
    Fixes fixes = {0};
    Source fixed;
    Plan plan;
    VEC_PUSH(work->arena, &paths, work->path);
    Request request = linting_request(work, paths);
    request.what.fix = true;
    plan_begin(&plan, work->arena, &request.who);
    overlay_capture_writes(); /* texts that are open must only be changed by the client */
    run_free(run_fix(&request, &plan, &fixes));
    if (!work_source(work, work->path, &fixed) || str_equal(fixed.text, actions->source->text)) {
        return;
    }
    Lang lang = actions->linting.result->lang;
    begin_action(actions, words(lang, "Apply all safe fixes%.*s", "修复所有可安全修复的问题%.*s"),
                 STR(""), "source.fixAll.pypto-lint");
    begin_edit(actions, work->out);
    add_difference(actions, work->out, actions->source->text, fixed.text);
    end_edit(actions, work->out);
    buf_add_char(work->out, '}');
}

void code_action_job(Work *work)
{
    Actions actions = {.work = work};
    Strs paths = {0};
    VEC_PUSH(work->arena, &paths, work->path);
    Request request = linting_request(work, paths);
    linting_begin(&actions.linting, work, &request);
    actions.source = linting_source(&actions.linting, work->path);
    const RunResult *result = actions.linting.result;
    bool literals = work->facts->takes_action_literals;
    buf_add(work->out, STR("["));
    for (uint32_t i = 0; i < result->operators.count && literals; i++) {
        if (is_wanted(work->params, "quickfix")) {
            add_findings(&actions, result->operators.items[i]);
        }
    }
    const json_t *only = json_object_get(json_object_get(work->params, "context"), "only");
    if (only == NULL || is_wanted(work->params, "source.pypto-lint")) {
        add_commands(&actions);
    }
    if (literals && (is_wanted(work->params, "source.fixAll.pypto-lint") ||
                     (only == NULL && is_invoked(work->params)))) {
        add_fix_all(&actions);
    }
    buf_add(work->out, STR("]"));
    linting_end(&actions.linting);
}
