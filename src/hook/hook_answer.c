/* Hook answer; see hook_answer.h. The common form is the one that Claude Code, Codex and Gemini CLI
 * all act on; a key more and Codex drops the whole answer. */
#include "hook/hook_answer.h"

#include "document/json.h"

enum { EXIT_GO_ON = 0, EXIT_STOP_BLOCKED = 2 };

/* Claude Code drops an answer that names another event. */
static const char *event_name(HookName name, const Outcome *outcome)
{
    if (outcome->tool_failed) {
        return "PostToolUseFailure";
    }
    switch (name) {
    case HOOK_NAME_PRE_EDIT:
        return "PreToolUse";
    case HOOK_NAME_STOP:
        return "Stop";
    case HOOK_NAME_SESSION_START:
        return "SessionStart";
    case HOOK_NAME_UNKNOWN:
        return outcome->event_name.at;
    case HOOK_NAME_POST_EDIT:
    case HOOK_NAME_POST_BASH:
        break;
    }
    return "PostToolUse";
}

static void add_member(Buf *out, const char *key, Str value)
{
    buf_addf(out, ",\"%s\":", key);
    json_add_string(out, value);
}

/* One object with everything in it, as the Python linter prints it. */
static void add_old_form(Buf *out, const HookCall *call, const Outcome *outcome)
{
    buf_addf(out, "{\"hookSpecificOutput\": {\"hookEventName\": \"%s\"",
             event_name(call->name, outcome));
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

static void add_specific(Buf *out, const HookCall *call, HookClient client, const Outcome *outcome)
{
    buf_addf(out, "\"hookSpecificOutput\":{\"hookEventName\":\"%s\"",
             event_name(call->name, outcome));
    if (call->name == HOOK_NAME_PRE_EDIT && client == CLIENT_CLAUDE &&
        outcome->decision == DECIDE_BLOCK) {
        /* Its documented way to refuse; the top-level one is called outdated there. */
        buf_add(out, STR(",\"permissionDecision\":\"deny\""));
        add_member(out, "permissionDecisionReason", outcome->reason);
    }
    if (outcome->context.length > 0) {
        add_member(out, "additionalContext", outcome->context);
    }
    buf_add_char(out, '}');
}

/* Codex takes no hookSpecificOutput from a stop hook; clients drop an answer that has one for an
 * event that takes none. */
static bool takes_specific(const HookCall *call, HookClient client, const Outcome *outcome)
{
    static const char *const takers[] = {"PreToolUse",   "PostToolUse",      "PostToolUseFailure",
                                         "SessionStart", "UserPromptSubmit", "BeforeTool",
                                         "AfterTool",    "BeforeAgent"};
    if (call->name == HOOK_NAME_UNKNOWN) {
        return STR_IS_ANY(outcome->event_name, takers);
    }
    return client != CLIENT_CODEX || call->name != HOOK_NAME_STOP;
}

static void add_common_form(Buf *out, const HookCall *call, HookClient client,
                            const Outcome *outcome)
{
    bool block = outcome->decision == DECIDE_BLOCK;
    bool specific = takes_specific(call, client, outcome);
    if (!block && (outcome->to_user || !specific)) {
        buf_add(out, STR("{\"systemMessage\":"));
        json_add_string(out, outcome->context);
        buf_add(out, STR("}\n"));
        return;
    }
    buf_add_char(out, '{');
    if (outcome->to_both) {
        buf_add(out, STR("\"systemMessage\":"));
        json_add_string(out, outcome->context);
        buf_add_char(out, ',');
    }
    if (block) {
        buf_add(out, STR("\"decision\":\"block\""));
        add_member(out, "reason", outcome->reason);
        buf_add(out, specific ? STR(",") : STR(""));
    }
    if (specific) {
        add_specific(out, call, client, outcome);
    }
    buf_add(out, STR("}\n"));
}

static Str joined(Arena *arena, Str first, Str second)
{
    return first.length == 0 ? second
                             : str_format(arena, "%.*s\n\n%.*s", STR_ARG(first), STR_ARG(second));
}

/* The remark about the call comes with whatever is told. An agent that wants to finish does not go
 * on because of it alone. */
static Outcome with_remark(Arena *arena, const HookCall *call, const Outcome *outcome)
{
    Outcome all = *outcome;
    if (call->name == HOOK_NAME_STOP && all.decision == DECIDE_BLOCK) {
        all.reason = joined(arena, all.reason, call->remark);
    } else {
        all.to_user = all.to_user || (call->name == HOOK_NAME_STOP && all.context.length == 0);
        all.context = joined(arena, all.context, call->remark);
    }
    return all;
}

HookAnswer hook_answer(Arena *arena, const HookCall *call, HookClient client,
                       const Outcome *outcome)
{
    HookAnswer answer = {STR(""), STR(""), EXIT_GO_ON};
    Outcome with;
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
        add_common_form(&out, call, client, outcome);
    }
    answer.out = buf_str(&out);
    return answer;
}
