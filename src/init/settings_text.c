/* Settings as text; see settings_text.h. Entries for hooks are made from the client's table.
 * Clients take a hook that does not run for one without objections. So each call is part of a shell
 * command that answers in its place (docs/agents/hooks.md). */
#include "init/settings_text.h"

#include "document/json.h"
#include "init/json_hooks.h"

#define NOT_RUN      "pypto-lint did not run (status '$?'): "
#define FILE_NOT_RUN NOT_RUN "the file is not checked / 未检查"
#define CALL_NOT_RUN NOT_RUN "this call is not guarded / 未检查"
#define TEST_NOT_RUN NOT_RUN "no verdict about a test / 未检查"
#define GATE_NOT_RUN NOT_RUN "the gate is not checked / 未检查"
#define OLD_OR_MISSING                                                                             \
    "pypto-lint is missing or too old (status '$?'), these settings want " PYPTO_LINT_VERSION      \
    ": operators are not checked / 未检查; tell the user"
#define CONTEXT(event, text)                                                                       \
    "\"hookSpecificOutput\":{\"hookEventName\":\"" event "\",\"additionalContext\":\"" text "\"}"
#define TELL        "; tell the user"
#define BLOCK(text) "'{\"decision\":\"block\",\"reason\":\"" text TELL "\"}'"

/* The shell's answer, to be put after `|| `; %s is the name of the event. */
static const char *const stand_ins[HOOK_NAME_COUNT] = {
    [HOOK_NAME_POST_EDIT] = "a=" BLOCK(FILE_NOT_RUN),
    [HOOK_NAME_PRE_EDIT] = "a='{" CONTEXT("%s", CALL_NOT_RUN) "}'",
    [HOOK_NAME_POST_BASH] = "a='{" CONTEXT("%s", TEST_NOT_RUN) "}'",
    /* Only a client that says so is known not to have been held already. */
    [HOOK_NAME_STOP] = "case $i in *'\"stop_hook_active\":false'*) a=" BLOCK(
        GATE_NOT_RUN) ";; *) a='{\"systemMessage\":\"" GATE_NOT_RUN "\"}';; esac",
    [HOOK_NAME_SESSION_START] =
        "a='{\"systemMessage\":\"" OLD_OR_MISSING "\"," CONTEXT("%s", OLD_OR_MISSING) "}'",
};

/* The name of the event in answers: Claude Code's. Its PostToolUseFailure, whose name begins with
 * the hook's own, stays. */
static const char *answered_event(const HookSetting *call)
{
    const char *common = hook_facts[call->hook].event;
    return str_starts(str_from(call->event), str_from(common)) ? call->event : common;
}

/* The texts of the stand-ins, to be put between single quotes: those of `'$?'` end and reopen them,
 * so that the shell fills in the status. */
static const char *const not_run[HOOK_NAME_COUNT] = {
    [HOOK_NAME_POST_EDIT] = FILE_NOT_RUN TELL,  [HOOK_NAME_PRE_EDIT] = CALL_NOT_RUN,
    [HOOK_NAME_POST_BASH] = TEST_NOT_RUN,       [HOOK_NAME_STOP] = GATE_NOT_RUN,
    [HOOK_NAME_SESSION_START] = OLD_OR_MISSING,
};

/* The stand-in of a client whose answers have a form of their own. At the end of a session it does
 * not block: nothing says here whether the agent was held already. */
static Str own_stand_in(Arena *arena, const Client *client, const HookSetting *call)
{
    Str text = str_from(not_run[call->hook]);
    HookOutcome outcome = {.decision = DECIDE_NOTHING, .context = text, .to_both = true};
    if (call->hook == HOOK_NAME_POST_EDIT) {
        outcome = (HookOutcome){.decision = DECIDE_BLOCK, .reason = text};
    }
    Buf out = {.arena = arena};
    answer_add(&out, client, call->hook, &outcome);
    return str_format(arena, "a='%.*s'", STR_ARG(str_trim(buf_str(&out))));
}

static Str command_line(Arena *arena, const Client *client, const HookSetting *call)
{
    const HookFacts *facts = &hook_facts[call->hook];
    bool own = client->answer != NULL;
    bool reads = call->hook == HOOK_NAME_STOP && !own; /* its stand-in depends on the event */
    Buf out = {.arena = arena};
    buf_add(&out, reads ? STR("i=$(cat); a=$(printf %s \"$i\" | ") : STR("a=$("));
    buf_addf(&out, "timeout %u pypto-lint hook %s", facts->shell_limit, facts->name);
    if (call->hook == HOOK_NAME_SESSION_START) {
        buf_add(&out, STR(" --wants " PYPTO_LINT_VERSION));
    }
    if (!client->calls_unnamed) {
        buf_addf(&out, " --client %s", client->name);
    }
    buf_add(&out, STR(") || "));
    if (own) {
        buf_add(&out, own_stand_in(out.arena, client, call));
    } else {
        buf_addf(&out, stand_ins[call->hook], answered_event(call));
    }
    buf_add(&out, STR("; printf %s \"$a\""));
    return buf_str(&out);
}

static void add_entry(Buf *out, const Client *client, const HookSetting *call)
{
    const HookFacts *facts = &hook_facts[call->hook];
    buf_add_char(out, '{');
    if (call->tools != NULL) {
        buf_addf(out, "\"matcher\":\"%s\",", call->tools);
    }
    buf_add(out, STR("\"hooks\":[{"));
    if (client->hooks_named) {
        buf_addf(out, "\"name\":\"pypto-lint %s\",", facts->name);
    }
    buf_add(out, STR("\"type\":\"command\",\"command\":"));
    json_add_string(out, command_line(out->arena, client, call));
    buf_addf(out, ",\"timeout\":%u}]}", facts->client_limit * (client->in_milliseconds ? 1000 : 1));
}

static Str hooks_text(Arena *arena, const Client *client)
{
    Buf out = {.arena = arena};
    buf_add(&out, STR("{\n\"hooks\":{"));
    const char *event = "";
    for (int i = 0; i < MAX_CALLS && client->calls[i].event != NULL; i++) {
        const HookSetting *call = &client->calls[i];
        bool same = strcmp(event, call->event) == 0;
        event = call->event;
        buf_add(&out, i == 0 ? STR("") : same ? STR(",") : STR("],"));
        if (!same) {
            buf_addf(&out, "\"%s\":[", event);
        }
        add_entry(&out, client, call);
    }
    buf_add(&out, STR("]}}"));
    return hooks_new(arena, buf_str(&out), STR("pypto-lint"));
}

Str settings_file(const char *name)
{
    for (uint32_t i = 0; i < settings_file_count; i++) {
        if (strcmp(settings_files[i].name, name) == 0) {
            return str_from(settings_files[i].text);
        }
    }
    return STR("");
}

Str settings_text(Arena *arena, const Client *client)
{
    return client->format == SETTINGS_HOOKS ? hooks_text(arena, client)
                                            : settings_file(client->file);
}
