/* Answers in the common form, which Claude Code, Codex and Gemini CLI all understand; see answer.h.
 * Codex drops an answer that has any further key. */
#include "clients/answer.h"

#include "clients/client.h"

const char *answer_event_name(HookName hook, const HookOutcome *outcome)
{
    /* Claude Code drops an answer that names another event. */
    if (outcome->tool_failed) {
        return "PostToolUseFailure";
    }
    return hook == HOOK_NAME_UNKNOWN ? outcome->event_name.at : hook_facts[hook].event;
}

void answer_add_member(Buf *out, const char *key, Str value)
{
    buf_addf(out, "\"%s\":", key);
    json_add_string(out, value);
}

static void add_specific(Buf *out, const Client *client, HookName hook, const HookOutcome *outcome)
{
    buf_addf(out, "\"hookSpecificOutput\":{\"hookEventName\":\"%s\"",
             answer_event_name(hook, outcome));
    if (hook == HOOK_NAME_PRE_EDIT && outcome->decision == DECIDE_BLOCK && client != NULL &&
        client->takes_permission) {
        buf_add(out, STR(",\"permissionDecision\":\"deny\","));
        answer_add_member(out, "permissionDecisionReason", outcome->reason);
    }
    if (outcome->context.length > 0) {
        buf_add_char(out, ',');
        answer_add_member(out, "additionalContext", outcome->context);
    }
    buf_add_char(out, '}');
}

/* Clients drop an answer that has a hookSpecificOutput for an event that takes none. */
static bool takes_specific(const Client *client, HookName hook, const HookOutcome *outcome)
{
    if (hook != HOOK_NAME_UNKNOWN) {
        return hook != HOOK_NAME_STOP || client == NULL || !client->plain_stop;
    }
    for (int i = 0; i < CLIENT_COUNT; i++) {
        if (STR_IS_ANY(outcome->event_name, clients[i]->context_events)) {
            return true;
        }
    }
    return false;
}

static void add_common(Buf *out, const Client *client, HookName hook, const HookOutcome *outcome)
{
    bool block = outcome->decision == DECIDE_BLOCK;
    bool specific = takes_specific(client, hook, outcome);
    bool to_user = !block && (outcome->to_user || !specific);
    buf_add_char(out, '{');
    if (to_user || outcome->to_both) {
        answer_add_member(out, "systemMessage", outcome->context);
        buf_add(out, to_user ? STR("") : STR(","));
    }
    if (block) {
        buf_add(out, STR("\"decision\":\"block\","));
        answer_add_member(out, "reason", outcome->reason);
        buf_add(out, specific ? STR(",") : STR(""));
    }
    if (specific && !to_user) {
        add_specific(out, client, hook, outcome);
    }
    buf_add(out, STR("}\n"));
}

void answer_add(Buf *out, const Client *client, HookName hook, const HookOutcome *outcome)
{
    bool own = client != NULL && client->answer != NULL;
    (own ? client->answer : add_common)(out, client, hook, outcome);
}
