/* Adds findings of the evaluator. */
#include "eval/drive.h"
#include "eval/fault.h"

#include <string.h>

static EvalFinding *find_same(Eval *eval, EvalRule rule, NodeId node)
{
    for (uint32_t i = 0; i < eval->out.findings.count; i++) {
        EvalFinding *finding = &eval->out.findings.items[i];
        if (finding->node == node && finding->rule == rule && finding->unit == eval->report_unit) {
            return finding;
        }
    }
    return NULL;
}

bool eval_has_finding(Eval *eval, EvalRule rule, NodeId node)
{
    return eval->unit == 0 && find_same(eval, rule, node) != NULL;
}

static int sureness(bool certain, bool foreign)
{
    return !certain ? 0 : foreign ? 1 : 2;
}

/* Do both report the read of the same unwritten tensor in the same line? */
static bool is_same_read(const Eval *eval, const EvalFinding *one, NodeId node,
                         const PtsError *error)
{
    return one->code == PTS_CODE_UNWRITTEN && error->code == PTS_CODE_UNWRITTEN &&
           node_line(eval->module, one->node) == node_line(eval->module, node) &&
           str_starts(one->en, str_from(error->message));
}

bool eval_drop_weaker(Eval *eval, EvalRule rule, NodeId node, const PtsError *error, bool certain,
                      bool foreign)
{
    EvalFindings *findings = &eval->out.findings;
    for (uint32_t i = 0; i < findings->count; i++) {
        const EvalFinding *one = &findings->items[i];
        bool same = one->rule == rule && one->unit == eval->report_unit && !one->note &&
                    (one->node == node || is_same_read(eval, one, node, error));
        if (!same) {
            continue;
        }
        if (sureness(one->certain, one->foreign) >= sureness(certain, foreign)) {
            return false;
        }
        memmove(&findings->items[i], &findings->items[i + 1],
                sizeof *findings->items * (findings->count - i - 1));
        findings->count--;
        i--;
    }
    return true;
}

/* Do findings count here, that is, in code that a kernel reaches, and below the limit? */
static bool counts(const Eval *eval)
{
    return eval->reporting && eval->silent == 0 && eval->unit == 0 && !eval->stopped &&
           eval->found < EVAL_FINDINGS;
}

/* Adds a finding, once for each node and rule. NULL if there is one already, which becomes certain
 * if this one is. */
static EvalFinding *add(Eval *eval, EvalRule rule, NodeId node, Str en, Str zh)
{
    bool certain = eval->assumed == 0;
    EvalFinding *same = find_same(eval, rule, node);
    if (same != NULL) {
        same->certain = same->certain || certain;
        return NULL;
    }
    EvalFinding finding = {.rule = rule, .node = node, .certain = certain, .en = en, .zh = zh};
    finding.unit = eval->report_unit;
    finding.file = finding.unit == 0 ? NULL : eval->units.items[finding.unit]->file;
    eval->found++;
    VEC_PUSH(eval->result, &eval->out.findings, finding);
    return &eval->out.findings.items[eval->out.findings.count - 1];
}

/* Formats both texts with the same arguments. */
static void compose(const Eval *eval, const char *en, const char *zh, va_list args, Str *english,
                    Str *chinese)
{
    Buf texts[] = {{.arena = eval->result}, {.arena = eval->result}};
    va_list again;
    va_copy(again, args);
    buf_vaddf(&texts[0], en, args);
    buf_vaddf(&texts[1], zh, again);
    va_end(again);
    *english = buf_str(&texts[0]);
    *chinese = buf_str(&texts[1]);
}

/* In host code only rules that need no values count, and only where the code surely runs and
 * nothing around it catches an error. */
static bool counts_in_host(const Eval *eval, EvalRule rule)
{
    bool form = rule == EVAL_NAME || rule == EVAL_CALL || rule == EVAL_UNBOUND;
    return eval->hosting && form && eval->drive == NULL && eval->silent == 0 && eval->unit == 0 &&
           eval->assumed == 0 && eval->caught == 0 && eval->no_launch == 0 && !eval->stopped &&
           eval->found < EVAL_FINDINGS;
}

/* A mistake of form in code that may never run is certain once a recording surely reaches it, as in
 * a loop over sizes that a launch makes known. */
static void settle(Eval *eval, EvalRule rule, NodeId node)
{
    static const bool of_form[] = {
        [EVAL_NAME] = true,  [EVAL_CALL] = true,      [EVAL_UNBOUND] = true,
        [EVAL_VALUE] = true, [EVAL_STATEMENT] = true, [EVAL_RAISED] = false};
    const Drive *drive = eval->drive;
    bool sure = drive != NULL && eval->drive_sure && eval->unit == 0 && eval->silent == 1 &&
                eval->assumed == 0 && eval->caught == 0 && !eval->probing && !eval->stopped;
    if (!sure || !of_form[rule] || drive->decided > 0 || drive->ended || drive->asked_chip) {
        return;
    }
    EvalFinding *same = find_same(eval, rule, node);
    bool weaker = same != NULL && same->code == 0 && !same->note &&
                  (!same->certain || (same->foreign && !eval->drive_foreign));
    if (weaker) {
        same->certain = true;
        same->foreign = eval->drive_foreign;
    }
}

EvalFinding *eval_report(Eval *eval, EvalRule rule, NodeId node, const char *en, const char *zh,
                         ...)
{
    if (!counts(eval) && !counts_in_host(eval, rule)) {
        settle(eval, rule, node);
        return NULL;
    }
    Str english, chinese;
    va_list args;
    va_start(args, zh);
    compose(eval, en, zh, args, &english, &chinese);
    va_end(args);
    return add(eval, rule, node, english, chinese);
}

EvalFinding *eval_note(Eval *eval, EvalRule rule, NodeId node, const char *en, const char *zh, ...)
{
    if (!counts(eval)) {
        return NULL;
    }
    Str english, chinese;
    va_list args;
    va_start(args, zh);
    compose(eval, en, zh, args, &english, &chinese);
    va_end(args);
    for (uint32_t i = 0; i < eval->out.findings.count; i++) {
        const EvalFinding *finding = &eval->out.findings.items[i];
        if (finding->note && finding->rule == rule && str_equal(finding->en, english)) {
            return NULL;
        }
    }
    EvalFinding *finding = add(eval, rule, node, english, chinese);
    if (finding != NULL) {
        finding->note = true;
    }
    return finding;
}

void eval_hint(Eval *eval, EvalFinding *finding, const char *en, const char *zh, ...)
{
    if (finding == NULL) {
        return;
    }
    va_list args;
    va_start(args, zh);
    compose(eval, en, zh, args, &finding->hint_en, &finding->hint_zh);
    va_end(args);
}

static bool needs_value(Eval *eval, NodeId node, Value value, Where where, bool is_silent)
{
    bool is_symbol = value.kind == VALUE_SYMBOL && value.flag;
    if (eval->drive != NULL) {
        return fault_value(eval, node, value, where);
    }
    if (!is_symbol && value.kind != VALUE_TENSOR) {
        return false;
    }
    if (!counts(eval)) {
        return true;
    }
    Str text = node_text(eval->module, node);
    size_t line_end = str_find(text, STR("\n"), 0);
    text = str_slice(text, 0, line_end < 60 ? line_end : 60);
    Where what = is_symbol ? (Where){"a symbolic scalar", "符号标量", false}
                           : (Where){"a tensor", "tensor", false};
    const char *code = is_symbol && !where.is_type ? "F00002" : "F00001";
    bool silent = is_symbol && is_silent && eval_newer(eval) != NEWER_WRONG;
    Str en = str_format(eval->result,
                        "'%.*s' is %s, which has no value while the kernel is recorded; %s needs "
                        "one (%s%s)",
                        STR_ARG(text), what.en, where.en, code,
                        silent ? "; PyPTO 9.2 silently takes None" : "");
    Str zh = str_format(eval->result, "'%.*s' 是%s，记录 kernel 时没有具体值；%s需要具体值（%s%s）",
                        STR_ARG(text), what.zh, where.zh, code,
                        silent ? "；PyPTO 9.2 不报错，而是取 None" : "");
    add(eval, EVAL_VALUE, node, en, zh);
    return true;
}

bool eval_needs_value(Eval *eval, NodeId node, Value value, Where where)
{
    return needs_value(eval, node, value, where, false);
}

bool eval_silently_needs_value(Eval *eval, NodeId node, Value value, Where where)
{
    return needs_value(eval, node, value, where, true);
}
