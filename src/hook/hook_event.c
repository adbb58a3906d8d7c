/* Hook event: fields; see hook_event.h. Which client sends what is in docs/hooks.md. */
#include "hook/hook_event.h"

#include "base/ascii.h"
#include "document/json.h"
#include "lint/paths.h"

#include <limits.h>
#include <stdlib.h>

/* --- values of any type */

static const json_t *object_at(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_object(value) ? value : NULL;
}

/* A string in the arena; false for any other type and for nothing. */
static bool string_at(Arena *arena, const json_t *object, const char *key, Str *text)
{
    const json_t *value = json_object_get(object, key);
    if (!json_is_string(value)) {
        return false;
    }
    Str found = {json_string_value(value), json_string_length(value)};
    *text = (Str){str_dup(arena, found), found.length};
    return true;
}

/* What can be the path of a file: no NUL in it, no longer than the system takes. */
static bool is_path(Str path)
{
    return path.length > 0 && path.length < PATH_MAX && memchr(path.at, '\0', path.length) == NULL;
}

static bool path_at(Arena *arena, const json_t *object, const char *key, Str *path)
{
    Str found;
    if (!string_at(arena, object, key, &found) || !is_path(found)) {
        return false;
    }
    *path = found;
    return true;
}

/* --- clients */

static bool has(const json_t *root, const char *key)
{
    return json_object_get(root, key) != NULL;
}

static bool has_variable(const char *name)
{
    const char *value = getenv(name);
    return value != NULL && *value != '\0';
}

/* The event tells best; the environment is inherited by clients that other clients start. */
static HookClient find_client(const json_t *root, Str tool, Str name)
{
    if (str_is(name, "AfterTool") || str_is(name, "BeforeTool") || str_is(name, "AfterAgent")) {
        return CLIENT_GEMINI;
    }
    if (has(root, "turn_id") || str_is(tool, "apply_patch")) {
        return CLIENT_CODEX;
    }
    if (has(root, "sessionID") || has(root, "callID")) {
        return CLIENT_OPENCODE;
    }
    if (has(root, "permission_mode") || has_variable("CLAUDECODE")) {
        return CLIENT_CLAUDE;
    }
    return has_variable("GEMINI_CLI") ? CLIENT_GEMINI : CLIENT_UNKNOWN;
}

/* --- files */

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

/* Paths in the text of a patch ("*** Add File: a.py", "*** Update File: …", "*** Move to: …"), in
 * order. Once it is `applied`, deleted files and those that were moved away are not among them.
 * False when there are too many. */
static bool patch_files(HookEvent *event, Arena *arena, Str patch, bool applied)
{
    static const char *const marks[] = {
        "*** Add File:", "*** Update File:", "*** Move to:", "*** Delete File:"};
    enum { MOVE = 2, DELETE = 3, MARKS = 4 };
    Strs *files = &event->files;
    size_t at = 0;
    while (at < patch.length) {
        size_t end = str_find(patch, STR("\n"), at);
        end = end == SIZE_MAX ? patch.length : end;
        Str line = str_trim(str_slice(patch, at, end));
        at = end + 1;
        for (int i = 0; i < MARKS; i++) {
            Str mark = str_from(marks[i]);
            Str path = str_trim(str_slice(line, mark.length, line.length));
            if (!str_starts(line, mark) || !is_path(path)) {
                continue;
            }
            bool room = true;
            if (i == MOVE && applied && files->count > 0) {
                /* the update before it was of the place it leaves */
                room = add_gone(event, arena, files->items[--files->count]);
            }
            room = room && (i == DELETE && applied ? add_gone(event, arena, path)
                                                   : add_file(files, arena, path));
            if (!room) {
                return false;
            }
        }
    }
    return true;
}

/* Makes them absolute: they are relative to the folder that the agent works in. */
static void complete_paths(Strs *files, Arena *arena, Str cwd)
{
    for (uint32_t i = 0; i < files->count; i++) {
        Str *path = &files->items[i];
        if (path->at[0] != '/' && cwd.length > 0) {
            *path = path_join(arena, cwd, *path);
        } else {
            path->at = str_dup(arena, *path);
        }
    }
}

static void read_patch(HookEvent *event, Arena *arena, Str patch, bool applied)
{
    event->many_files = !patch_files(event, arena, patch, applied);
    complete_paths(&event->files, arena, event->cwd);
    complete_paths(&event->gone_specs, arena, event->cwd);
}

static void read_tool_input(HookEvent *event, Arena *arena, const json_t *input,
                            const HookCall *call)
{
    bool old_form = call->old_form;
    static const char *const keys[] = {"file_path", "filePath"};
    for (int i = 0; i < (old_form ? 1 : 2) && event->files.count == 0; i++) {
        Str path;
        if (path_at(arena, input, keys[i], &path)) {
            VEC_PUSH(arena, &event->files, path);
        }
    }
    event->has_command = string_at(arena, input, "command", &event->command);
    if (!old_form && event->has_command && str_is(event->tool, "apply_patch")) {
        read_patch(event, arena, event->command, call->name != HOOK_NAME_PRE_EDIT);
    }
}

/* --- results */

static void read_result_object(HookEvent *event, Arena *arena, const json_t *result)
{
    event->has_result = true;
    string_at(arena, result, "stdout", &event->out);
    string_at(arena, result, "stderr", &event->err);
    const json_t *code = json_object_get(result, "exit_code");
    event->exit_code = json_is_integer(code) ? (long long)json_integer_value(code) : 0;
}

/* The number behind `label` at the start of the line; 0 when there is none, 1 for another word. */
static long long labelled_number(Str line, const char *label)
{
    Str name = str_from(label);
    if (!str_starts(line, name)) {
        return 0;
    }
    Str number = str_trim(str_slice(line, name.length, line.length));
    if (str_starts(number, STR("SIG"))) {
        return 1;
    }
    size_t digits = number.length > 0 && number.at[0] == '-' ? 1 : 0;
    long long value = 0;
    for (; digits < number.length && digits < 10 && is_digit(number.at[digits]); digits++) {
        value = value * 10 + (number.at[digits] - '0');
    }
    return value;
}

/* Gemini CLI writes it below the output, among other lines of its own, and only when it tells of a
 * failure. */
static long long gemini_exit_code(Str text)
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
            found = labelled_number(line, own[label]);
        }
    }
    return found;
}

/* "Exit code 3", a line end, the output; or another text, when the command did not run to its end.
 */
static void read_failure(HookEvent *event, Arena *arena, const json_t *root)
{
    event->has_result = string_at(arena, root, "error", &event->out);
    long long code = labelled_number(event->out, "Exit code ");
    event->exit_code = code != 0 ? code : 1;
}

/* Is the command still running, so that its output is yet to come? Claude Code and Gemini CLI send
 * the event nevertheless, also for a command that they put there because it took too long. */
static bool is_in_background(const json_t *input, const json_t *response, Str output)
{
    Str own = STR("<untrusted_context>\n");
    Str text = str_slice(output, str_starts(output, own) ? own.length : 0, output.length);
    return json_is_true(json_object_get(input, "run_in_background")) ||
           json_is_true(json_object_get(input, "is_background")) ||
           json_is_string(json_object_get(response, "backgroundTaskId")) ||
           str_starts(text, STR("Command moved to background"));
}

static void read_response(HookEvent *event, Arena *arena, const json_t *root,
                          const json_t *response)
{
    if (event->client == CLIENT_GEMINI && string_at(arena, response, "llmContent", &event->out)) {
        event->exit_code = gemini_exit_code(event->out);
    }
    if (json_is_true(json_object_get(response, "interrupted"))) {
        event->exit_code = 1;
    }
    if (is_in_background(object_at(root, "tool_input"), response, event->out)) {
        event->has_result = false;
    }
}

/* The old name counts first. Codex gives the output as a bare string, Gemini under a name of its
 * own. */
static void read_result(HookEvent *event, Arena *arena, const json_t *root, bool old_form)
{
    const json_t *result = object_at(root, "tool_result");
    const json_t *response = object_at(root, "tool_response");
    if (result != NULL) {
        read_result_object(event, arena, result);
    } else if (response != NULL) {
        read_result_object(event, arena, response);
        if (!old_form) {
            read_response(event, arena, root, response);
        }
    } else if (!old_form && event->client == CLIENT_CODEX) {
        event->has_result = string_at(arena, root, "tool_response", &event->out);
        event->no_exit_code = true;
    } else if (event->tool_failed) {
        read_failure(event, arena, root);
    }
}

/* --- the event */

static void read_root(HookEvent *event, Arena *arena, const json_t *root, const HookCall *call)
{
    string_at(arena, root, "hook_event_name", &event->name);
    string_at(arena, root, "tool_name", &event->tool);
    path_at(arena, root, "cwd", &event->cwd);
    string_at(arena, root, "session_id", &event->session);
    if (call->client == CLIENT_UNKNOWN) {
        event->client = find_client(root, event->tool, event->name);
    }
    event->tool_failed = !call->old_form && str_is(event->name, "PostToolUseFailure");
    event->stop_hook_active = json_is_true(json_object_get(root, "stop_hook_active"));
    const json_t *input = object_at(root, "tool_input");
    if (input == NULL && !call->old_form && event->client == CLIENT_OPENCODE) {
        string_at(arena, root, "tool", &event->tool);
        input = object_at(root, "args");
    }
    read_tool_input(event, arena, input, call);
    if (call->name == HOOK_NAME_POST_BASH) {
        read_result(event, arena, root, call->old_form);
    }
}

void hook_event_read(HookEvent *event, Arena *arena, Str text, const HookCall *call)
{
    const Str none = STR("");
    *event = (HookEvent){.client = call->client,
                         .name = none,
                         .tool = none,
                         .command = none,
                         .out = none,
                         .err = none,
                         .cwd = none,
                         .session = none};
    if (str_trim(text).length == 0) {
        return;
    }
    json_t *root = json_read_lenient(arena, text);
    event->broken = !json_is_object(root);
    if (!event->broken) {
        /* The tree is not in the arena: it must be given back before the guard is reached. */
        jmp_buf *outer = arena->guard;
        jmp_buf here;
        if (!OOM_GUARD(arena, here)) {
            json_decref(root);
            arena->guard = outer;
            arena_fail(arena);
        }
        read_root(event, arena, root, call);
        arena->guard = outer;
    }
    json_decref(root);
}

bool hook_event_is_shell(const HookEvent *event)
{
    static const char *const names[] = {"Bash",         "bash",       "shell", "run_shell_command",
                                        "exec_command", "local_shell"};
    return event->has_command && STR_IS_ANY(event->tool, names);
}
