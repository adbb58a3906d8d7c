/* OL00: Python files that do not parse. It is not in the catalogue: the engine reports it for
 * every file that was read, whatever the stage, and the statuses of the other rules do not depend
 * on it. */
#include "lint/engine.h"

/* A range over several lines says less than where it begins. */
static Place error_place(const PyFile *file, const SyntaxError *error)
{
    const Source *source = &file->parsed.source;
    Str text = source_line_text(source, source_line(source, error->start));
    uint32_t line_end = error->end;
    if (text.at != NULL) {
        line_end = (uint32_t)(text.at - source->text.at + (ptrdiff_t)text.length);
    }
    bool cut = error->end > line_end && error->start <= line_end;
    return at_range(file, error->start, cut ? line_end : error->end);
}

/* A file that could not be read at all: nothing in it is to be repaired. */
static void report_unread(RuleRun *run, const PyFile *file, Str reason)
{
    Finding *finding = report(run, STATUS_FAIL, at_file(pyfile_path(file)), "%.*s: %.*s",
                              "%.*s：%.*s", STR_ARG(pyfile_path(file)), STR_ARG(reason));
    finding_hint(
        run, finding,
        "Make the file readable, or raise max-file-size in .pypto-lint.yaml; until then "
        "no rule can look at it.",
        "使该文件可读，或在 .pypto-lint.yaml 中调大 max-file-size；在此之前任何规则都无法检查"
        "它。");
}

/* A run about one file reads others to judge it, and does not blame them. */
static bool is_asked_for(const Operator *op, Str path)
{
    Str only = op->scope == SCOPE_FILE ? op->file : op->edited;
    return only.length == 0 || str_equal(path, only);
}

/* A file that its stage asks for and that has no byte in it: every rule passes it over. */
static bool is_empty_artifact(const Operator *op, const PyFile *file)
{
    enum { GOLDEN_STAGE = 2, BUILD_STAGE = 5 };
    if (file->parsed.status != PARSE_ABSENT || !operator_has_file(op, pyfile_path(file))) {
        return false;
    }
    Str name = path_basename(pyfile_path(file));
    bool known = str_ends(name, STR(IMPL_END)) || str_starts(name, STR(TEST_START));
    bool golden = str_ends(name, STR(GOLDEN_END));
    if (str_starts(pyfile_path(file), STR("modules/")) && !str_ends(name, STR(IMPL_END))) {
        return false; /* may wait for its phase; OL44 asks for it */
    }
    return op->loose || op->stage_guessed || (known && op->stage >= BUILD_STAGE) ||
           (golden && op->stage >= GOLDEN_STAGE);
}

static void report_empty(RuleRun *run, const PyFile *file)
{
    Finding *finding = report(run, STATUS_FAIL, at_file(pyfile_path(file)),
                              "%.*s is empty, so no rule can look at it",
                              "%.*s 是空文件，任何规则都无法检查它", STR_ARG(pyfile_path(file)));
    finding_hint(run, finding, "Write the file, or delete it until it is due.",
                 "编写该文件，或在需要它之前将其删除。");
}

/* One mistake makes much of what follows it look wrong, so the first place is the finding. */
static void report_file(RuleRun *run, const PyFile *file)
{
    enum { MOST_OTHERS = 3 };
    const SyntaxErrors *errors = &file->parsed.errors;
    const SyntaxError *error = &errors->items[0];
    Str shown = run->lang == LANG_ZH ? error->message_zh : error->message;
    if (file->parsed.source.text.length == 0) {
        report_unread(run, file, shown);
        return;
    }
    Finding *finding = report(
        run, STATUS_FAIL, error_place(file, error), "%.*s: Python cannot parse this file: %.*s",
        "%.*s：Python 无法解析该文件：%.*s", STR_ARG(pyfile_path(file)), STR_ARG(shown));
    for (uint32_t i = 1; i < errors->count && i <= MOST_OTHERS; i++) {
        Str other = run->lang == LANG_ZH ? errors->items[i].message_zh : errors->items[i].message;
        finding_related(run, finding, error_place(file, &errors->items[i]),
                        "%.*s; this may follow from it", "%.*s；这可能由其引起", STR_ARG(other));
    }
}

static void check(RuleRun *run)
{
    for (uint32_t i = 0; i < run->op->python.count; i++) {
        const PyFile *file = run->op->python.items[i];
        bool other = !is_asked_for(run->op, pyfile_path(file));
        if (!other && !run->op->upstream && is_empty_artifact(run->op, file)) {
            report_empty(run, file);
        }
        if (file->parsed.status != PARSE_ERROR || file->is_stub || other) {
            continue;
        }
        if (file->parsed.errors.count > 0) {
            report_file(run, file);
        }
    }
}

const Rule rule_ol00 = {
    .id = "OL00",
    .name = "syntax-error",
    .order = 0,
    .severity = S0,
    .dimension = D1,
    .stages = 0xFF, /* an unknown one, 0, too */
    .target = TARGET_IMPL,
    .hint =
        {"Repair the syntax at the place named; until then most rules cannot look at this file.",
         "修复所指位置的语法；在此之前大多数规则无法检查该文件。"},
    .check = check,
};
