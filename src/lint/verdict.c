/* Verdict; see verdict.h. */
#include "lint/verdict.h"

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

/* What was asked about, for a message. */
static Str places_of(Arena *arena, const Request *request)
{
    enum { MOST_PLACES = 5 };
    const Strs *paths = &request->what.paths;
    Buf out = {.arena = arena};
    if (request->what.op_dir.length > 0 || paths->count == 0) {
        return request->what.op_dir.length > 0 ? request->what.op_dir : STR(".");
    }
    for (uint32_t i = 0; i < paths->count && i < MOST_PLACES; i++) {
        buf_addf(&out, "%s%.*s", i == 0 ? "" : ", ", STR_ARG(paths->items[i]));
    }
    buf_add(&out, paths->count > MOST_PLACES ? STR(", …") : STR(""));
    return buf_str(&out);
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
    Text none = {
        "no PyPTO files below %.*s: nothing was checked (looked for operator directories, which "
        "hold a state file or two of their usual files, and for Python files with a kernel; see "
        "pypto-lint doctor)",
        "%.*s 之下没有 PyPTO 文件：未做任何检查（查找的是含有状态文件或两个常用文件的算子目录，以及"
        "含有 kernel 的 Python 文件；参见 pypto-lint doctor）"};
    Text unselected = {"nothing was checked: the settings and the options select no rule",
                       "未做任何检查：配置和选项没有选中任何规则"};
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
    Text text = selected ? skipped : unselected;
    result->nothing = str_from(text_in(result->lang, text));
    if (result->operators.count == 0) {
        Str places = places_of(arena, request);
        result->nothing = str_format(arena, text_in(result->lang, none), STR_ARG(places));
    }
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
