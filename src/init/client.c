/* The table of clients; see client.h. */
#include "init/client.h"

const InitClient init_clients[INIT_CLIENT_COUNT] = {
    {.name = "claude",
     .kind = CLIENT_JSON_HOOKS,
     .path = ".claude/settings.json",
     .user_variable = "CLAUDE_CONFIG_DIR",
     .user_folder = ".claude",
     .user_path = "settings.json",
     .signs = {".claude", "CLAUDE.md"},
     .off_key = "disableAllHooks",
     .off_value = "true",
     .next = {"Claude Code: a session that is open takes the hooks at its next start; /hooks lists "
              "them",
              "Claude Code：已打开的会话重新启动后生效；用 /hooks 查看"}},
    {.name = "codex",
     .kind = CLIENT_JSON_HOOKS,
     .path = ".codex/hooks.json",
     .user_variable = "CODEX_HOME",
     .user_folder = ".codex",
     .user_path = "hooks.json",
     .signs = {".codex"},
     .off_key = "hooks",
     .off_value = "false",
     .off_file = "config.toml",
     .next = {"Codex: start it and trust the new hooks (/hooks); until then it does not run them",
              "Codex：启动后用 /hooks 信任新的钩子，此前不会运行"}},
    {.name = "gemini",
     .kind = CLIENT_JSON_HOOKS,
     .path = ".gemini/settings.json",
     .user_variable = "GEMINI_CLI_HOME",
     .user_folder = "",
     .user_path = ".gemini/settings.json",
     .signs = {".gemini", "GEMINI.md"},
     .off_object = "hooksConfig",
     .off_key = "enabled",
     .off_value = "false",
     .next = {"Gemini CLI: start it anew; /hooks lists the hooks",
              "Gemini CLI：重新启动后生效；用 /hooks 查看"}},
    {.name = "opencode",
     .kind = CLIENT_OWN_FILE,
     .path = ".opencode/plugin/pypto-lint.ts",
     .user_variable = "XDG_CONFIG_HOME",
     .user_folder = ".config",
     .user_path = "opencode/plugin/pypto-lint.ts",
     .signs = {".opencode", "opencode.json", "opencode.jsonc"},
     .next = {"OpenCode: start it anew", "OpenCode：重新启动后生效"}},
    {.name = "pre-commit",
     .kind = CLIENT_YAML_BLOCK,
     .path = ".pre-commit-config.yaml",
     .signs = {".pre-commit-config.yaml"},
     .placeholder = "ADDRESS-OF-PYPTO-LINT",
     .without_address = "pre-commit-local",
     .next = {"pre-commit: run `pre-commit install` once in each clone",
              "pre-commit：请在每个克隆中运行一次 pre-commit install"}},
    {.name = "github",
     .kind = CLIENT_STARTER,
     .path = ".github/workflows/pypto-lint.yml",
     .signs = {".github"},
     .placeholder = "OWNER/pypto-lint@REF",
     .next = {"GitHub: look through the workflow (branches, paths), then commit it",
              "GitHub：请检查工作流（分支、路径），然后提交"}},
};

const InitClient *init_client_find(Str name)
{
    for (int i = 0; i < INIT_CLIENT_COUNT; i++) {
        if (str_is(name, init_clients[i].name)) {
            return &init_clients[i];
        }
    }
    return NULL;
}

Str init_file_text(const char *name)
{
    for (uint32_t i = 0; i < init_file_count; i++) {
        if (strcmp(init_files[i].client, name) == 0) {
            return str_from(init_files[i].text);
        }
    }
    return STR("");
}
