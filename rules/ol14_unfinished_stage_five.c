/* OL14: stage 6 was entered although stage 5 is not completed.
 *
 * Looks at stage_status["5"] of the state file. */
#include "rules/documents.h"

static void check(RuleRun *run)
{
    OperatorState state = state_read(run->arena, run->op->dir);
    if (report_broken_state(run, &state)) {
        return;
    }
    bool zh = run->lang == LANG_ZH;
    Place place = at_file(STR(STATE_PATH));
    if (state.stage_status.kind == STATE_ABSENT) {
        report(run, STATUS_FAIL, place, STATE_PATH " has no stage_status",
               STATE_PATH " 没有 stage_status");
        return;
    }
    if (state.stage_status.kind != STATE_OBJECT) {
        StateKind kind = state.stage_status.kind;
        report(run, STATUS_FAIL, place, STATE_PATH ": stage_status is %s, not an object",
               STATE_PATH "：stage_status 是%s，不是对象",
               zh ? state_kind_name_zh(kind) : state_kind_name(kind));
        return;
    }
    const StateField *status = &state.stage_5_status;
    if (status->kind == STATE_STRING && str_is(status->text, "completed")) {
        return;
    }
    if (status->kind == STATE_ABSENT) {
        report(run, STATUS_FAIL, place, STATE_PATH ": stage_status has no entry for stage 5",
               STATE_PATH "：stage_status 没有阶段 5 的条目");
        return;
    }
    const char *quote = status->kind == STATE_STRING ? "\"" : "";
    report(run, STATUS_FAIL, place,
           STATE_PATH ": stage_status[\"5\"] is %s%.*s%s, not \"completed\"",
           STATE_PATH "：stage_status[\"5\"] 是 %s%.*s%s，不是 \"completed\"", quote,
           STR_ARG(status->text), quote);
}

const Rule ol14 = {
    .id = "OL14",
    .order = 15,
    .severity = S1,
    .dimension = D2,
    .effort = E1,
    .stages = STAGE(6),
    .target = TARGET_GATE,
    .fix = FIX_NONE,
    .needs = 0,
    .hint = {"Finish stage 5 with state_transition(complete_stage, 5); never edit the state file.",
             "用 state_transition(complete_stage, 5) 完成阶段 5；不要直接编辑状态文件。"},
    .check = check,
};
