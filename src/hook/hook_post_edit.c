/* post-edit: a file has been written; the rules about it judge it at once. Blocking undoes nothing:
 * it makes the agent repair the file before it goes on. */
#include "base/path.h"
#include "hook/hook_check.h"
#include "hook/hook_counter.h"
#include "hook/hook_narrowing.h"
#include "report/terminal.h"

#include <stdlib.h>

typedef VEC(EditCheck) EditChecks;

bool hook_edit_may_block(void)
{
    const char *value = getenv("PYPTO_OP_LINT_POST_EDIT_BLOCK");
    return value == NULL || strcmp(value, "1") == 0;
}

static Str frozen_reason(Arena *arena, const HookCall *call)
{
    Text text = {"SPEC.md is frozen: stage 1 is finished, and later stages were built on it. Take "
                 "the change back. If the specification really has to change, use "
                 "state_transition(rollback_to_stage, target_stage=1). Only one edit goes through: "
                 "removing entries of supported_dtypes, and nothing else, by replacing one text.",
                 "SPEC.md 已冻结：阶段 1 "
                 "已完成，后续阶段以其为准。请撤销本次修改。确需变更规格时，须通过 "
                 "state_transition(rollback_to_stage, target_stage=1) 回退。唯一放行的修改："
                 "用一次文本替换（Edit）仅从 supported_dtypes 中删除条目，其余内容不变。"};
    return str_format(arena, HOOK_PREFIX " %s", text_in(call->lang, text));
}

/* With files of several operators in one patch, the report names the operators as well. */
static bool is_one_operator(const EditChecks *checks)
{
    for (uint32_t i = 1; i < checks->count; i++) {
        if (!str_equal(checks->items[i].dir, checks->items[0].dir)) {
            return false;
        }
    }
    return true;
}

/* Looks at one group of files; `checks` gets those that are due. True when one is frozen. */
static bool look_at(const Strs *files, const HookEvent *event, EditChecks *checks, Plan *plan,
                    const HookCall *call)
{
    bool frozen = false;
    for (uint32_t i = 0; i < files->count; i++) {
        EditCheck check;
        edit_check_look(&check, plan, call, files->items[i]);
        frozen = frozen || (check.frozen && !hook_edit_narrows_dtypes(plan, event, &check));
        if (check.due) {
            VEC_PUSH(plan->arena, checks, check);
        }
    }
    return frozen;
}

/* Counts this block, and notes the places where the agent is stuck. */
static void count_blocks(HookReport *report, const EditCheck *check, uint32_t from)
{
    Buf places = {.arena = report->arena};
    for (uint32_t i = from; i < report->findings.count; i++) {
        const Finding *finding = report->findings.items[i].finding;
        if (finding_blocks(finding)) {
            buf_addf(&places, "%s %u ", finding->rule->id, finding->region.line);
            terminal_add(&places, finding->file); /* without line ends */
            buf_add_char(&places, '\n');
        }
    }
    if (check->error.length > 0) {
        buf_addf(&places, "%s 0 ", text_in(report->lang, (Text){"unchecked", "未检查"}));
        terminal_add(&places, check->path);
        buf_add_char(&places, '\n');
    }
    Strs stuck = hook_counter_update(report->arena, check->dir, check->path, buf_str(&places));
    for (uint32_t i = 0; i < stuck.count; i++) {
        VEC_PUSH(report->arena, &report->stuck, stuck.items[i]);
    }
}

static void check_files(HookReport *report, EditChecks *checks, Plan *plan, const HookCall *call)
{
    bool one = is_one_operator(checks);
    for (uint32_t i = 0; i < checks->count; i++) {
        EditCheck *check = &checks->items[i];
        Str prefix =
            one ? STR("") : str_format(report->arena, "%.*s/", STR_ARG(path_name(check->dir)));
        uint32_t from = report->findings.count;
        edit_check_run(check, report, plan, call, prefix);
        if (hook_edit_may_block()) {
            count_blocks(report, check, from);
        }
    }
}

void hook_post_edit(HookOutcome *outcome, Arena *arena, const HookCall *call,
                    const HookEvent *event)
{
    EditChecks checks = {0};
    Plan plan;
    plan_begin(&plan, arena, &(Caller){0});
    bool frozen = look_at(&event->files, event, &checks, &plan, call);
    EditChecks gone = {0}; /* a file that is not there is not linted */
    if (look_at(&event->gone_specs, event, &gone, &plan, call) || frozen) {
        /* The files of the same patch come up again with the next edit: the agent has to take this
         * one back. */
        *outcome = (HookOutcome){.decision = DECIDE_BLOCK, .reason = frozen_reason(arena, call)};
        return;
    }
    HookReport report = {.arena = arena, .lang = call->lang, .limited = !call->old_form};
    if (event->many_files) {
        Text text = {"more than 200 files in one patch", "一个补丁中超过 200 个文件"};
        hook_report_unchecked(&report, STR(""), str_from(text_in(call->lang, text)), false);
    }
    if (checks.count > 0 && hook_load_api(&report)) {
        check_files(&report, &checks, &plan, call);
    }
    bool block = hook_report_blocks(&report) && hook_edit_may_block();
    /* Every client passes on both texts; the old form repeats the findings. */
    report.in_reason = block && !call->old_form;
    Str context = hook_context(&report);
    if (block || context.length > 0) {
        *outcome = (HookOutcome){.decision = block ? DECIDE_BLOCK : DECIDE_ALLOW,
                                 .reason = block ? hook_edit_reason(&report) : STR(""),
                                 .context = context};
    }
    for (uint32_t i = 0; i < checks.count; i++) {
        if (checks.items[i].run != NULL) {
            run_free(checks.items[i].run);
        }
    }
}
