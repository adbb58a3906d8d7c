/* Reads events in the form that most clients share; see event.h. */
#include "clients/event.h"

#include "base/ascii.h"
#include "base/path.h"
#include "clients/client.h"

#include <limits.h>

/* --- values of any type */

const json_t *event_object(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_object(value) ? value : NULL;
}

bool event_is_path(Str path)
{
    return path.length > 0 && path.length < PATH_MAX && memchr(path.at, '\0', path.length) == NULL;
}

static bool path_at(Arena *arena, const json_t *object, const char *key, Str *path)
{
    Str found;
    if (!json_text_at(arena, object, key, &found) || !event_is_path(found)) {
        return false;
    }
    *path = path_from_client(arena, found);
    return true;
}

long long event_number(Str line, const char *label)
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

/* --- the parts */

/* Reads the texts of an edit of SPEC.md by the tools Edit (Claude Code), replace (Gemini CLI) or
 * edit (OpenCode); those of other edits are not needed. */
static void read_replacement(HookEvent *event, Arena *arena, const json_t *input, Str path)
{
    static const char *const tools[] = {"Edit", "edit", "replace"};
    bool replaces = false;
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
        replaces = replaces || str_is(event->tool, tools[i]);
    }
    if (!replaces || !str_is(path_basename(path), "SPEC.md") ||
        json_object_get(input, "edits") != NULL ||
        json_is_true(json_object_get(input, "replace_all")) ||
        json_is_true(json_object_get(input, "replaceAll"))) {
        return;
    }
    Str old_text, new_text;
    if ((json_text_at(arena, input, "old_string", &old_text) &&
         json_text_at(arena, input, "new_string", &new_text)) ||
        (json_text_at(arena, input, "oldString", &old_text) &&
         json_text_at(arena, input, "newString", &new_text))) {
        event->old_text = old_text;
        event->new_text = new_text;
    }
}

void event_read_input(HookEvent *event, Arena *arena, const json_t *input, bool old_form)
{
    Str path;
    if (path_at(arena, input, "file_path", &path) ||
        (!old_form && path_at(arena, input, "filePath", &path))) {
        VEC_PUSH(arena, &event->files, path);
        read_replacement(event, arena, input, path);
    }
    event->has_command = json_text_at(arena, input, "command", &event->command);
}

/* False without a result. */
static bool read_result(HookEvent *event, Arena *arena, const json_t *result)
{
    if (result == NULL) {
        return false;
    }
    event->has_result = true;
    json_text_at(arena, result, "stdout", &event->out);
    json_text_at(arena, result, "stderr", &event->err);
    const json_t *code = json_object_get(result, "exit_code");
    event->exit_code = json_is_integer(code) ? (long long)json_integer_value(code) : 0;
    return true;
}

static void read_root(HookEvent *event, Arena *arena, const json_t *root, HookName hook,
                      bool old_form)
{
    json_text_at(arena, root, "hook_event_name", &event->name);
    json_text_at(arena, root, "tool_name", &event->tool);
    path_at(arena, root, "cwd", &event->cwd);
    json_text_at(arena, root, "session_id", &event->session);
    event->stop_hook_active = json_is_true(json_object_get(root, "stop_hook_active"));
    event->client = event->client == NULL ? client_of_event(root) : event->client;
    const Client *own = event->client == NULL ? clients[0] : event->client;
    event_read_input(event, arena, event_object(root, "tool_input"), old_form);
    if (own->read_call != NULL && !old_form) {
        own->read_call(event, arena, root, hook != HOOK_NAME_PRE_EDIT);
    }
    /* The old name has priority. */
    if (hook != HOOK_NAME_POST_BASH ||
        read_result(event, arena, event_object(root, "tool_result"))) {
        return;
    }
    read_result(event, arena, event_object(root, "tool_response"));
    if (own->read_result != NULL && !old_form) {
        own->read_result(event, arena, root);
    }
}

/* --- the event */

void event_read(HookEvent *event, Arena *arena, Str text, HookName hook, const Client *client,
                bool old_form)
{
    const Str none = STR("");
    *event = (HookEvent){.client = client,
                         .name = none,
                         .tool = none,
                         .command = none,
                         .out = none,
                         .err = none,
                         .old_text = none,
                         .new_text = none,
                         .cwd = none,
                         .session = none};
    if (str_trim(text).length == 0) {
        return;
    }
    json_t *root = json_read_lenient(arena, text);
    event->broken = !json_is_object(root);
    if (!event->broken) {
        /* The tree is not in the arena, so it must be freed before the outer guard is reached. */
        jmp_buf *outer = arena->guard;
        jmp_buf here;
        if (!OOM_GUARD(arena, here)) {
            json_decref(root);
            arena->guard = outer;
            arena_fail(arena);
        }
        read_root(event, arena, root, hook, old_form);
        arena->guard = outer;
    }
    json_decref(root);
}
