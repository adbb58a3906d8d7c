/* Verdict; see verdict.h. */
#include "lint/verdict.h"

#include "base/file.h"
#include "lint/beyond.h"

/* --- nothing at all */

/* Rules that were considered, and whether one of them had something to look at. */
static uint32_t count_rules(const RunResult *result, bool *ran)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < result->operators.count; i++) {
        const OperatorResult *operator= result->operators.items[i];
        count += operator->rules.count;
        for (uint32_t k = 0; k < operator->rules.count; k++) {
            *ran = *ran || operator->rules.items[k].status != STATUS_SKIP;
        }
    }
    return count;
}

/* A list of paths for a message. */
static Str listed(Arena *arena, const Strs *paths)
{
    enum { MOST_PLACES = 5 };
    Buf out = {.arena = arena};
    for (uint32_t i = 0; i < paths->count && i < MOST_PLACES; i++) {
        buf_addf(&out, "%s%.*s", i == 0 ? "" : ", ", STR_ARG(paths->items[i]));
    }
    buf_add(&out, paths->count > MOST_PLACES ? STR(", …") : STR(""));
    return buf_str(&out);
}

static void add_place(Arena *arena, Strs *places, Str path)
{
    VEC_PUSH(arena, places, path);
}

/* What was asked about: folders, and files by name. */
static void sort_places(Arena *arena, const Question *what, Strs *folders, Strs *files)
{
    if (what->text != NULL || what->file.length > 0) {
        add_place(arena, files, what->text != NULL ? what->text->path : what->file);
    } else if (what->op_dir.length > 0 || what->paths.count == 0) {
        add_place(arena, folders, what->op_dir.length > 0 ? what->op_dir : STR("."));
    } else {
        for (uint32_t i = 0; i < what->paths.count; i++) {
            bool folder = file_is_directory(str_dup(arena, what->paths.items[i]));
            add_place(arena, folder ? folders : files, what->paths.items[i]);
        }
    }
}

/* That no file was found which a rule could be about. Of a file beside folders a notice says so. */
static Str nothing_found(const RunResult *result, Arena *arena, const Request *request)
{
    Strs folders = {0}, files = {0};
    sort_places(arena, &request->what, &folders, &files);
    Text below = {
        "no PyPTO files below %.*s: nothing was checked (looked for operator directories, which "
        "hold a state file or two of their usual files, and for Python files with a kernel; see "
        "pypto-lint doctor)",
        "%.*s 之下没有 PyPTO 文件：未做任何检查（查找的是含有状态文件或两个常用文件的算子目录，以及"
        "含有 kernel 的 Python 文件；参见 pypto-lint doctor）"};
    Text one = {"%.*s is not a PyPTO file: nothing was checked (PyPTO files are the files of "
                "operator directories, and Python files with a kernel; see pypto-lint doctor)",
                "%.*s 不是 PyPTO 文件：未做任何检查（PyPTO 文件指算子目录中的文件和含有 kernel 的 "
                "Python 文件；参见 pypto-lint doctor）"};
    Text several = {"%.*s are not PyPTO files: nothing was checked (PyPTO files are the files of "
                    "operator directories, and Python files with a kernel; see pypto-lint doctor)",
                    "%.*s 都不是 PyPTO 文件：未做任何检查（PyPTO 文件指算子目录中的文件和含有 "
                    "kernel 的 Python 文件；参见 pypto-lint doctor）"};
    Text text = folders.count > 0 ? below : files.count == 1 ? one : several;
    Str places = listed(arena, folders.count > 0 ? &folders : &files);
    return str_format(arena, text_in(result->lang, text), STR_ARG(places));
}

/* That nothing was selected; or, of files by themselves, that there was nothing to select from. */
static Str nothing_selected(const RunResult *result, Arena *arena, const Request *request)
{
    bool unjudged = true;
    for (uint32_t i = 0; i < result->operators.count; i++) {
        unjudged = unjudged && result->operators.items[i]->unjudged;
    }
    Text unselected = {"nothing was checked: the settings and the options select no rule",
                       "未做任何检查：配置和选项没有选中任何规则"};
    Text alone = {"nothing was checked: no rule applies to %.*s alone (to check the whole "
                  "operator, name its directory)",
                  "未做任何检查：没有单独适用于 %.*s 的规则（要检查整个算子，请指定其目录）"};
    if (!unjudged) {
        return str_from(text_in(result->lang, unselected));
    }
    Strs folders = {0}, files = {0};
    sort_places(arena, &request->what, &folders, &files);
    return str_format(arena, text_in(result->lang, alone), STR_ARG(listed(arena, &files)));
}

/* That nothing was looked at must not read as "nothing found". False for a gate that has no rule
 * left: it passes nobody. */
static bool note_nothing(RunResult *result, Arena *arena, const Request *request)
{
    bool ran = false;
    uint32_t count = count_rules(result, &ran);
    result->nothing = STR("");
    if (ran || result->exit_status != 0) {
        return true;
    }
    Text skipped = {"nothing was checked: none of the selected rules applies here (--show-passed "
                    "gives the reasons)",
                    "未做任何检查：选中的规则都不适用于此处（--show-passed 给出原因）"};
    bool filtered = request->what.staged || request->what.changed_since.length > 0;
    if (filtered && result->operators.count == 0) {
        return true; /* a notice says that nothing has changed */
    }
    for (uint32_t i = 0; i < request->what.rules.count && result->operators.count > 0; i++) {
        if (str_is(request->what.rules.items[i], rule_ol00.id)) {
            return true; /* is listed with findings only */
        }
    }
    bool selected = count > 0;
    result->nothing = result->operators.count == 0 ? nothing_found(result, arena, request)
                      : selected                   ? str_from(text_in(result->lang, skipped))
                                                   : nothing_selected(result, arena, request);
    return !request->what.gate || request->who.upstream || selected;
}

/* --- the verdict of a gate */

static void add_id(Arena *arena, Strs *ids, const Rule *rule)
{
    Str id = str_from(rule->id);
    if (!strs_have(ids, id)) {
        VEC_PUSH(arena, ids, id);
    }
}

static void add_ids(Buf *out, const Strs *ids)
{
    for (uint32_t i = 0; i < ids->count; i++) {
        buf_addf(out, "%s%.*s", i == 0 ? "" : ", ", STR_ARG(ids->items[i]));
    }
}

/* "Passed" alone would hide what was found and does not block, and what was not looked
 * at. */
static void note_gate(RunResult *result, Arena *arena, const Request *request)
{
    Strs found = {0}, unchecked = {0};
    uint32_t count = 0;
    result->verdict = STR("");
    if (!request->what.gate || request->who.upstream || result->exit_status != 0) {
        return;
    }
    for (uint32_t i = 0; i < result->operators.count; i++) {
        const OperatorResult *op = result->operators.items[i];
        count += op->findings.count;
        for (uint32_t k = 0; k < op->rules.count; k++) {
            const RuleResult *rule = &op->rules.items[k];
            if (rule->status > STATUS_PASS) {
                add_id(arena, &found, rule->rule);
            } else if (rule->notable) {
                add_id(arena, &unchecked, rule->rule);
            }
        }
    }
    bool zh = result->lang == LANG_ZH;
    Buf out = {.arena = arena};
    if (found.count + unchecked.count == 0) {
        return;
    }
    buf_add(&out, str_from(zh ? "门禁通过" : "the gate passes"));
    if (found.count > 0) {
        buf_addf(&out,
                 zh ? "，但有 %u 个问题不构成阻断（--fail-on %s）："
                    : ", with %u finding(s) that do not block it (--fail-on %s): ",
                 count, result->fail_never ? "never" : severity_name(result->fail_on));
        add_ids(&out, &found);
    }
    if (unchecked.count > 0) {
        buf_add(&out, str_from(zh ? "；未检查：" : "; not checked: "));
        add_ids(&out, &unchecked);
    }
    result->verdict = buf_str(&out);
}

bool verdict_note(RunResult *result, Arena *arena, const Request *request)
{
    bool good = note_nothing(result, arena, request);
    note_gate(result, arena, request);
    beyond_note(result, arena, request);
    return good;
}
