/* Codex. It edits with patches of several files, and does not report the exit status of
 * commands. */
#include "base/path.h"
#include "clients/client.h"

static ClientSign sign(const json_t *event)
{
    const char *tool = json_string_value(json_object_get(event, "tool_name"));
    bool patch = tool != NULL && strcmp(tool, "apply_patch") == 0;
    return patch || json_object_get(event, "turn_id") != NULL ? SIGN_OWN : SIGN_NONE;
}

/* --- patches */

/* False when there are too many. */
static bool add_file(Strs *files, Arena *arena, Str path)
{
    if (files->count == EVENT_MAX_FILES) {
        return false;
    }
    VEC_PUSH(arena, files, path);
    return true;
}

static bool add_gone(HookEvent *event, Arena *arena, Str path)
{
    return !str_is(path_name(path), "SPEC.md") || add_file(&event->gone_specs, arena, path);
}

/* One line of a patch. Once the patch is applied (`after`), deleted files and those that were moved
 * away are not among `files`. False when there are too many. */
static bool read_line(HookEvent *event, Arena *arena, Str line, bool after)
{
    static const char *const marks[] = {
        "*** Add File:", "*** Update File:", "*** Move to:", "*** Delete File:"};
    enum { MOVE = 2, DELETE = 3, MARKS = 4 };
    Strs *files = &event->files;
    for (int i = 0; i < MARKS; i++) {
        Str mark = str_from(marks[i]);
        Str path = str_trim(str_slice(line, mark.length, line.length));
        if (!str_starts(line, mark) || !event_is_path(path)) {
            continue;
        }
        bool room = true;
        if (i == MOVE && after && files->count > 0) {
            /* The "Update File" before it named the file's old path. */
            room = add_gone(event, arena, files->items[--files->count]);
        }
        return room &&
               (i == DELETE && after ? add_gone(event, arena, path) : add_file(files, arena, path));
    }
    return true;
}

/* Paths in a patch are relative to the agent's working directory. */
static void complete_paths(Strs *files, Arena *arena, Str cwd)
{
    for (uint32_t i = 0; i < files->count; i++) {
        Str *path = &files->items[i];
        *path = path_from_client(arena, *path);
        if (!path_is_absolute(*path) && cwd.length > 0) {
            *path = path_join(arena, cwd, *path);
        } else {
            *path = str_copy(arena, *path);
        }
    }
}

static void read_call(HookEvent *event, Arena *arena, const json_t *root, bool after)
{
    (void)root;
    if (!event->has_command || !str_is(event->tool, "apply_patch")) {
        return;
    }
    Str patch = event->command;
    for (size_t at = 0; at < patch.length && !event->many_files;) {
        Str line = str_slice(patch, at, str_find(patch, STR("\n"), at));
        event->many_files = !read_line(event, arena, str_trim(line), after);
        at += line.length + 1;
    }
    complete_paths(&event->files, arena, event->cwd);
    complete_paths(&event->gone_specs, arena, event->cwd);
}

/* --- results */

/* The output is a bare string. */
static void read_result(HookEvent *event, Arena *arena, const json_t *root)
{
    if (!event->has_result) {
        event->has_result = json_text_at(arena, root, "tool_response", &event->out);
        event->no_exit_code = true;
    }
}

const Client client_codex = {
    .name = "codex",
    .title = "Codex",
    .sign = sign,
    .shell_tools = {"Bash", "shell", "exec_command", "local_shell"},
    .read_call = read_call,
    .read_result = read_result,
    .plain_stop = true,
    .format = SETTINGS_HOOKS,
    .path = ".codex/hooks.json",
    .user_variable = "CODEX_HOME",
    .user_folder = ".codex",
    .user_path = "hooks.json",
    .signs = {".codex"},
    .next = {"start it and trust the new hooks (/hooks); until then it does not run them",
             "启动后用 /hooks 信任新的钩子，此前不会运行"},
    .calls = {{"SessionStart", HOOK_NAME_SESSION_START, NULL},
              {"PreToolUse", HOOK_NAME_PRE_EDIT, "apply_patch|Bash"},
              {"PostToolUse", HOOK_NAME_POST_EDIT, "apply_patch"},
              {"PostToolUse", HOOK_NAME_POST_BASH, "Bash"},
              {"Stop", HOOK_NAME_STOP, NULL}},
    .off_key = "features.hooks",
    .off_value = "false",
    .off_file = "config.toml",
};
