/* What programs do with their words; see guard.h. */
#include "base/path.h"
#include "hook/guard.h"
#include "hook/guard_code.h"
#include "operator/text.h"

#include <stdlib.h>

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

/* Is `file` copied into this folder, and that below the folder where the command starts, or into an
 * operator? */
static bool takes_copy(const Guard *guard, Str folder, Str file)
{
    const char *home = getenv("HOME");
    if (str_starts(folder, STR("~/")) && home != NULL && path_is_absolute(str_from(home))) {
        folder = path_join(guard->arena, str_from(home), str_slice(folder, 2, folder.length));
    }
    Str inside, path = guard_place(guard, folder);
    bool other_file = str_contains(path_name(folder), STR(".")) &&
                      !str_is(path_name(folder), ".") && !str_is(path_name(folder), "..");
    if (path.length == 0 || other_file) {
        return !other_file;
    }
    path = path_join(guard->arena, path, path_name(file));
    return guard->start.length == 0 || path_below(guard->start, path, &inside) ||
           guard_is_in_operator(guard, path);
}

/* The last operand is written; a folder gets files of the names of the others. */
static bool copies_over(Guard *guard, const ShellCommand *command)
{
    Str last = STR(""), source = STR("");
    for (uint32_t i = 1; i < command->words.count; i++) {
        if (!shell_is_option(command->words.items[i])) {
            source = last.length > 0 && guard_names(guard, last) ? last : source;
            last = command->words.items[i];
        }
    }
    return guard_names(guard, last) || (source.length > 0 && takes_copy(guard, last, source)) ||
           (has_option(command, "t", "--target") && guard_any_names(guard, command));
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
    return code_python_writes(code) &&
           (guard_text_names(guard, code) || guard_any_names(guard, command));
}

/* perl -pi, ruby -i, and programs on the command line. */
static bool script_writes(Guard *guard, const ShellCommand *command)
{
    bool in_place = false;
    for (uint32_t i = 1; i < command->words.count; i++) {
        Str word = command->words.items[i];
        bool flags = shell_is_option(word) && strchr("-MmIx", word.at[1]) == NULL;
        in_place = in_place || (flags && shell_has_any(str_slice(word, 1, 6), "i"));
        if (guard_text_names(guard, word) && code_script_writes(word)) {
            return true;
        }
    }
    return (in_place && guard_any_names(guard, command)) ||
           (guard_text_names(guard, command->input) && code_script_writes(command->input));
}

static bool awk_writes(Guard *guard, const ShellCommand *command)
{
    bool in_place = false;
    for (uint32_t i = 1; i < command->words.count; i++) {
        Str word = command->words.items[i];
        in_place = in_place || str_is(word, "inplace");
        if (str_contains(word, STR(">")) && guard_text_names(guard, word)) {
            return true;
        }
    }
    return in_place && guard_any_names(guard, command);
}

/* A line of a patch that names a file: "*** Add File: x_impl.py", "+++ b/x_impl.py". */
static bool patch_names(const Guard *guard, Str patch)
{
    static const char *const marks[] = {"*** ", "+++ ", "--- "};
    Str line;
    for (size_t at = 0; text_next_line(patch, &at, &line);) {
        for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
            if (str_starts(line, str_from(marks[i])) && guard_text_names(guard, line)) {
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
    return (STR_IS_ANY(verb, by_name) && guard_any_names(guard, command)) ||
           (STR_IS_ANY(verb, by_patch) &&
            (guard_any_names(guard, command) || patch_names(guard, command->input)));
}

static bool sed_writes(Guard *guard, const ShellCommand *command)
{
    for (uint32_t i = 1; i < command->words.count; i++) {
        Str word = command->words.items[i];
        bool flags =
            shell_is_option(word) && word.at[1] != '-' && word.at[1] != 'e' && word.at[1] != 'f';
        if (str_starts(word, STR("--in-place")) ||
            (flags && shell_has_any(str_slice(word, 1, 5), "i"))) {
            return guard_any_names(guard, command);
        }
    }
    return false;
}

static bool patch_writes(Guard *guard, const ShellCommand *command)
{
    bool found = guard_any_names(guard, command) || patch_names(guard, command->input);
    for (uint32_t i = 1; i < command->words.count; i++) {
        found = found || patch_names(guard, command->words.items[i]);
    }
    return found;
}

/* bash -c TEXT, and what comes on standard input. */
static bool shell_writes(Guard *guard, const ShellCommand *command)
{
    guard_push_script(guard, command->input);
    for (uint32_t i = 1; i + 1 < command->words.count; i++) {
        Str word = command->words.items[i];
        if (shell_is_option(word) && word.at[1] != '-' && str_ends(word, STR("c"))) {
            guard_push_script(guard, command->words.items[i + 1]);
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
    guard_push_script(guard, buf_str(&script));
    return false;
}

/* Programs that write the file after an option: -o, -O, --output. */
static bool output_writes(Guard *guard, const ShellCommand *command)
{
    return has_option(command, "oO", "--output") && guard_any_names(guard, command);
}

static bool tar_writes(Guard *guard, const ShellCommand *command)
{
    return has_option(command, "x", "--extract") && guard_any_names(guard, command);
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
        if (str_starts(word, STR("of=")) && guard_names(guard, word)) {
            return true;
        }
    }
    return guard->state && guard_any_names(guard, command);
}

/* find … -delete, find … -exec COMMAND {} + */
static bool find_writes(Guard *guard, const ShellCommand *command)
{
    static const char *const runs[] = {"-exec", "-execdir", "-ok", "-okdir"};
    if (!guard_any_names(guard, command)) {
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
            VEC_PUSH(guard->arena, &inner.words,
                     file ? guard_name(guard) : command->words.items[i]);
        }
        if (guard_command_writes(guard, &inner)) {
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
    {guard_any_names,
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

bool guard_program_writes(Guard *guard, const ShellCommand *command)
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
