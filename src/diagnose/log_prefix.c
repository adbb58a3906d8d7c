/* Reads what launchers put before lines; see log_prefix.h. Each reader takes the rest of the line
 * and returns the length of its label, including the blanks after it; 0: not its label. */
#include "diagnose/log_prefix.h"

#include "base/ascii.h"

#include <string.h>

enum { MOST_LABELS = 4, MOST_LENGTH = 120 };

static size_t digits_end(Str line, size_t at)
{
    while (at < line.length && is_digit(line.at[at])) {
        at++;
    }
    return at;
}

static size_t blanks_end(Str line, size_t at)
{
    while (at < line.length && is_blank(line.at[at])) {
        at++;
    }
    return at;
}

/* The end of the name of a host, container or program at `at`. */
static size_t name_end(Str line, size_t at)
{
    while (at < line.length &&
           (is_word_char(line.at[at]) || (line.at[at] != '\0' && strchr("-.@/", line.at[at])))) {
        at++;
    }
    return at;
}

static bool has_at(Str line, size_t at, const char *text)
{
    return str_starts(str_slice(line, at, line.length), str_from(text));
}

/* Does the text at `at` fit the form? 9 stands for a digit, any other character for itself. */
static bool fits(Str line, size_t at, const char *form)
{
    size_t length = strlen(form);
    bool same = at + length <= line.length;
    for (size_t i = 0; i < length && same; i++) {
        char c = line.at[at + i];
        same = form[i] == '9' ? is_digit(c) : c == form[i];
    }
    return same;
}

/* The end of "10:00:05" with an optional fraction and zone, or `at`. */
static size_t time_end(Str line, size_t at)
{
    size_t end = fits(line, at, "99:99:99") ? at + strlen("99:99:99") : at;
    if (end > at && end < line.length && strchr(".,", line.at[end]) != NULL) {
        end = digits_end(line, end + 1);
    }
    if (end > at && has_at(line, end, "Z")) {
        end++;
    } else if (end > at && (fits(line, end, "+99:99") || fits(line, end, "-99:99"))) {
        end += strlen("+99:99");
    } else if (end > at && fits(line, end, "+9999")) {
        end += strlen("+9999");
    }
    return end;
}

/* The end of "2025-01-01T10:00:05.123Z" or "2025-01-01 10:00:05", or `at`. */
static size_t date_end(Str line, size_t at)
{
    size_t time = at + strlen("9999-99-99T");
    bool date = fits(line, at, "9999-99-99T") || fits(line, at, "9999-99-99 ") ||
                fits(line, at, "9999/99/99 ");
    size_t end = date ? time_end(line, time) : at;
    return date && end > time ? end : at;
}

/* "2025-01-01T10:00:05.123Z text" from GitHub, docker and kubectl. log_head.c reads other times
 * together with the level that follows them. */
static size_t stamp_of(Str line)
{
    size_t end = date_end(line, 0);
    bool zulu = end > 0 && line.at[end - 1] == 'Z' && line.at[strlen("9999-99-99")] == 'T';
    return zulu && (end == line.length || line.at[end] == ' ') ? blanks_end(line, end) : 0;
}

/* "[2025-01-01 10:00:05] " or "[10:00:05] ". */
static size_t bracketed_stamp_of(Str line)
{
    size_t end = date_end(line, 1);
    end = end > 1 ? end : time_end(line, 1);
    bool closed = end > 1 && has_at(line, end, "] ");
    size_t begin = closed ? blanks_end(line, end + 1) : 0;
    bool level = begin + 1 < line.length && line.at[begin] >= 'A' && line.at[begin] <= 'Z' &&
                 line.at[begin + 1] == ' '; /* "[…] E text" */
    return closed && !level ? begin : 0;
}

/* "[stderr] ", "[pod/x-0/main] ". */
static size_t stream_of(Str line)
{
    static const char *const streams[] = {"[stderr] ", "[stdout] ", "[stderr]: ", "[stdout]: "};
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++) {
        if (has_at(line, 0, streams[i])) {
            return strlen(streams[i]);
        }
    }
    size_t end = has_at(line, 0, "[pod/") ? name_end(line, 1) : 0;
    return end > 0 && has_at(line, end, "] ") ? end + 2 : 0;
}

/* "[1,3]<stderr>:" from mpirun, "[rank3]: " and "[default3]:" from torchrun. */
static size_t rank_of(Str line)
{
    static const char *const names[] = {"[rank", "[default"};
    size_t comma = digits_end(line, 1);
    if (comma > 1 && has_at(line, comma, ",")) {
        size_t end = digits_end(line, comma + 1);
        bool stream = has_at(line, end, "]<stderr>:") || has_at(line, end, "]<stdout>:");
        return stream && end > comma + 1 ? end + strlen("]<stderr>:") : 0;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t begin = strlen(names[i]);
        size_t end = has_at(line, 0, names[i]) ? digits_end(line, begin) : 0;
        if (end > begin && (has_at(line, end, "]:") || has_at(line, end, "] "))) {
            return has_at(line, end, "]: ") ? end + 3 : end + 2;
        }
    }
    return 0;
}

/* "trainer-0  | " from docker compose. */
static size_t service_of(Str line)
{
    size_t end = name_end(line, 0), bar = blanks_end(line, end);
    size_t digits = end;
    while (digits > 0 && is_digit(line.at[digits - 1])) {
        digits--;
    }
    bool numbered =
        digits > 1 && digits < end && (line.at[digits - 1] == '-' || line.at[digits - 1] == '_');
    return numbered && is_letter(line.at[0]) && bar > end && has_at(line, bar, "| ") ? bar + 2 : 0;
}

/* "Jan  1 10:00:05 host prog[12]: " from the journal. */
static size_t journal_of(Str line)
{
    static const char *const months[] = {"Jan ", "Feb ", "Mar ", "Apr ", "May ", "Jun ",
                                         "Jul ", "Aug ", "Sep ", "Oct ", "Nov ", "Dec "};
    enum { MONTH = 4 };
    size_t at = STR_IS_ANY(str_slice(line, 0, MONTH), months) ? MONTH : 0;
    size_t day = at == 0 ? 0 : digits_end(line, blanks_end(line, at));
    size_t time = day > at ? time_end(line, blanks_end(line, day)) : 0;
    size_t host = time > day + 1 ? name_end(line, blanks_end(line, time)) : 0;
    size_t program = host > time ? name_end(line, blanks_end(line, host)) : 0;
    size_t end = program > host && has_at(line, program, "[") ? digits_end(line, program + 1) : 0;
    return end > program + 1 && has_at(line, end, "]: ") ? end + 3 : 0;
}

/* "#16 2.118 " from docker's builder. */
static size_t builder_of(Str line)
{
    size_t step = digits_end(line, 1);
    size_t seconds = step > 1 && has_at(line, step, " ") ? digits_end(line, step + 1) : 0;
    size_t end =
        seconds > step + 1 && has_at(line, seconds, ".") ? digits_end(line, seconds + 1) : 0;
    return end > seconds + 1 && has_at(line, end, " ") ? end + 1 : 0;
}

/* "(Worker pid=12, ip=10.0.0.1) " from Ray. */
static size_t worker_of(Str line)
{
    size_t name = name_end(line, 1);
    size_t close =
        name > 1 && has_at(line, name, " pid=") ? str_find(line, STR(") "), name) : SIZE_MAX;
    return close != SIZE_MAX && close < MOST_LENGTH ? close + 2 : 0;
}

/* Reads the label at the start of the line, except for ranks (rank_of). */
static size_t label_of(Str line)
{
    char first = line.length > 0 ? line.at[0] : '\0';
    size_t length = 0;
    if (first == '[') {
        length = bracketed_stamp_of(line);
        length = length > 0 ? length : stream_of(line);
    } else if (is_digit(first)) {
        length = stamp_of(line);
    } else if (is_letter(first)) {
        length = service_of(line);
        length = length > 0 ? length : journal_of(line);
    } else if (first == '#') {
        length = builder_of(line);
    } else if (first == '(') {
        length = worker_of(line);
    }
    return length;
}

LogPrefix log_prefix(Str line)
{
    LogPrefix prefix = {0};
    size_t length = 1;
    for (int labels = 0; labels < MOST_LABELS && length > 0; labels++) {
        Str rest = str_slice(line, prefix.length, line.length);
        size_t rank = has_at(rest, 0, "[") ? rank_of(rest) : 0;
        prefix.is_rank = prefix.is_rank || rank > 0;
        length = rank > 0 ? rank : label_of(rest);
        prefix.length += length;
    }
    return prefix;
}
