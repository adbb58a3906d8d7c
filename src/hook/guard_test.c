/* Guard test: commands that run a test; see hook_guard.h. */
#include "base/path.h"
#include "base/utf8.h"
#include "hook/hook_guard.h"
#include "hook/shell_words.h"
#include "hook/shell_wrap.h"
#include "operator/artifact.h"
#include "operator/text.h"

/* Is there `test_`, word characters, `.py` in the text? Any letters count as word characters. */
static bool names_test(Str text)
{
    for (size_t at = str_find(text, STR(TEST_START), 0); at != SIZE_MAX;) {
        size_t end = at + 5;
        size_t next = end;
        while (next < text.length && code_point_is_word(utf8_next(text, &next))) {
            end = next;
        }
        if (end > at + 5 && str_starts(str_slice(text, end, text.length), STR(".py"))) {
            return true;
        }
        at = str_find(text, STR(TEST_START), end);
    }
    return false;
}

/* As the Python linter decides it, by the text alone. */
static bool matches_old_pattern(Str command)
{
    size_t looked = 0; /* lines up to here have no test after their first `python` */
    for (size_t at = str_find(command, STR("python"), 0); at != SIZE_MAX;
         at = str_find(command, STR("python"), at + 6)) {
        size_t end = at + 6;
        end += end < command.length && command.at[end] == '3';
        size_t start = text_skip_space(command, end);
        if (start == end || start < looked) {
            continue;
        }
        size_t line_end = str_find(command, STR("\n"), start);
        line_end = line_end == SIZE_MAX ? command.length : line_end;
        if (names_test(str_slice(command, start, line_end))) {
            return true;
        }
        looked = line_end;
    }
    return false;
}

static bool is_test_file(Str word)
{
    Str name = path_name(word);
    return str_starts(name, STR(TEST_START)) && str_ends(name, STR(".py")) && name.length > 8;
}

/* Our own `test`, `run` or `verify`, pytest, a test started as a program, Python with a test or
 * with `-m pytest`. */
static bool runs_test(const ShellCommand *command)
{
    static const char *const own[] = {"test", "run", "verify"};
    static const char *const runners[] = {"pytest", "py.test"};
    bool piped = false;
    Strs words = shell_unwrap(command->words, &piped);
    if (words.count == 0) {
        return false;
    }
    Str name = path_name(words.items[0]);
    if (str_starts(name, STR("python"))) {
        for (uint32_t i = 1; i < words.count; i++) {
            if (is_test_file(words.items[i]) || STR_IS_ANY(words.items[i], runners)) {
                return true;
            }
        }
        return false;
    }
    bool ours = str_is(name, "pypto-lint") && words.count > 1 && STR_IS_ANY(words.items[1], own);
    return ours || STR_IS_ANY(name, runners) || is_test_file(name);
}

bool guard_runs_test(Arena *arena, const HookCall *call, Str command)
{
    bool matches = matches_old_pattern(command);
    if (call->old_form || matches) {
        return matches;
    }
    ShellText shell = {0};
    shell_split(&shell, arena, command, STR(""));
    for (uint32_t i = 0; i < shell.commands.count; i++) {
        if (runs_test(&shell.commands.items[i])) {
            return true;
        }
    }
    return false;
}
