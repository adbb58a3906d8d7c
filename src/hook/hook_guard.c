/* Hook guard; see hook_guard.h. */
#include "hook/hook_guard.h"

#include "base/path.h"
#include "hook/guard_code.h"
#include "hook/hook_steps.h"
#include "hook/shell_words.h"
#include "hook/shell_wrap.h"
#include "lint/discover.h"
#include "operator/state.h"
#include "operator/text.h"

#include <stdlib.h>

enum { MAX_SCRIPTS = 64, MAX_DEPTH = 4, MAX_BASE = 4096 };

typedef struct Guard {
    Arena *arena;
    const HookCall *call;
    bool state;    /* it is the state file that is guarded, not the artifacts */
    bool mentions; /* there is such a name somewhere in the command */
    Str start;     /* where the command starts, absolute; empty when that is not known */
    Str base;      /* where its parts run, after `cd`; likewise */
    Strs scripts;  /* to be looked at: the command, and those in it */
    int depth;     /* of programs that run others: find -exec */
} Guard;

/* --- names */

static Str synthetic(const Guard *guard)
{
    return guard->state ? STR(STATE_PATH) : STR("x_impl.py");
}

/* The path of a word, absolute; empty when it is not known. */
static Str place_of(const Guard *guard, Str word)
{
    bool absolute = word.length > 0 && word.at[0] == '/';
    if (word.length == 0 || shell_has_any(word, "$~*?[{") ||
        (!absolute && guard->base.length == 0)) {
        return STR("");
    }
    Str path = absolute ? word : path_join(guard->arena, guard->base, word);
    return hook_path(guard->arena, guard->call, path);
}

static bool is_in_operator(const Guard *guard, Str path)
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
    Str path = place_of(guard, word), inside;
    bool test = str_starts(path_name(word), STR("test_"));
    bool scratch =
        is_scratch(path) && (is_scratch(word) || !path_below(guard->start, path, &inside));
    return path.length > 0 && (test || scratch) && !is_in_operator(guard, path);
}

/* Is it the name of a guarded file, or one in an option (--output=x_impl.py, of=x_impl.py)? */
static bool names(const Guard *guard, Str word)
{
    if (guard->state) {
        return str_contains(word, STR(STATE_PATH));
    }
    size_t equals = str_find(word, STR("="), 0);
    Str file = str_slice(word, equals == SIZE_MAX ? 0 : equals + 1, word.length);
    return code_is_artifact(file) && !is_elsewhere(guard, file);
}

static bool text_names(const Guard *guard, Str text)
{
    return guard->state ? str_contains(text, STR(STATE_PATH)) : code_has_artifact(text);
}

static bool any_names(Guard *guard, const ShellCommand *command)
{
    for (uint32_t i = 1; i < command->words.count; i++) {
        if (names(guard, command->words.items[i])) {
            return true;
        }
    }
    return false;
}

/* --- words of a command */

static bool has_option(const ShellCommand *command, const char *short_letters,
                       const char *long_name)
{
    for (uint32_t i = 1; i < command->words.count; i++) {
        Str word = command->words.items[i];
        if (str_starts(word, STR("--"))
                ? str_starts(word, str_from(long_name))
                : shell_is_option(word) && shell_has_any(word, short_letters)) {
            return true;
        }
    }
    return false;
}

/* --- what commands do */

static void push_script(Guard *guard, Str text)
{
    if (text.length > 0 && guard->scripts.count < MAX_SCRIPTS) {
        VEC_PUSH(guard->arena, &guard->scripts, text);
    }
}

/* Is `file` copied into this folder, and that below the folder where the command starts, or into an
 * operator? */
static bool takes_copy(const Guard *guard, Str folder, Str file)
{
    const char *home = getenv("HOME");
    if (str_starts(folder, STR("~/")) && home != NULL && home[0] == '/') {
        folder = path_join(guard->arena, str_from(home), str_slice(folder, 2, folder.length));
    }
    Str inside, path = place_of(guard, folder);
    bool other_file = str_contains(path_name(folder), STR(".")) &&
                      !str_is(path_name(folder), ".") && !str_is(path_name(folder), "..");
    if (path.length == 0 || other_file) {
        return !other_file;
    }
    path = path_join(guard->arena, path, path_name(file));
    return guard->start.length == 0 || path_below(guard->start, path, &inside) ||
           is_in_operator(guard, path);
}

/* The last operand is written; a folder gets files of the names of the others. */
static bool copies_over(Guard *guard, const ShellCommand *command)
{
    Str last = STR(""), source = STR("");
    for (uint32_t i = 1; i < command->words.count; i++) {
        if (!shell_is_option(command->words.items[i])) {
            source = last.length > 0 && names(guard, last) ? last : source;
            last = command->words.items[i];
        }
    }
    return names(guard, last) || (source.length > 0 && takes_copy(guard, last, source)) ||
           (has_option(command, "t", "--target") && any_names(guard, command));
}

static bool python_writes(Guard *guard, const ShellCommand *command)
{
    Str code = STR("");
    for (uint32_t i = 1; i < command->words.count; i++) {
        Str word = command->words.items[i];
        if (!shell_is_option(word)) {
            code = str_is(word, "-") ? command->input : code;
            break;
        }
        if (!str_starts(word, STR("--")) && str_ends(word, STR("c"))) {
            code = i + 1 < command->words.count ? command->words.items[i + 1] : code;
            break;
        }
        code = command->input;
    }
    code = command->words.count == 1 ? command->input : code;
    return code_python_writes(code) && (text_names(guard, code) || any_names(guard, command));
}

/* perl -pi, ruby -i, and programs on the command line. */
static bool script_writes(Guard *guard, const ShellCommand *command)
{
    bool in_place = false;
    for (uint32_t i = 1; i < command->words.count; i++) {
        Str word = command->words.items[i];
        bool flags = shell_is_option(word) && strchr("-MmIx", word.at[1]) == NULL;
        in_place = in_place || (flags && shell_has_any(str_slice(word, 1, 6), "i"));
        if (text_names(guard, word) && code_script_writes(word)) {
            return true;
        }
    }
    return (in_place && any_names(guard, command)) ||
           (text_names(guard, command->input) && code_script_writes(command->input));
}

static bool awk_writes(Guard *guard, const ShellCommand *command)
{
    bool in_place = false;
    for (uint32_t i = 1; i < command->words.count; i++) {
        Str word = command->words.items[i];
        in_place = in_place || str_is(word, "inplace");
        if (str_contains(word, STR(">")) && text_names(guard, word)) {
            return true;
        }
    }
    return in_place && any_names(guard, command);
}

/* A line of a patch that names a file: "*** Add File: x_impl.py", "+++ b/x_impl.py". */
static bool patch_names(const Guard *guard, Str patch)
{
    static const char *const marks[] = {"*** ", "+++ ", "--- "};
    Str line;
    for (size_t at = 0; text_next_line(patch, &at, &line);) {
        for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
            if (str_starts(line, str_from(marks[i])) && text_names(guard, line)) {
                return true;
            }
        }
    }
    return false;
}

static bool git_writes(Guard *guard, const ShellCommand *command)
{
    static const char *const by_name[] = {"checkout", "restore", "rm", "mv", "clean"};
    static const char *const by_patch[] = {"apply", "am"};
    uint32_t i = 1;
    for (; i < command->words.count && shell_is_option(command->words.items[i]); i++) {
        i += str_is(command->words.items[i], "-C") || str_is(command->words.items[i], "-c");
    }
    Str verb = i < command->words.count ? command->words.items[i] : STR("");
    return (STR_IS_ANY(verb, by_name) && any_names(guard, command)) ||
           (STR_IS_ANY(verb, by_patch) &&
            (any_names(guard, command) || patch_names(guard, command->input)));
}

static bool sed_writes(Guard *guard, const ShellCommand *command)
{
    for (uint32_t i = 1; i < command->words.count; i++) {
        Str word = command->words.items[i];
        bool flags =
            shell_is_option(word) && word.at[1] != '-' && word.at[1] != 'e' && word.at[1] != 'f';
        if (str_starts(word, STR("--in-place")) ||
            (flags && shell_has_any(str_slice(word, 1, 5), "i"))) {
            return any_names(guard, command);
        }
    }
    return false;
}

static bool patch_writes(Guard *guard, const ShellCommand *command)
{
    bool found = any_names(guard, command) || patch_names(guard, command->input);
    for (uint32_t i = 1; i < command->words.count; i++) {
        found = found || patch_names(guard, command->words.items[i]);
    }
    return found;
}

/* bash -c TEXT, and what comes on standard input. */
static bool shell_writes(Guard *guard, const ShellCommand *command)
{
    push_script(guard, command->input);
    for (uint32_t i = 1; i + 1 < command->words.count; i++) {
        Str word = command->words.items[i];
        if (shell_is_option(word) && word.at[1] != '-' && str_ends(word, STR("c"))) {
            push_script(guard, command->words.items[i + 1]);
            break;
        }
    }
    return false; /* the script comes later */
}

static bool eval_writes(Guard *guard, const ShellCommand *command)
{
    Buf script = {.arena = guard->arena};
    for (uint32_t i = 1; i < command->words.count; i++) {
        buf_add(&script, command->words.items[i]);
        buf_add_char(&script, ' ');
    }
    push_script(guard, buf_str(&script));
    return false;
}

/* Programs that write the file after an option: -o, -O, --output; tar with -x. */
static bool output_writes(Guard *guard, const ShellCommand *command)
{
    return has_option(command, "oO", "--output") && any_names(guard, command);
}

static bool tar_writes(Guard *guard, const ShellCommand *command)
{
    return has_option(command, "x", "--extract") && any_names(guard, command);
}

static bool never_writes(Guard *guard, const ShellCommand *command)
{
    (void)guard;
    (void)command;
    return false;
}

/* A program that is not known may do anything with the state file; artifacts are read by many. */
static bool other_writes(Guard *guard, const ShellCommand *command)
{
    for (uint32_t i = 1; i < command->words.count; i++) {
        Str word = command->words.items[i];
        if (str_starts(word, STR("of=")) && names(guard, word)) {
            return true;
        }
    }
    return guard->state && any_names(guard, command);
}

static bool command_writes(Guard *guard, const ShellCommand *command);

/* find … -delete, find … -exec COMMAND {} + */
static bool find_writes(Guard *guard, const ShellCommand *command)
{
    static const char *const runs[] = {"-exec", "-execdir", "-ok", "-okdir"};
    if (!any_names(guard, command)) {
        return false;
    }
    for (uint32_t i = 1; i < command->words.count; i++) {
        if (str_is(command->words.items[i], "-delete")) {
            return true;
        }
        if (!STR_IS_ANY(command->words.items[i], runs)) {
            continue;
        }
        ShellCommand inner = {.input = STR("")};
        for (i++; i < command->words.count && !str_is(command->words.items[i], ";") &&
                  !str_is(command->words.items[i], "+");
             i++) {
            bool file = str_contains(command->words.items[i], STR("{}"));
            VEC_PUSH(guard->arena, &inner.words, file ? synthetic(guard) : command->words.items[i]);
        }
        if (command_writes(guard, &inner)) {
            return true;
        }
    }
    return false;
}

/* What programs do with their words: a program that is not here is one of `other_writes`. */
static const struct {
    bool (*writes)(Guard *guard, const ShellCommand *command);
    const char *names[22];
} programs[] = {
    {never_writes, {"cat",  "ls",   "stat",   "test",      "head",   "tail",    "grep", "wc",
                    "file", "read", "[",      "[[",        "jq",     "less",    "more", "diff",
                    "cmp",  "echo", "printf", "sha256sum", "md5sum", "realpath"}},
    {any_names,
     {"tee", "rm", "unlink", "mv", "ln", "truncate", "shred", "sponge", "ed", "ex", "rename",
      "wget", "unzip"}},
    {copies_over, {"cp", "install", "rsync", "scp"}},
    {output_writes, {"curl", "sort"}},
    {patch_writes, {"patch", "apply_patch", "applypatch"}},
    {sed_writes, {"sed", "gsed"}},
    {script_writes, {"perl", "ruby", "node", "nodejs", "php", "bun", "deno"}},
    {awk_writes, {"awk", "gawk", "mawk"}},
    {git_writes, {"git"}},
    {find_writes, {"find"}},
    {shell_writes, {"sh", "bash", "dash", "zsh", "ksh", "ash", "su"}},
    {eval_writes, {"eval"}},
    {tar_writes, {"tar", "bsdtar"}},
};

static bool program_writes(Guard *guard, const ShellCommand *command)
{
    Str name = path_name(command->words.items[0]);
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        if (STR_IS_ANY(name, programs[i].names)) {
            return programs[i].writes(guard, command);
        }
    }
    bool python = str_starts(name, STR("python")) || str_starts(name, STR("pypy"));
    return python ? python_writes(guard, command) : other_writes(guard, command);
}

static void change_folder(Guard *guard, const Strs *words)
{
    Str to = words->count > 1 ? words->items[words->count - 1] : STR("");
    bool absolute = to.length > 0 && to.at[0] == '/';
    bool known = to.length > 0 && to.length + guard->base.length < MAX_BASE &&
                 !shell_has_any(to, "$~*?[{") && to.at[0] != '-' &&
                 (absolute || guard->base.length > 0);
    guard->base = !known ? STR("") : absolute ? to : path_join(guard->arena, guard->base, to);
}

static bool command_writes(Guard *guard, const ShellCommand *command)
{
    for (uint32_t i = 0; i < command->targets.count; i++) {
        if (names(guard, command->targets.items[i])) {
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
        VEC_PUSH(guard->arena, &more, synthetic(guard));
        inner.words = more;
    }
    guard->depth++;
    bool writes = program_writes(guard, &inner);
    guard->depth--;
    return writes;
}

/* The command, and the scripts and substitutions that are found in it on the way. */
static bool any_writes(Guard *guard, Str text)
{
    ShellText shell = {0};
    push_script(guard, text);
    for (uint32_t i = 0; i < guard->scripts.count; i++) {
        uint32_t first = shell.commands.count, nested = shell.nested.count;
        shell_split(&shell, guard->arena, guard->scripts.items[i], synthetic(guard));
        for (uint32_t k = nested; k < shell.nested.count; k++) {
            push_script(guard, shell.nested.items[k]);
        }
        for (uint32_t k = first; k < shell.commands.count; k++) {
            if (command_writes(guard, &shell.commands.items[k])) {
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
