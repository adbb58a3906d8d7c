/* Gemini CLI. The result of a command is one text for the model, which includes the exit status. */
#include "clients/client.h"

static ClientSign sign(const json_t *event)
{
    static const char *const own[] = {"AfterTool", "BeforeTool", "AfterAgent"};
    const char *name = json_string_value(json_object_get(event, "hook_event_name"));
    return name != NULL && STR_IS_ANY(str_from(name), own) ? SIGN_OWN : SIGN_NONE;
}

/* The exit status: after a failure the client appends it to the output, among other lines of its
 * own. */
static long long exit_code(Str text)
{
    static const char *const own[] = {
        "</untrusted_context>", "Process Group PGID:", "Background PIDs:", "Signal:", "Exit Code:"};
    enum { OWN = sizeof own / sizeof *own, SIGNAL = 3, CODE = 4 };
    long long found = 0;
    for (size_t end = text.length; end > 0;) {
        size_t start = end;
        while (start > 0 && text.at[start - 1] != '\n') {
            start--;
        }
        Str line = str_slice(text, start, end);
        end = start > 0 ? start - 1 : 0;
        int label = 0;
        while (label < OWN && !str_starts(line, str_from(own[label]))) {
            label++;
        }
        if (label == OWN && str_trim(line).length > 0) {
            break;
        }
        if (found == 0 && (label == SIGNAL || label == CODE)) {
            found = event_number(line, own[label]);
        }
    }
    return found;
}

static void read_result(HookEvent *event, Arena *arena, const json_t *root)
{
    const json_t *response = event_object(root, "tool_response");
    if (!json_text_at(arena, response, "llmContent", &event->out)) {
        return;
    }
    event->exit_code = exit_code(event->out);
    /* For a background command the event comes when it starts; a command that takes too long is
     * moved to the background. */
    Str start = STR("<untrusted_context>\n");
    Str text =
        str_slice(event->out, str_starts(event->out, start) ? start.length : 0, event->out.length);
    const json_t *input = event_object(root, "tool_input");
    event->has_result = !json_is_true(json_object_get(input, "is_background")) &&
                        !str_starts(text, STR("Command moved to background"));
}

const Client client_gemini = {
    .name = "gemini",
    .title = "Gemini CLI",
    .sign = sign,
    .variable = "GEMINI_CLI",
    .shell_tools = {"run_shell_command"},
    .read_result = read_result,
    .context_events = {"BeforeTool", "AfterTool", "BeforeAgent"},
    .format = SETTINGS_HOOKS,
    .path = ".gemini/settings.json",
    .user_variable = "GEMINI_CLI_HOME",
    .user_folder = "",
    .user_path = ".gemini/settings.json",
    .signs = {".gemini", "GEMINI.md"},
    .next = {"restart it; /hooks lists the hooks", "重新启动后生效；用 /hooks 查看"},
    .calls = {{"SessionStart", HOOK_NAME_SESSION_START, NULL},
              {"BeforeTool", HOOK_NAME_PRE_EDIT, "write_file|replace|run_shell_command"},
              {"AfterTool", HOOK_NAME_POST_EDIT, "write_file|replace"},
              {"AfterTool", HOOK_NAME_POST_BASH, "run_shell_command"},
              {"AfterAgent", HOOK_NAME_STOP, NULL}},
    .hooks_named = true,
    .in_milliseconds = true,
    .off_key = "hooksConfig.enabled",
    .off_value = "false",
};
