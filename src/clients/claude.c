/* Claude Code. Other clients copied the form of its events and answers, which is the common one. */
#include "clients/client.h"

static ClientSign sign(const json_t *event)
{
    return json_object_get(event, "permission_mode") != NULL ? SIGN_SHARED : SIGN_NONE;
}

/* A failed command has an event of its own, whose `error` is "Exit code 3", a line end and the
 * output, or another text if the command did not run to its end. For a background command the event
 * comes when it starts. */
static void read_result(HookEvent *event, Arena *arena, const json_t *root)
{
    const json_t *response = event_object(root, "tool_response");
    event->tool_failed = str_is(event->name, "PostToolUseFailure");
    if (response != NULL) {
        const json_t *input = event_object(root, "tool_input");
        bool later = json_is_true(json_object_get(input, "run_in_background")) ||
                     json_is_string(json_object_get(response, "backgroundTaskId"));
        bool interrupted = json_is_true(json_object_get(response, "interrupted"));
        event->has_result = !later;
        event->exit_code = interrupted ? 1 : event->exit_code;
    } else if (event->tool_failed) {
        event->has_result = json_text_at(arena, root, "error", &event->out);
        long long code = event_number(event->out, "Exit code ");
        event->exit_code = code != 0 ? code : 1;
    }
}

const Client client_claude = {
    .name = "claude",
    .title = "Claude Code",
    .sign = sign,
    .variable = "CLAUDECODE",
    .shell_tools = {"Bash"},
    .read_result = read_result,
    .takes_permission =
        true, /* the documented way; the documentation calls the top-level one deprecated */
    .context_events = {"PreToolUse", "PostToolUse", "PostToolUseFailure", "SessionStart",
                       "UserPromptSubmit"},
    .goes_on_when_told = true,
    .format = SETTINGS_HOOKS,
    .path = ".claude/settings.json",
    .user_variable = "CLAUDE_CONFIG_DIR",
    .user_folder = ".claude",
    .user_path = "settings.json",
    .signs = {".claude", "CLAUDE.md"},
    .next = {"restart open sessions to load the hooks; /hooks lists them",
             "已打开的会话重新启动后生效；用 /hooks 查看"},
    .calls = {{"SessionStart", HOOK_NAME_SESSION_START, NULL},
              {"PreToolUse", HOOK_NAME_PRE_EDIT, "Write|Edit|MultiEdit|Bash"},
              {"PostToolUse", HOOK_NAME_POST_EDIT, "Write|Edit|MultiEdit"},
              {"PostToolUse", HOOK_NAME_POST_BASH, "Bash"},
              {"PostToolUseFailure", HOOK_NAME_POST_BASH, "Bash"},
              {"Stop", HOOK_NAME_STOP, NULL}},
    .calls_unnamed = true,
    .off_key = "disableAllHooks",
    .off_value = "true",
};
