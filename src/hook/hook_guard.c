/* Hook guard; see hook_guard.h. */
#include "hook/hook_guard.h"

#include "base/path.h"
#include "hook/guard.h"
#include "hook/guard_code.h"
#include "hook/hook_steps.h"
#include "hook/shell_wrap.h"
#include "lint/discover.h"
#include "operator/state.h"

enum { MAX_SCRIPTS = 64, MAX_DEPTH = 4, MAX_BASE = 4096 };

/* --- names */

Str guard_name(const Guard *guard)
{
    return guard->state ? STR(STATE_PATH) : STR("x_impl.py");
}

Str guard_place(const Guard *guard, Str word)
{
    bool absolute = path_is_absolute(word);
    if (word.length == 0 || shell_has_any(word, "$~*?[{") ||
        (!absolute && guard->base.length == 0)) {
        return STR("");
    }
    Str path = absolute ? word : path_join(guard->arena, guard->base, word);
    return hook_path(guard->arena, guard->call, path);
}

bool guard_is_in_operator(const Guard *guard, Str path)
{
    Str dir, name;
    return str_contains(path, STR("/custom/")) || operator_of_file(guard->arena, path, &dir, &name);
}

static bool is_scratch(Str path)
{
    static const char *const scratch[] = {"/tmp/", "/var/tmp/", "/dev/"};
    for (size_t i = 0; i < sizeof scratch / sizeof *scratch; i++) {
        if (str_starts(path, str_from(scratch[i]))) {
            return true;
        }
    }
    return false;
}

/* A copy outside any operator, or a test of something else. A relative name counts as scratch only
 * after `cd` led out of the folder where the command starts, which may be in /tmp itself. */
static bool is_elsewhere(const Guard *guard, Str word)
{
    Str path = guard_place(guard, word), inside;
    bool test = str_starts(path_name(word), STR(TEST_START));
    bool scratch =
        is_scratch(path) && (is_scratch(word) || !path_below(guard->start, path, &inside));
    return path.length > 0 && (test || scratch) && !guard_is_in_operator(guard, path);
}

bool guard_names(const Guard *guard, Str word)
{
    if (guard->state) {
        return str_contains(word, STR(STATE_PATH));
    }
    size_t equals = str_find(word, STR("="), 0);
    Str file = str_slice(word, equals == SIZE_MAX ? 0 : equals + 1, word.length);
    return artifact_is_code(path_basename(file)) && !is_elsewhere(guard, file);
}

bool guard_text_names(const Guard *guard, Str text)
{
    return guard->state ? str_contains(text, STR(STATE_PATH)) : code_has_artifact(text);
}

bool guard_any_names(Guard *guard, const ShellCommand *command)
{
    for (uint32_t i = 1; i < command->words.count; i++) {
        if (guard_names(guard, command->words.items[i])) {
            return true;
        }
    }
    return false;
}

/* --- commands */

void guard_push_script(Guard *guard, Str text)
{
    if (text.length > 0 && guard->scripts.count < MAX_SCRIPTS) {
        VEC_PUSH(guard->arena, &guard->scripts, text);
    }
}

static void change_folder(Guard *guard, const Strs *words)
{
    Str to = words->count > 1 ? words->items[words->count - 1] : STR("");
    bool absolute = path_is_absolute(to);
    bool known = to.length > 0 && to.length + guard->base.length < MAX_BASE &&
                 !shell_has_any(to, "$~*?[{") && to.at[0] != '-' &&
                 (absolute || guard->base.length > 0);
    guard->base = !known ? STR("") : absolute ? to : path_join(guard->arena, guard->base, to);
}

bool guard_command_writes(Guard *guard, const ShellCommand *command)
{
    for (uint32_t i = 0; i < command->targets.count; i++) {
        if (guard_names(guard, command->targets.items[i])) {
            return true;
        }
    }
    bool piped = false;
    ShellCommand inner = {.words = shell_unwrap(command->words, &piped), .input = command->input};
    if (inner.words.count == 0 || guard->depth > MAX_DEPTH) {
        return false;
    }
    if (str_is(inner.words.items[0], "cd") || str_is(inner.words.items[0], "pushd")) {
        change_folder(guard, &inner.words);
        return false;
    }
    if (piped && guard->mentions) {
        Strs more = {0};
        for (uint32_t i = 0; i < inner.words.count; i++) {
            VEC_PUSH(guard->arena, &more, inner.words.items[i]);
        }
        VEC_PUSH(guard->arena, &more, guard_name(guard));
        inner.words = more;
    }
    guard->depth++;
    bool writes = guard_program_writes(guard, &inner);
    guard->depth--;
    return writes;
}

/* The command, and the scripts and substitutions that are found in it on the way. */
static bool any_writes(Guard *guard, Str text)
{
    ShellText shell = {0};
    guard_push_script(guard, text);
    for (uint32_t i = 0; i < guard->scripts.count; i++) {
        uint32_t first = shell.commands.count, nested = shell.nested.count;
        shell_split(&shell, guard->arena, guard->scripts.items[i], guard_name(guard));
        for (uint32_t k = nested; k < shell.nested.count; k++) {
            guard_push_script(guard, shell.nested.items[k]);
        }
        for (uint32_t k = first; k < shell.commands.count; k++) {
            if (guard_command_writes(guard, &shell.commands.items[k])) {
                return true;
            }
        }
    }
    return false;
}

/* --- questions */

bool guard_writes_artifact(Arena *arena, const HookCall *call, Str command, Str cwd)
{
    Guard guard = {.arena = arena, .call = call, .start = cwd, .base = cwd};
    guard.mentions = code_has_artifact(command);
    return any_writes(&guard, command);
}

bool guard_writes_state(Arena *arena, const HookCall *call, Str command)
{
    Guard guard = {.arena = arena, .call = call, .start = STR(""), .base = STR(""), .state = true};
    guard.mentions = str_contains(command, STR(STATE_PATH));
    return any_writes(&guard, command);
}
