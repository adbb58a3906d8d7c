/* Tells lines of a run that is still at work; see log_progress.h. */
#include "diagnose/log_progress.h"

#include "base/ascii.h"
#include "diagnose/log_head.h"
#include "diagnose/word_list.h"
#include "operator/text.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* pip and compilers add notes to an error. */
static bool is_note(Str line)
{
    static const char *const begins[] = {"note", "[note", "hint", "[notice",
                                         "提示", "注意",  "[提示"};
    return STARTS_FOLDED(begins, line) || text_contains_folded(line, STR(": note: "));
}

/* Past "10:00:05 " near the start of a line that begins with a digit or a bracket before one; 0
 * without a time. */
static size_t time_end(Str line)
{
    enum { COLUMNS = 24, LENGTH = 8 };
    size_t digit = line.length > 1 && line.at[0] == '[' ? 1 : 0, end = 0;
    bool begins = line.length > digit && is_digit(line.at[digit]);
    for (size_t at = digit; begins && end == 0 && at + LENGTH <= line.length && at < COLUMNS;
         at++) {
        bool found = line.at[at + 2] == ':' && line.at[at + 5] == ':';
        for (size_t i = 0; i < LENGTH && found; i++) {
            found = i % 3 == 2 || is_digit(line.at[at + i]);
        }
        end = found ? at + LENGTH : 0;
    }
    while (end > 0 && end < line.length && !is_blank(line.at[end])) {
        end++; /* fractions, a bracket */
    }
    return end;
}

/* CANN's logs have lines of all its modules, whatever happens; and a program that ends says so. */
static bool is_ending(Str line)
{
    static const char *const words[] = {"shut",  "exit", "stop",    "terminat", "clean",
                                        "abort", "kill", "destroy", "finaliz",  "snippet",
                                        "退出",  "停止", "关闭",    "清理"};
    bool cann = str_starts(line, STR("[INFO] ")) && str_contains(line, STR("):20"));
    return cann || HAS_FOLDED(words, line);
}

/* "epoch 4 finished", "Epoch 3/10, …", "iter 200 | …", "step 400 of 1000", "第 3 轮". */
static bool counts_work(Str line)
{
    static const char *const words[] = {"epoch",      "step",   "iter",  "iteration", "batch",
                                        "request",    "round",  "trial", "candidate", "autotune",
                                        "generation", "epoch:", "step:", "第"};
    size_t end = 0;
    while (end < line.length && !is_blank(line.at[end]) && !is_digit(line.at[end])) {
        end++;
    }
    bool found = WORD_IN(words, str_slice(line, 0, end));
    Str rest = str_trim(str_slice(line, end, line.length));
    return found && (str_starts(rest, STR("candidate")) ||
                     (rest.length > 0 && (is_digit(rest.at[0]) || rest.at[0] == '[')));
}

/* "…: 12 us" at the end of the line. */
static bool ends_with_time(Str line)
{
    static const char *const units[] = {" us", " ms", "us", "ms", " samples/s", " it/s", "it/s"};
    for (size_t i = 0; i < COUNT(units); i++) {
        size_t digit = line.length - strlen(units[i]);
        if (str_ends(line, str_from(units[i])) && digit > 0 && is_digit(line.at[digit - 1])) {
            return true;
        }
    }
    return false;
}

/* "reconnected", "as expected": has the program overcome an error, or expected it? */
static bool is_overcome(Str line)
{
    static const char *const begins[] = {"connected", "reconnected", "recovered", "resumed"};
    static const char *const expected[] = {"expected error",     "expected exception",
                                           "expected failure",   "as expected",
                                           "error was expected", "符合预期"};
    return STARTS_FOLDED(begins, line) || HAS_FOLDED(expected, line);
}

/* "OK", "done.": does the line say that something is done, whichever program did it? */
static bool is_outcome(Str line)
{
    return str_ends(line, STR(" done.")) || str_is(line, "OK") || str_is(line, "ok");
}

bool log_is_work(Str line)
{
    bool indented = line.length > 0 && is_blank(line.at[0]);
    line = str_trim(line);
    LogLevel level = indented ? LOG_LEVEL_ERROR : log_head_level(line);
    Str text = str_trim(str_slice(line, time_end(line), line.length));
    bool work = level == LOG_LEVEL_QUIET ||
                (level == LOG_LEVEL_NONE && (counts_work(text) || ends_with_time(text) ||
                                             is_overcome(text) || is_outcome(text)));
    return work && !is_note(line) && !is_ending(line) && !str_contains(line, STR("?it/s"));
}

bool log_is_work_done(Str line)
{
    line = str_trim(line);
    Str text = str_trim(str_slice(line, time_end(line), line.length));
    return (counts_work(text) || ends_with_time(text) || is_overcome(text)) && !is_note(line);
}

bool log_is_caught(Str line)
{
    const Str word = STR("caught "), names[] = {STR("Error: "), STR("Exception: ")};
    size_t at = str_find(line, word, 0), end = at == SIZE_MAX ? line.length : at + word.length;
    bool begins = at != SIZE_MAX && (at == 0 || line.at[at - 1] == ' ');
    while (end < line.length && is_word_char(line.at[end])) {
        end++;
    }
    Str upto = str_slice(line, 0, end + 2); /* the name, a colon and a blank */
    return begins && (str_ends(upto, names[0]) || str_ends(upto, names[1]));
}

bool log_announces(Str line)
{
    static const char *const words[] = {"fail", "exception", "失败", "异常", "出错"};
    return str_contains(line, STR("Error")) || HAS_FOLDED(words, line);
}
