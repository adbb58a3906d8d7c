/* Hook answer; see hook_answer.h. */
#include "hook/hook_answer.h"

#include "document/json.h"

enum { EXIT_GO_ON = 0, EXIT_STOP_BLOCKED = 2 };

/* One object with everything in it, as the Python linter prints it. */
static void add_old_form(Buf *out, const HookCall *call, const HookOutcome *outcome)
{
    buf_addf(out, "{\"hookSpecificOutput\": {\"hookEventName\": \"%s\"",
             answer_event_name(call->name, outcome));
    if (outcome->decision != DECIDE_NOTHING) {
        bool block = outcome->decision == DECIDE_BLOCK;
        buf_addf(out, ", \"decision\": \"%s\", \"reason\": ", block ? "block" : "allow");
        json_add_string(out, block ? outcome->reason : STR(""));
    }
    if (outcome->context.length > 0) {
        buf_add(out, STR(", \"additionalContext\": "));
        json_add_string(out, outcome->context);
    }
    buf_add(out, STR("}}\n"));
}

static Str joined(Arena *arena, Str first, Str second)
{
    return first.length == 0 ? second
                             : str_format(arena, "%.*s\n\n%.*s", STR_ARG(first), STR_ARG(second));
}

/* The remark about the call goes with any answer. It alone must not keep an agent going that wants
 * to finish. */
static HookOutcome with_remark(Arena *arena, const HookCall *call, const HookOutcome *outcome)
{
    HookOutcome all = *outcome;
    if (call->name == HOOK_NAME_STOP && all.decision == DECIDE_BLOCK) {
        all.reason = joined(arena, all.reason, call->remark);
    } else {
        all.to_user = all.to_user || (call->name == HOOK_NAME_STOP && all.context.length == 0);
        all.context = joined(arena, all.context, call->remark);
    }
    return all;
}

HookAnswer hook_answer(Arena *arena, const HookCall *call, const Client *client,
                       const HookOutcome *outcome)
{
    HookAnswer answer = {STR(""), STR(""), EXIT_GO_ON};
    HookOutcome with;
    if (call->remark.length > 0) {
        with = with_remark(arena, call, outcome);
        outcome = &with;
    }
    bool block = outcome->decision == DECIDE_BLOCK;
    if (!block && outcome->context.length == 0) {
        return answer;
    }
    Buf out = {.arena = arena};
    if (call->old_form) {
        add_old_form(&out, call, outcome);
        if (block && call->name == HOOK_NAME_STOP) {
            /* A host that honours the status shows standard error. */
            answer.status = EXIT_STOP_BLOCKED;
            answer.err = str_format(arena, "%.*s\n", STR_ARG(outcome->reason));
        }
    } else {
        answer_add(&out, client, call->name, outcome);
    }
    answer.out = buf_str(&out);
    return answer;
}
