/* OL14: stage 6 was entered although stage 5 is not completed.
 *
 * Looks at stage_status["5"] of the state file. */
#include "rules/documents.h"

static void check(RuleRun *run)
{
    const OperatorState *state = operator_state(run->op);
    if (report_broken_state(run, state)) {
        return;
    }
    bool zh = run->lang == LANG_ZH;
    Place place = at_file(STR(STATE_PATH));
    if (state->stage_status.kind == STATE_ABSENT) {
        report(run, STATUS_FAIL, place, STATE_PATH " has no stage_status",
               STATE_PATH " 没有 stage_status");
        return;
    }
    if (state->stage_status.kind != STATE_OBJECT) {
        StateKind kind = state->stage_status.kind;
        report(run, STATUS_FAIL, place, STATE_PATH ": stage_status is %s, not an object",
               STATE_PATH "：stage_status 是%s，不是对象",
               zh ? state_kind_name_zh(kind) : state_kind_name(kind));
        return;
    }
    const StateField *status = &state->stage_5_status;
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
    .name = "unfinished-stage-five",
    .order = 15,
    .severity = S1,
    .dimension = D2,
    .effort = E1,
    .stages = STAGE(6),
    .target = TARGET_GATE,
    .fix = FIX_NONE,
    .hint =
        {"Finish stage 5 (the implementation) before stage 6. Under the PyPTO workflow, "
         "state_transition(complete_stage, 5) records it; never edit the state file there. "
         "Without the workflow, set \"stage_status\": {\"5\": \"completed\"} in it.",
         "先完成阶段 5（实现）再进入阶段 6。在 PyPTO 工作流中用 state_transition(complete_stage, "
         "5) 记录，不要直接编辑状态文件；不使用工作流时，在其中设置 \"stage_status\": {\"5\": "
         "\"completed\"}。"},
    .check = check,
};
