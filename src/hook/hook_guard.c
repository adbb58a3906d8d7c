/* Hook guard; see hook_guard.h. Every search goes over the command once. */
#include "hook/hook_guard.h"

#include "base/ascii.h"
#include "base/utf8.h"
#include "operator/state.h"
#include "operator/text.h"

/* --- words */

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static bool word_at(Str text, size_t at)
{
    return at < text.length && is_word(text.at[at]);
}

static bool is_at(Str text, size_t at, Str part)
{
    return at <= text.length && str_starts(str_slice(text, at, text.length), part);
}

static size_t skip_space(Str text, size_t at)
{
    while (at < text.length && is_space(text.at[at])) {
        at++;
    }
    return at;
}

/* --- artifact names */

/* `word` stands before ".py". Without boundaries, a test's name may begin anywhere in it. */
static bool is_artifact(Str word, bool with_boundaries)
{
    if ((str_ends(word, STR("_impl")) && word.length > 5) ||
        (str_ends(word, STR("_golden")) && word.length > 7)) {
        return true;
    }
    size_t test = str_find(word, STR("test_"), 0);
    return test != SIZE_MAX && (test == 0 || !with_boundaries) && test + 5 < word.length;
}

static bool has_artifact(Str text)
{
    size_t start = 0; /* of the present word */
    for (size_t at = 0; at < text.length; at++) {
        if (is_word(text.at[at])) {
            continue;
        }
        if (is_at(text, at, STR(".py")) && !word_at(text, at + 3) &&
            is_artifact(str_slice(text, start, at), true)) {
            return true;
        }
        start = at + 1;
    }
    return false;
}

/* --- redirections */

/* Is there `>`, white space, and a run of other characters that leads to an artifact or, with
 * `name`, to this name? */
static bool redirects_to(Str text, const char *name)
{
    bool open = false; /* a `>` leads here */
    size_t start = 0;  /* of the present word */
    for (size_t at = 0; at < text.length; at++) {
        char c = text.at[at];
        if (open && name != NULL && is_at(text, at, str_from(name))) {
            return true;
        }
        if (is_word(c)) {
            continue;
        }
        if (open && name == NULL && is_at(text, at, STR(".py")) &&
            is_artifact(str_slice(text, start, at), false)) {
            return true;
        }
        start = at + 1;
        if (is_space(c)) {
            /* Behind the sign itself white space changes nothing. */
            char before = at == 0 ? ' ' : text.at[at - 1];
            bool sign = before == '>' ||
                        (before == '|' && at > 1 && text.at[at - 2] == '>' && name != NULL);
            open = open && (sign || is_space(before));
        } else if (c == '>') {
            open = true;
        }
    }
    return false;
}

/* --- Python on the command line */

/* Behind the word `python` or `python3` at `*at`, which is moved behind the options: is the last of
 * them -c? */
static bool is_inline(Str text, size_t *at)
{
    for (;;) {
        size_t option = skip_space(text, *at);
        if (option == *at || option >= text.length || text.at[option] != '-') {
            return false;
        }
        *at = option + 1;
        while (word_at(text, *at)) {
            (*at)++;
        }
        if (*at > option + 1 && text.at[*at - 1] == 'c') {
            return true;
        }
        if (*at == option + 1) {
            return false;
        }
    }
}

static bool has_inline_python(Str text)
{
    for (size_t at = str_find(text, STR("python"), 0); at != SIZE_MAX;) {
        size_t end = at + 6;
        end += end < text.length && text.at[end] == '3';
        if (is_inline(text, &end)) {
            return true;
        }
        /* A `python` among the options that were passed has the same end. */
        at = str_find(text, STR("python"), end);
    }
    return false;
}

/* A mode that writes, in quotes: 'w', "ab+", \"x\". */
static bool is_write_mode(Str text, size_t at)
{
    if (text.at[at] != '\'' && text.at[at] != '"') {
        return false;
    }
    at++;
    if (at >= text.length || (text.at[at] != 'w' && text.at[at] != 'a' && text.at[at] != 'x')) {
        return false;
    }
    at++;
    at += is_at(text, at, STR("b"));
    at += is_at(text, at, STR("+"));
    at += is_at(text, at, STR("\\"));
    return is_at(text, at, STR("'")) || is_at(text, at, STR("\""));
}

static bool opens_to_write(Str text)
{
    size_t at = str_find(text, STR("open("), 0);
    while (at != SIZE_MAX) {
        size_t end = at;
        while (end < text.length && text.at[end] != ')') {
            if (is_write_mode(text, end)) {
                return true;
            }
            end++;
        }
        at = str_find(text, STR("open("), end);
    }
    return false;
}

/* `start`, word characters, an opening bracket. */
static bool calls(Str text, Str start)
{
    for (size_t at = str_find(text, start, 0); at != SIZE_MAX;) {
        size_t end = at + start.length;
        while (word_at(text, end)) {
            end++;
        }
        if (is_at(text, end, STR("("))) {
            return true;
        }
        at = str_find(text, start, end);
    }
    return false;
}

static bool python_writes(Str text)
{
    static const char *const functions[] = {".truncate(", "shutil.move(", "shutil.rmtree(",
                                            "os.remove(", "os.unlink(",   "os.rename("};
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (str_contains(text, str_from(functions[i]))) {
            return true;
        }
    }
    size_t path = str_find(text, STR("Path("), 0);
    bool unlinks = path != SIZE_MAX && str_find(text, STR(").unlink("), path) != SIZE_MAX;
    return unlinks || calls(text, STR(".write")) || calls(text, STR("shutil.copy")) ||
           opens_to_write(text);
}

/* --- parts of a command */

/* The next part, up to `&&`, `||`, `;` and, with `pipes`, `|`; false at the end. */
static bool next_part(Str text, size_t *at, bool pipes, Str *part)
{
    if (*at > text.length) {
        return false;
    }
    size_t end = *at;
    size_t sign = 1;
    for (; end < text.length; end++) {
        if (is_at(text, end, STR("&&")) || is_at(text, end, STR("||"))) {
            sign = 2;
            break;
        }
        if (text.at[end] == ';' || (pipes && text.at[end] == '|')) {
            break;
        }
    }
    *part = str_slice(text, *at, end);
    *at = end + sign;
    return true;
}

/* The part from its first word on, a leading sudo aside. */
static Str from_command(Str part)
{
    part = str_slice(part, skip_space(part, 0), part.length);
    if (str_starts(part, STR("sudo")) && part.length > 4 && is_space(part.at[4])) {
        part = str_slice(part, skip_space(part, 4), part.length);
    }
    return part;
}

static bool begins_with(Str part, const char *const *words)
{
    for (; *words != NULL; words++) {
        Str word = str_from(*words);
        if (str_starts(part, word) && !word_at(part, word.length)) {
            return true;
        }
    }
    return false;
}

/* `-i` with no word character behind it. */
static bool edits_in_place(Str part)
{
    for (size_t at = str_find(part, STR("-i"), 0); at != SIZE_MAX;
         at = str_find(part, STR("-i"), at + 2)) {
        if (!word_at(part, at + 2)) {
            return true;
        }
    }
    return false;
}

/* A line of a patch that begins a file: "*** Add File: x_impl.py". */
static bool patches_artifact(Str command)
{
    for (size_t at = str_find(command, STR("*** "), 0); at != SIZE_MAX;) {
        size_t end = str_find(command, STR("\n"), at);
        end = end == SIZE_MAX ? command.length : end;
        if (has_artifact(str_slice(command, at, end))) {
            return true;
        }
        at = str_find(command, STR("*** "), end);
    }
    return false;
}

bool guard_writes_artifact(Str command)
{
    static const char *const writers[] = {"tee", "cp", "mv", "rm", "install", "ln", NULL};
    static const char *const sed[] = {"sed", NULL};
    /* Codex takes a patch from the shell, too, and sends no event after it. */
    static const char *const patchers[] = {"apply_patch", "applypatch", NULL};
    if (!has_artifact(command)) {
        return false;
    }
    if (redirects_to(command, NULL) || (has_inline_python(command) && python_writes(command))) {
        return true;
    }
    bool patches = patches_artifact(command);
    Str part;
    for (size_t at = 0; next_part(command, &at, true, &part);) {
        Str first = from_command(part);
        bool writes =
            begins_with(first, writers) || (begins_with(first, sed) && edits_in_place(first));
        if ((writes && has_artifact(part)) || (patches && begins_with(first, patchers))) {
            return true;
        }
    }
    return false;
}

/* A pipe that ends in a `tee` into the file. */
static bool tees_state(Str part)
{
    static const char *const tee[] = {"tee", NULL};
    Str stage;
    for (size_t at = 0; next_part(part, &at, true, &stage);) {
        if (begins_with(from_command(stage), tee) && str_contains(stage, STR(STATE_PATH))) {
            return true;
        }
    }
    return false;
}

bool guard_writes_state(Str command)
{
    static const char *const readers[] = {"cat",  "ls", "stat", "test", "head", "tail",
                                          "grep", "wc", "file", "find", "read", NULL};
    if (!str_contains(command, STR(STATE_PATH))) {
        return false;
    }
    Str part;
    for (size_t at = 0; next_part(command, &at, false, &part);) {
        if (!str_contains(part, STR(STATE_PATH))) {
            continue;
        }
        if (!begins_with(from_command(part), readers) || redirects_to(part, STATE_PATH) ||
            tees_state(part) || str_contains(part, STR("-delete")) ||
            str_contains(part, STR("-exec"))) {
            return true;
        }
    }
    return false;
}

/* --- test runs */

/* Is there `test_`, word characters, `.py` in the text? Any letters count as word characters. */
static bool names_test(Str text)
{
    for (size_t at = str_find(text, STR("test_"), 0); at != SIZE_MAX;) {
        size_t end = at + 5;
        size_t next = end;
        while (next < text.length && code_point_is_word(utf8_next(text, &next))) {
            end = next;
        }
        if (end > at + 5 && is_at(text, end, STR(".py"))) {
            return true;
        }
        at = str_find(text, STR("test_"), end);
    }
    return false;
}

bool guard_runs_test(Str command)
{
    size_t looked = 0; /* lines up to here hold no test behind their first `python` */
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
