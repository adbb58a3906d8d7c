/* Notices of a unit; see unit_notices.h. */
#include "lint/unit_notices.h"

#include "lint/operator_open.h"
#include "lint/strays.h"
#include "lint/unchecked.h"

bool unit_takes_remarks(const Unit *unit)
{
    return unit->request->who.hook == HOOK_NONE && !unit->request->who.upstream;
}

/* --- before the rules run */

/* Does any rule judge the operator at its stage? */
static bool any_is_due(const Rules *rules, Operator *op)
{
    for (uint32_t i = 0; i < rules->count; i++) {
        if (rule_is_due(rules->items[i], op)) {
            return true;
        }
    }
    return false;
}

void note_stage(Unit *unit, Operator *op, const Rules *rules)
{
    const Question *what = &unit->request->what;
    if (!unit_takes_remarks(unit)) {
        return; /* hooks have looked at the state already */
    }
    /* A broken state file must not look like a clean operator, nor like one whose stage is known.
     * With a stage from the command line `check` does without it, and OL24 judges it. */
    if (op->state_error.length > 0) {
        notice_add(&unit->notices, STR(STATE_PATH), what->gate || op->stage_guessed,
                   "broken, so the stage is not known: %.*s; " STATE_ADVICE,
                   "已损坏，因此阶段未知：%.*s；" STATE_ADVICE_ZH, STR_ARG(op->state_error));
        return;
    }
    if (any_is_due(rules, op)) {
        return;
    }
    /* A guess that leaves nothing to run; that must not look like a clean operator. */
    if (!what->has_stage && op->stage == 0) {
        /* Nobody names a folder to have it passed over. */
        bool named = what->op_dir.length > 0 && op->scope == SCOPE_DEFAULT;
        notice_add(&unit->notices, STR(""), named,
                   "operator '%.*s': there is no state file and no file from which the stage could "
                   "be inferred, so nothing was checked; give --stage, or see pypto-lint doctor",
                   "算子 '%.*s'：没有状态文件，也没有可推断阶段的文件，因此未做任何检查；请指定 "
                   "--stage，或运行 pypto-lint doctor",
                   STR_ARG(op->name));
    }
    /* A gate whose rules, named by hand, belong to other stages would pass whatever is there. */
    if (what->gate && rules->count > 0) {
        notice_add(&unit->notices, STR(""), true,
                   "none of the selected rules belongs to stage %d, so nothing was checked",
                   "选中的规则都不属于阶段 %d，因此未做任何检查", op->stage);
    }
}

/* A misspelt decorator leaves most rules without anything to look at. */
void note_kernels(Unit *unit, Operator *op, const Rules *rules)
{
    bool parsed = false, made = false; /* a kernel by a call: rules that evaluate it ran */
    for (uint32_t i = 0; i < op->scan.count; i++) {
        if (op->scan.items[i]->kernels.count > 0) {
            return;
        }
        bool here = op->scan.items[i]->parsed.module != NULL;
        parsed = parsed || here;
        made = made || (here && pyfile_calls_jit(op->scan.items[i]));
    }
    unsigned needs = made ? NEEDS_KERNEL : NEEDS_KERNEL | NEEDS_EVALUATED;
    uint32_t count = 0;
    for (uint32_t i = 0; i < rules->count; i++) {
        const Rule *rule = rules->items[i];
        count += (rule->needs & needs) != 0 && rule_is_due(rule, op);
    }
    /* A loose file may be named that has nothing to do with kernels. */
    bool meant = !op->loose || operator_may_hold_kernel(op);
    if (!parsed || !meant || op->bridge || count == 0 || !unit_takes_remarks(unit)) {
        return;
    }
    Text format = {"no function is decorated with @pypto.frontend.jit, so the rules about kernels "
                   "(%u) did not run",
                   "没有函数使用 @pypto.frontend.jit 装饰，因此关于 kernel 的规则（%u 条）未运行"};
    Str message = str_format(op->arena, text_in(unit->request->who.lang, format), count);
    if (op->loose) {
        notice_add(&unit->notices, op->file, false, "%.*s", "%.*s", STR_ARG(message));
    } else {
        notice_add(&unit->notices, STR(""), false, "operator '%.*s': %.*s", "算子 '%.*s'：%.*s",
                   STR_ARG(op->name), STR_ARG(message));
    }
}

/* --- once they have run */

/* A stage gate from construction on that saw no implementation, golden or test has judged nothing
 * of it: where no rule fails for that, it does not pass either. */
static void require_artifacts(Unit *unit, Operator *op)
{
    const Request *request = unit->request;
    enum { BUILD_STAGE = 5 };
    bool whole = request->what.gate && !request->who.upstream &&
                 request->what.set == SET_STAGE_GATE && request->what.rules.count == 0 &&
                 op->stage >= BUILD_STAGE;
    for (uint32_t i = 0; i < unit->result.findings.count; i++) {
        const Finding *finding = unit->result.findings.items[i];
        whole = whole && (finding->status != STATUS_FAIL || finding->rule->severity > S1);
    }
    Str paths[] = {operator_artifact(op, KIND_IMPL), operator_artifact(op, KIND_GOLDEN),
                   operator_artifact(op, KIND_TEST)};
    for (size_t i = 0; whole && i < sizeof paths / sizeof *paths; i++) {
        const PyFile *file = operator_python(op, paths[i]);
        if (file->parsed.status == PARSE_ABSENT) {
            notice_add(&unit->notices, paths[i], true,
                       "missing, so the gate of stage %d has not judged it",
                       "缺失，阶段 %d 的门禁未能对其判定", op->stage);
        } else if (file->is_stub) {
            notice_add(&unit->notices, paths[i], true,
                       "still a pending stub, so the gate of stage %d has not judged it",
                       "仍是待实现桩，阶段 %d 的门禁未能对其判定", op->stage);
        }
    }
}

void note_missing(Unit *unit, Operator *op)
{
    bool remarks = unit_takes_remarks(unit);
    note_unchecked(&unit->notices, op, unit->text, request_is_strict(unit->request));
    /* Nothing was checked, which must not read as "nothing found". */
    if (remarks && op->scope == SCOPE_FILE && unit->text == NULL &&
        !operator_has_file(op, op->file)) {
        notice_add(&unit->notices, op->file, true, "no such file, or no regular one",
                   "没有这个文件，或不是普通文件");
    }
    require_artifacts(unit, op);
    if (remarks && op->scope == SCOPE_DEFAULT && !op->loose) {
        note_strays(&unit->notices, op);
    }
}
