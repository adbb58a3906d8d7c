/* Guard code; see guard_code.h. Every search goes over the text once. */
#include "hook/guard_code.h"

#include "base/ascii.h"
#include "base/path.h"
#include "operator/state.h"

/* --- words */

static bool word_at(Str text, size_t at)
{
    return at < text.length && is_word_char(text.at[at]);
}

static bool is_at(Str text, size_t at, Str part)
{
    return at <= text.length && str_starts(str_slice(text, at, text.length), part);
}

/* --- artifact names */

/* `_impl` or `_golden` alone, after a wildcard (*_impl.py). */
static bool is_pattern(Str text, size_t start, size_t at)
{
    return start > 0 && strchr("*?]}", text.at[start - 1]) != NULL &&
           artifact_is_ending(str_slice(text, start, at));
}

bool code_has_artifact(Str text)
{
    size_t start = 0; /* of the present word */
    for (size_t at = 0; at < text.length; at++) {
        if (is_word_char(text.at[at])) {
            continue;
        }
        if (is_at(text, at, STR(".py")) && !word_at(text, at + 3) &&
            (artifact_is_module(str_slice(text, start, at)) || is_pattern(text, start, at))) {
            return true;
        }
        start = at + 1;
    }
    return false;
}

/* --- Python */

/* A mode that writes, in quotes: 'w', "ab+", "r+", \"x\". */
static bool is_write_mode(Str text, size_t at)
{
    if (text.at[at] != '\'' && text.at[at] != '"') {
        return false;
    }
    at++;
    size_t start = at;
    bool writes = false;
    while (at < text.length && text.at[at] != '\0' && strchr("rwaxbt+", text.at[at]) != NULL) {
        writes = writes || strchr("wax+", text.at[at]) != NULL;
        at++;
    }
    if (!writes || at - start > 3) {
        return false;
    }
    at += is_at(text, at, STR("\\"));
    return is_at(text, at, STR("'")) || is_at(text, at, STR("\""));
}

/* Is the first argument of the call whose `(` is at `at` a text that names another file: "log.txt",
 * not "x_impl.py", a mode, or a variable? */
static bool names_other_file(Str text, size_t at)
{
    char quote = at + 1 < text.length ? text.at[at + 1] : '\0';
    if ((quote != '\'' && quote != '"') || is_write_mode(text, at + 1)) {
        return false;
    }
    size_t end = str_find(text, (Str){&quote, 1}, at + 2);
    Str name = str_slice(text, at + 2, end);
    return is_at(text, at + 2 + name.length + 1, STR(",")) && !code_has_artifact(name) &&
           !str_contains(name, STR(STATE_PATH)) && !str_contains(name, STR("\\"));
}

typedef enum Opened {
    OPENED_NOTHING,
    OPENED_OTHERS, /* to write, and each names another file */
    OPENED_ANY,
} Opened;

static Opened opened_to_write(Str text)
{
    Opened opened = OPENED_NOTHING;
    for (size_t at = str_find(text, STR("open("), 0); at != SIZE_MAX;) {
        size_t end = at, bracket = at + strlen("open");
        while (end < text.length && text.at[end] != ')' && !is_write_mode(text, end)) {
            end++;
        }
        if (end < text.length && text.at[end] != ')') {
            if (!names_other_file(text, bracket)) {
                return OPENED_ANY;
            }
            opened = OPENED_OTHERS;
        }
        at = str_find(text, STR("open("), end);
    }
    return opened;
}

/* `start`, word characters, an opening bracket; not as a method of the standard streams. */
static bool calls(Str text, Str start)
{
    for (size_t at = str_find(text, start, 0); at != SIZE_MAX;) {
        size_t end = at + start.length;
        while (word_at(text, end)) {
            end++;
        }
        Str before = str_slice(text, 0, at);
        if (is_at(text, end, STR("(")) && !str_ends(before, STR("sys.stdout")) &&
            !str_ends(before, STR("sys.stderr"))) {
            return true;
        }
        at = str_find(text, start, end);
    }
    return false;
}

bool code_python_writes(Str text)
{
    static const char *const functions[] = {
        ".truncate(", "shutil.move(", "shutil.rmtree(", "os.remove(",  "os.unlink(",
        "os.rename(", "os.replace(",  "os.truncate(",   "os.symlink(", "os.link(",
        ".unlink(",   ".rename(",     ".symlink_to(",   "os.open("};
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (str_contains(text, str_from(functions[i]))) {
            return true;
        }
    }
    Opened opened = opened_to_write(text);
    /* With all files known, `.write(` goes to one of them; Path.write_text needs none. */
    return opened == OPENED_ANY || calls(text, STR("shutil.copy")) ||
           calls(text, opened == OPENED_OTHERS ? STR(".write_") : STR(".write"));
}

bool code_script_writes(Str code)
{
    static const char *const parts[] = {"writeFile", "appendFile", "createWriteStream", "copyFile",
                                        "unlink",    "rename",     "File.write",        "IO.write",
                                        "FileUtils", "truncate",   "file_put_contents"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (str_contains(code, str_from(parts[i]))) {
            return true;
        }
    }
    /* Perl's and Ruby's open: '>', ">>", '+<', 'w'. */
    size_t open = str_find(code, STR("open"), 0);
    return open != SIZE_MAX && (str_find(code, STR(">"), open) != SIZE_MAX ||
                                str_find(code, STR("+<"), open) != SIZE_MAX ||
                                str_find(code, STR("'w"), open) != SIZE_MAX ||
                                str_find(code, STR("\"w"), open) != SIZE_MAX);
}
