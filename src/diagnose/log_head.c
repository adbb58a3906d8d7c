/* Reads how lines of logs begin; see log_head.h. */
#include "diagnose/log_head.h"

#include "base/ascii.h"
#include "diagnose/word_list.h"
#include "operator/text.h"

#include <string.h>

/* The level that the word is the name of. */
static LogLevel level_of(Str word)
{
    static const char *const quiet[] = {"info",    "debug", "trace", "event", "notice",
                                        "verbose", "note",  "信息",  "提示",  "注意"};
    static const char *const warning[] = {"warning", "warn", "警告"};
    static const char *const error[] = {"error", "fatal", "critical", "err",
                                        "panic", "严重",  "错误"};
    if (word.length == 1) { /* capitals only */
        return word.at[0] == 'I' || word.at[0] == 'D'   ? LOG_LEVEL_QUIET
               : word.at[0] == 'W'                      ? LOG_LEVEL_WARNING
               : word.at[0] == 'E' || word.at[0] == 'F' ? LOG_LEVEL_ERROR
                                                        : LOG_LEVEL_NONE;
    }
    return WORD_IN(quiet, word)     ? LOG_LEVEL_QUIET
           : WORD_IN(warning, word) ? LOG_LEVEL_WARNING
           : WORD_IN(error, word)   ? LOG_LEVEL_ERROR
                                    : LOG_LEVEL_NONE;
}

/* "W0101 12:00:00": how glog writes a level and the date. */
static LogLevel glog_level(Str word)
{
    enum { GLOG_LENGTH = 5 };
    bool digits = word.length == GLOG_LENGTH;
    for (size_t i = 1; digits && i < word.length; i++) {
        digits = is_digit(word.at[i]);
    }
    return digits ? level_of(str_slice(word, 0, 1)) : LOG_LEVEL_NONE;
}

/* "RuntimeError:", "torch.OutOfMemoryError" at the end of the line, "AssertionError" of pytest. */
static bool is_exception(Str line, size_t at)
{
    size_t end = at;
    while (end < line.length && (is_word_char(line.at[end]) || line.at[end] == '.')) {
        end++;
    }
    Str name = str_slice(line, at, end);
    bool error = str_ends(name, STR("Error")) || str_ends(name, STR("Exception"));
    return error && (end == line.length || line.at[end] == ':');
}

/* A word that may stand before a level: one with a digit, a path, a module, a label, a month. */
static bool is_stamp(Str word, Str before)
{
    static const char *const others[] = {
        "|",   "-",   "--",  ">>",  "Jan",  "Feb",    "Mar",  "Apr",  "May",    "Jun", "Jul",
        "Aug", "Sep", "Oct", "Nov", "Dec",  "UTC",    "AM",   "PM",   "Mon",    "Tue", "Wed",
        "Thu", "Fri", "Sat", "Sun", "rank", "worker", "node", "task", "kernel:"};
    static const char inside[] = "0123456789/._:";
    bool found = STR_IS_ANY(word, others);
    for (size_t i = 0; i < word.length && !found; i++) {
        found = strchr(inside, word.at[i]) != NULL;
    }
    found = found && !str_is(word, "I/O");
    bool host = before.length > 0 && is_digit(before.at[before.length - 1]) &&
                str_contains(before, STR(":")); /* after the time, in a log of the system */
    return found || host;
}

static bool is_upper(Str word)
{
    bool upper = word.length > 1;
    for (size_t i = 0; i < word.length && upper; i++) {
        upper = word.at[i] >= 'A' && word.at[i] <= 'Z';
    }
    return upper;
}

/* A level in brackets: "[W]", "[error]", "[W compiler_depend.ts:51]", "[2025-01-01 INFO x.py:3]".
 * Beside other words it is one in capitals only. */
static LogLevel level_in(Str group)
{
    group = str_trim(group);
    LogLevel level = level_of(group);
    for (size_t at = 0; at < group.length && level == LOG_LEVEL_NONE;) {
        size_t end = at;
        while (end < group.length && strchr(" |,", group.at[end]) == NULL) {
            end++;
        }
        Str word = str_slice(group, at, end);
        bool may_be = is_upper(word) || (at == 0 && word.length == 1);
        level = may_be ? level_of(word) : LOG_LEVEL_NONE;
        at = end + 1;
    }
    return level;
}

/* A level without brackets: a letter only after a stamp; words of sentences ("Event 3 failed") only
 * in capitals or before a colon. */
static LogLevel level_of_word(Str word, Str before)
{
    Str bare = word;
    if (str_ends(bare, STR("："))) {
        bare.length -= STR("：").length;
    }
    bool tagged = str_starts(bare, STR("<")) && str_ends(bare, STR(">")); /* "<ERROR>" */
    bare = tagged ? str_slice(bare, 1, bare.length - 1) : bare;
    while (bare.length > 0 && strchr(":,|!", bare.at[bare.length - 1]) != NULL) {
        bare.length--;
    }
    LogLevel level = glog_level(bare);
    level = level == LOG_LEVEL_NONE ? level_of(bare) : level;
    if (level == LOG_LEVEL_ERROR && bare.length == 1) { /* pytest's margin; "E: …" of apt */
        return bare.at[0] == 'E' ? level : LOG_LEVEL_NONE;
    }
    bool stamped = bare.length == 1 && before.length > 1 && str_ends(before, STR(":")) &&
                   is_digit(before.at[before.length - 2]);
    bool marked = is_upper(bare) || bare.length < word.length || stamped ||
                  (bare.length > 1 && is_digit(bare.at[1]));
    return level == LOG_LEVEL_ERROR || marked ? level : LOG_LEVEL_NONE;
}

static bool begins_error(Str rest)
{
    static const char *const begins[] = {"errcode",          "check failed",       "assert failed",
                                         "terminate called", "fatal python error", "cmake error"};
    return STARTS_FOLDED(begins, rest) || is_exception(rest, 0);
}

/* The end of the group that begins at `at`, past its bracket; 0 without one. */
static size_t group_end(Str line, size_t at)
{
    char close = line.at[at] == '[' ? ']' : line.at[at] == '(' ? ')' : '\0';
    const char *end = close == '\0' ? NULL : memchr(line.at + at, close, line.length - at);
    return end == NULL ? 0 : (size_t)(end - line.at) + 1;
}

/* "warning undefined-output rope_impl.py:44: …", as reports of verify list what is odd: the name of
 * a check, and a place in a source. */
static bool is_listed_warning(Str line)
{
    const Str word = STR("warning "), place = STR(".py:");
    size_t end = word.length;
    if (!str_starts(line, word)) {
        return false;
    }
    while (end < line.length && !is_blank(line.at[end])) {
        end++;
    }
    Str rest = str_slice(line, end, line.length);
    size_t at = str_find(rest, place, 0);
    at = at == SIZE_MAX ? rest.length : at + place.length;
    return at < rest.length && is_digit(rest.at[at]) &&
           !str_contains(str_trim(str_slice(rest, 0, at)), STR(" "));
}

LogLevel log_head_level(Str line)
{
    enum { MOST_WORDS = 12 };
    Str before = STR("");
    line = str_trim(line);
    line = str_starts(line, STR("##[")) ? str_slice(line, 2, line.length) : line; /* GitHub */
    if (is_listed_warning(line)) {
        return LOG_LEVEL_WARNING;
    }
    for (size_t at = 0, words = 0; at < line.length && words < MOST_WORDS; words++) {
        if (begins_error(str_slice(line, at, line.length))) {
            return LOG_LEVEL_ERROR;
        }
        size_t group = group_end(line, at), end = at;
        while (end < line.length && !is_blank(line.at[end]) && strchr("[|", line.at[end]) == NULL) {
            end++;
        }
        end = group > 0 ? group : end == at ? at + 1 : end;
        Str word = str_slice(line, at, end);
        size_t wide = group > 0 ? SIZE_MAX : str_find(word, STR("："), 0);
        word = wide == SIZE_MAX ? word : str_slice(word, 0, wide + STR("：").length);
        LogLevel level =
            group > 0 ? level_in(str_slice(word, 1, word.length - 1)) : level_of_word(word, before);
        if (level != LOG_LEVEL_NONE || (group == 0 && !is_stamp(word, before))) {
            return level;
        }
        before = word;
        at = end;
        while (at < line.length && (is_blank(line.at[at]) || line.at[at] == ':')) {
            at++;
        }
    }
    return LOG_LEVEL_NONE;
}

/* "abc1234 fix …": the short name of a commit. */
static bool begins_with_commit(Str line)
{
    enum { LEAST = 7, MOST = 40 };
    size_t end = 0, digits = 0;
    while (end < line.length && hex_digit(line.at[end]) >= 0) {
        digits += is_digit(line.at[end]);
        end++;
    }
    return end >= LEAST && end <= MOST && digits > 0 && digits < end && end < line.length &&
           line.at[end] == ' ';
}

/* "1. …", "2) …": a list. */
static bool begins_with_number(Str line)
{
    size_t end = 0;
    while (end < line.length && is_digit(line.at[end])) {
        end++;
    }
    Str mark = str_slice(line, end, end + 2);
    return end > 0 && (str_is(mark, ". ") || str_is(mark, ") "));
}

/* A line of a page, as grep prints it. */
static bool is_in_page(Str line)
{
    static const char *const suffixes[] = {".md:", ".rst:", ".txt:", ".html:", ".md-", ".patch:"};
    return HAS_TEXT(suffixes, text_first_word(line));
}

bool log_is_task(Str line)
{
    return str_starts(line, STR("> Task :"));
}

bool log_is_quoted(Str line)
{
    static const char *const begins[] = {
        "|",       ">",     "+",          "\"",         "`",           "'",      "{",
        "#",       "✓",     "✔",          "√",          "•",           "·",      "“",
        "「",      "$ ",    "User:",      "user:",      "Human:",      "Q:",     "A:",
        "例如",    "比如",  "示例",       "举例",       "说明：",      "e.g.",   "E.g.",
        "return ", "case ", "Assistant:", "assistant:", "For example", "Example"};
    line = str_trim(line);
    if (STARTS_WITH(begins, line)) {
        return !log_is_task(line);
    }
    bool option = str_starts(line, STR("-")) && !str_starts(line, STR("-->"));
    return option || begins_with_commit(line) || begins_with_number(line) || is_in_page(line);
}

bool log_is_within_quotes(Str line, size_t at)
{
    const Str open = STR("“"), close = STR("”");
    line = str_trim(line);
    size_t quotes = 0, ticks = 0, chinese = 0;
    bool single = false;
    for (size_t i = 0; i < at && i < line.length; i++) {
        char c = line.at[i];
        bool word_before = i > 0 && is_word_char(line.at[i - 1]);
        bool word_after = i + 1 < line.length && is_word_char(line.at[i + 1]);
        quotes += c == '"';
        ticks += c == '`';
        chinese += str_starts(str_slice(line, i, line.length), open);
        chinese -= chinese > 0 && str_starts(str_slice(line, i, line.length), close);
        if (c == '\'' && (single || ticks % 2 == 0)) {
            single = single ? word_after && word_before : !word_before && word_after;
        } else if (c == '\'') {
            ticks--; /* `main', as GNU programs quote */
        }
    }
    return quotes % 2 == 1 || ticks % 2 == 1 || chinese > 0 || single;
}
