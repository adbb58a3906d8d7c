/* OpenCode. Its hooks are not commands: our plugin calls the linter and forwards the events. */
#include "clients/client.h"

static ClientSign sign(const json_t *event)
{
    bool own =
        json_object_get(event, "sessionID") != NULL || json_object_get(event, "callID") != NULL;
    return own ? SIGN_OWN : SIGN_NONE;
}

static void read_call(HookEvent *event, Arena *arena, const json_t *root, bool after)
{
    (void)after;
    if (event_object(root, "tool_input") == NULL) {
        json_text_at(arena, root, "tool", &event->tool);
        event_read_input(event, arena, event_object(root, "args"), false);
    }
}

const Client client_opencode = {
    .name = "opencode",
    .title = "OpenCode",
    .sign = sign,
    .shell_tools = {"bash"},
    .read_call = read_call,
    .format = SETTINGS_OWN_FILE,
    .path = ".opencode/plugin/pypto-lint.ts",
    .user_variable = "XDG_CONFIG_HOME",
    .user_folder = ".config",
    .user_path = "opencode/plugin/pypto-lint.ts",
    .signs = {".opencode", "opencode.json", "opencode.jsonc"},
    .next = {"restart it", "重新启动后生效"},
    .file = "opencode/pypto-lint.ts",
};
