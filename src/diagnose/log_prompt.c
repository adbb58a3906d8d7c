/* Finds the commands in a log by their prompts; see log_prompt.h. */
#include "diagnose/log_prompt.h"

#include "base/ascii.h"

enum { PROMPT_COLUMNS = 80 }; /* a longer text is not a prompt */

/* "root@node:/w# make", "(venv) [ma-user ~]$ make": where the command begins, or SIZE_MAX. A
 * comment or a price has neither a user nor brackets before its sign. */
static size_t after_prompt(Str line)
{
    Str head = str_slice(line, 0, PROMPT_COLUMNS);
    size_t dollar = str_find(head, STR("$ "), 0), hash = str_find(head, STR("# "), 0);
    size_t at = dollar < hash ? dollar : hash;
    if (at == SIZE_MAX || at == 0) {
        return SIZE_MAX;
    }
    Str user = str_slice(head, 0, at);
    bool is_prompt = user.at[0] == '[' || user.at[0] == '(' || str_contains(user, STR("@"));
    return is_prompt ? at + 2 : SIZE_MAX;
}

/* "C:\w> dir", "PS C:\w> dir" and "> python a.py": where the command begins, or SIZE_MAX. A
 * quotation begins with the sign as well, but not with the name of a program. */
static size_t after_angle(Str line)
{
    static const char *const programs[] = {
        "python", "python3", "pip", "pip3", "pytest", "bash", "sh",   "make",  "cmake",
        "git",    "ls",      "cd",  "cat",  "echo",   "dir",  "node", "conda", "docker"};
    Str head = str_slice(line, 0, PROMPT_COLUMNS);
    size_t at = str_find(head, STR(">"), 0);
    size_t drive = str_starts(head, STR("PS ")) ? 3 : 0;
    bool windows = at != SIZE_MAX && at > drive + 2 && is_letter(head.at[drive]) &&
                   str_starts(str_slice(head, drive + 1, head.length), STR(":\\"));
    if (windows) {
        return at + 1;
    }
    size_t begin = 2, end = 2;
    while (end < line.length && (is_letter(line.at[end]) || is_digit(line.at[end]))) {
        end++;
    }
    bool bare = at == 0 && line.length > 2 && line.at[1] == ' ' &&
                STR_IS_ANY(str_slice(line, begin, end), programs) &&
                (end == line.length || line.at[end] == ' ');
    return bare ? begin : SIZE_MAX;
}

Str log_after_mark(Str line, const char *const *marks, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (str_starts(line, str_from(marks[i]))) {
            return str_trim(str_slice(line, strlen(marks[i]), line.length));
        }
    }
    return STR("");
}

/* Can the line not begin with a prompt? Most lines cannot: they begin with a letter or a digit, but
 * without an `@` or a drive near the start. */
static bool begins_plainly(Str line)
{
    Str head = str_slice(line, 0, PROMPT_COLUMNS);
    return head.length > 1 && is_word_char(head.at[0]) && head.at[1] != ':' &&
           !str_starts(head, STR("PS ")) && memchr(head.at, '@', head.length) == NULL;
}

Str log_command_of(Str line)
{
    static const char *const marks[] = {"$ ", "+ ", "++ ", "❯ ", "➜ ", "● Bash("};
    line = str_trim(line);
    if (begins_plainly(line)) {
        return STR("");
    }
    Str command = log_after_mark(line, marks, sizeof marks / sizeof *marks);
    if (command.length > 0) {
        return command;
    }
    size_t at = after_prompt(line);
    at = at == SIZE_MAX ? after_angle(line) : at;
    return at == SIZE_MAX ? STR("") : str_trim(str_slice(line, at, line.length));
}

bool log_is_bare_prompt(Str line)
{
    line = str_trim(line);
    bool sign = str_ends(line, STR("$")) || str_ends(line, STR("#"));
    return str_is(line, "$") || (sign && line.length <= PROMPT_COLUMNS &&
                                 str_contains(line, STR("@")) && !str_contains(line, STR(": ")));
}
