/* stop: the agent wants to finish; the operator must pass the gate of its stage. */
#include "hook/hook_check.h"
#include "hook/hook_counter.h"
#include "lint/discover.h"

/* The run that the findings belong to; NULL when there was none. */
static Run *check_operator(HookReport *report, Plan *plan, const HookCall *call, Str dir, int stage,
                           bool guessed)
{
    if (!hook_load_api(report)) {
        return NULL;
    }
    Request request = {.what = {.op_dir = dir,
                                .set = SET_STAGE_GATE,
                                .stage = stage,
                                .has_stage = true,
                                .stage_guessed = guessed},
                       .who = {.hook = HOOK_STOP, .jobs = 1, .lang = call->lang}};
    Run *run = hook_check(report, plan, call, &request, STR(""));
    const RunResult *result = run_result(run);
    for (uint32_t i = 0; i < result->notices.count; i++) {
        const Notice *notice = &result->notices.items[i];
        if (notice->is_error) {
            hook_report_unchecked(report, notice->file, notice->message, false);
        }
    }
    return run;
}

/* The operator's stage, `*guessed` from its files when there is no state file. A broken state file
 * goes into the report. */
static int find_stage(HookReport *report, Plan *plan, Str dir, bool *guessed)
{
    const OperatorState *state = plan_state(plan, dir);
    Str reason = hook_state_error(report->arena, report->lang, state);
    if (reason.length > 0) {
        hook_report_unchecked(report, STR(STATE_PATH), reason, false);
    }
    *guessed = !state->exists;
    return *guessed ? stage_from_artifacts(report->arena, dir, directory_name(report->arena, dir))
                    : state->current_stage;
}

/* Only blocking findings count here; the agent read the others after its edits. */
static void keep_blocking(HookReport *report)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < report->findings.count; i++) {
        if (finding_blocks(report->findings.items[i].finding)) {
            report->findings.items[kept++] = report->findings.items[i];
        }
    }
    report->findings.count = kept;
}

/* An agent that cannot repair a finding must not be held for ever: the second time it reads the
 * findings and may finish, unless the settings say otherwise. */
static void decide(HookOutcome *outcome, HookReport *report, Plan *plan, const HookCall *call,
                   const HookEvent *event, Str dir)
{
    Arena *arena = report->arena;
    bool again = event->stop_hook_active && !call->old_form;
    bool goes_on = event->client != NULL && event->client->goes_on_when_told;
    if (!again || plan_settings(plan, dir, call->lang)->config.stop_block_always) {
        *outcome = (HookOutcome){.decision = DECIDE_BLOCK, .reason = hook_stop_reason(report)};
        if (!call->old_form && goes_on) {
            hook_counter_stop(arena, dir, event->session, true);
        }
        return;
    }
    keep_blocking(report);
    outcome->context = hook_context(report);
    /* An agent that goes on after every message must get only one. */
    outcome->to_user = goes_on && hook_counter_stop(arena, dir, event->session, false) != 1;
}

void hook_stop(HookOutcome *outcome, Arena *arena, const HookCall *call, const HookEvent *event)
{
    Str dir;
    Str from = event->cwd.length > 0 ? event->cwd : call->working_dir;
    if (!operator_of_folder(arena, hook_path(arena, call, from), &dir)) {
        return;
    }
    dir = str_copy(arena, dir);
    HookReport report = {.arena = arena, .lang = call->lang, .limited = !call->old_form};
    bool guessed;
    Plan plan;
    plan_begin(&plan, arena, &(Caller){0});
    int stage = find_stage(&report, &plan, dir, &guessed);
    Run *run = report.unchecked.count > 0
                   ? NULL
                   : check_operator(&report, &plan, call, dir, stage, guessed);
    if (hook_report_blocks(&report)) {
        decide(outcome, &report, &plan, call, event, dir);
    }
    if (run != NULL) {
        const OperatorResults *operators = &run_result(run)->operators;
        for (uint32_t i = 0; i < operators->count; i++) {
            metrics_add_decision(call->metrics, operators->items[i],
                                 outcome->decision == DECIDE_BLOCK);
        }
        run_free(run);
    }
}
