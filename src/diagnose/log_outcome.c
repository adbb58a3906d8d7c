/* How things went by a line of a log; see log_line.h. */
#include "diagnose/log_line.h"

#include "base/ascii.h"
#include "diagnose/word_list.h"
#include "operator/text.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* Does the line have the word? A count of unexpected errors ("3/3 ok, 0 unexpected errors") does
 * not contain "expect". */
static bool has_word(Str line, Str word)
{
    const Str none = STR(" unexpected ");
    size_t at = str_is(word, "expect") ? text_find_folded(line, none, 0) : SIZE_MAX;
    at = at != SIZE_MAX && at > 0 && is_digit(line.at[at - 1]) ? at : SIZE_MAX;
    Str before = str_slice(line, 0, at);
    Str after = at == SIZE_MAX ? STR("") : str_slice(line, at + none.length, line.length);
    return log_fits_folded(before, word) || log_fits_folded(after, word);
}

/* Is the outcome only expected or requested, or does it belong to another run or a single rank? */
static bool is_of_another(const LogLineText *line)
{
    return log_has_sign(line, line->text, SIGN_NO_SUCCESS, has_word) ||
           text_contains_folded(line->text, STR("rank")) ||
           text_contains_folded(line->text, STR("worker"));
}

/* "CHECK FAILED: …" is a message, and not the outcome of a case. */
static bool is_message(Str text, size_t at)
{
    Str before = str_slice(text, 0, at);
    return str_ends(before, STR("CHECK ")) || str_ends(before, STR("ASSERT "));
}

/* FAIL, FAILED or FAILURE in capitals with anything but a count of zero after it. */
static bool counts_capitals(const LogLineText *line)
{
    static const char *const words[] = {"FAIL", "FAILED", "FAILURE"};
    Str text = line->text;
    bool maybe = (line->signs & 1U << SIGN_FAILURE) != 0;
    size_t at = maybe ? str_find(text, STR("FAIL"), 0) : SIZE_MAX;
    for (; at != SIZE_MAX; at = str_find(text, STR("FAIL"), at + 1)) {
        size_t end = at;
        while (end < text.length && is_word_char(text.at[end])) {
            end++;
        }
        bool whole = at == 0 || (!is_word_char(text.at[at - 1]) && !is_message(text, at));
        bool failure = whole && STR_IS_ANY(str_slice(text, at, end), words);
        bool value = at > 0 && text.at[at - 1] == '='; /* "status=FAIL cases=0/10" */
        end = value ? end : log_skip_nouns(text, end);
        while (end < text.length && strchr(" :=(", text.at[end]) != NULL) {
            end++;
        }
        if (failure && log_zero_end(text, end) == end) {
            return true;
        }
    }
    return false;
}

/* "CHECK softmax: NG". */
static bool is_no_good(Str text)
{
    return str_ends(text, STR(": NG")) || str_ends(text, STR("-> NG")) || str_is(text, "NG") ||
           str_ends(text, STR(" = NG"));
}

/* "broker[211] exit 3" at the end of the line, not `make || exit 1`. */
static bool ends_with_failure(const LogLineText *line)
{
    static const char *const words[] = {
        "exit ",         "exit code ", "exit code: ",       "exit status ",
        "exit status: ", "rc=",        "exited with code ", "exited with status "};
    enum { MOST_DIGITS = 3 };
    Str text = line->text;
    size_t begin = text.length;
    bool zero = true;
    while (begin > 0 && is_digit(text.at[begin - 1])) {
        begin--;
        zero = zero && text.at[begin] == '0';
    }
    bool number = begin < text.length && text.length - begin <= MOST_DIGITS && !zero;
    Str before = str_slice(text, 0, begin);
    bool fits = false;
    for (size_t i = 0; i < COUNT(words) && number && !fits; i++) {
        Str last = str_slice(before, before.length - strlen(words[i]), before.length);
        fits = before.length >= strlen(words[i]) && log_fits_folded(last, str_from(words[i]));
    }
    return fits && !str_contains(text, STR("|| ")) && !str_contains(text, STR("&& ")) &&
           !str_contains(text, STR("; "));
}

/* "Failures: 3", "errors=2" at the start of a clause, "3 of 10 tests failed", and in JSON and XML
 * "\"failures\": 3" and "failures=\"3\"". Errors that the program has fixed do not count. */
static bool counts_words(const LogLineText *line)
{
    static const char *const words[] = {"failures", "errors", "tests failed", "cases failed"};
    Str text = line->text;
    bool maybe =
        (line->signs & 1U << SIGN_FAILURE) != 0 && !str_contains(text, STR(" fixed, 0 remaining"));
    bool counts = false;
    for (size_t i = 0; i < COUNT(words) && !counts && maybe; i++) {
        size_t at = text_find_folded(text, str_from(words[i]), 0);
        Str before = at == SIZE_MAX ? text : str_slice(text, 0, at);
        size_t end = at == SIZE_MAX ? text.length : at + strlen(words[i]), digit = end;
        while (digit < text.length && strchr(" :=\"", text.at[digit]) != NULL) {
            digit++;
        }
        char last = before.length == 0 ? ',' : before.at[before.length - 1];
        bool starts = strchr(",;|(\"", last) != NULL || str_ends(before, STR("  ")) ||
                      str_ends(before, STR(", ")) || (str_starts(text, STR("<")) && last == ' ');
        bool after = starts && digit > end && digit < text.length && is_digit(text.at[digit]) &&
                     text.at[digit] != '0';
        Str number = str_trim(before);
        size_t begin = number.length;
        while (begin > 0 && is_digit(number.at[begin - 1])) {
            begin--;
        }
        bool ahead = at != SIZE_MAX && begin < number.length && number.at[begin] != '0' &&
                     last == ' ' && (begin == 0 || number.at[begin - 1] == ' ');
        counts = after || ahead;
    }
    return counts;
}

/* "3 failed" as a clause of its own: "INFO main - 3 failed", "INFO: 3 failed in 2 s". Neither "case
 * 3 failed" nor "3 failed logins" is one. */
static bool counts_clause(const LogLineText *line)
{
    static const char *const after[] = {",", ";", ".", ")", " (", " in "};
    const Str word = STR(" failed"), level = STR("INFO");
    Str text = line->text;
    bool maybe = (line->signs & 1U << SIGN_FAILURE) != 0 && !is_of_another(line) &&
                 !log_has_sign(line, text, SIGN_GOES_ON, log_fits_folded);
    size_t at = maybe ? text_find_folded(text, word, 0) : SIZE_MAX;
    for (; at != SIZE_MAX; at = text_find_folded(text, word, at + 1)) {
        Str rest = str_slice(text, at + word.length, text.length);
        size_t begin = at;
        while (begin > 0 && is_digit(text.at[begin - 1])) {
            begin--;
        }
        bool number = begin < at && text.at[begin] != '0' &&
                      (begin == 0 || strchr(" (", text.at[begin - 1]) != NULL);
        Str before = str_trim(str_slice(text, 0, begin));
        bool starts = before.length == 0 || str_ends(before, level) ||
                      strchr("-|:](", before.at[before.length - 1]) != NULL;
        if (number && starts && (rest.length == 0 || STARTS_WITH(after, rest))) {
            return true;
        }
    }
    return false;
}

/* "make[2]: *** [CMakeFiles/x: all] Error 2" */
static bool make_stopped(Str text)
{
    return str_starts(text, STR("make")) && str_contains(text, STR(": *** ")) &&
           str_contains(text, STR(" Error "));
}

bool log_counts_failures(const LogLineText *line)
{
    return counts_capitals(line) || is_no_good(line->text) || ends_with_failure(line) ||
           counts_words(line) || counts_clause(line) || make_stopped(line->text);
}

/* PASSED, SKIPPED and the like as the verdict on what the line names. "failed in BYPASS mode",
 * "graph PASS x failed" and "compile failed, 3 tests SKIPPED" have none. */
static bool has_verdict(const LogLineText *line)
{
    Str text = line->text;
    bool maybe = (line->signs & 1U << SIGN_VERDICT) != 0, good = false;
    for (size_t i = 0; i < log_sign_count && maybe && !good; i++) {
        Str word = str_from(log_signs[i].text);
        size_t at = log_signs[i].class == SIGN_VERDICT ? str_find(text, word, 0) : SIZE_MAX;
        if (at == SIZE_MAX || (at > 0 && is_letter(word.at[0]) && is_word_char(text.at[at - 1]))) {
            continue;
        }
        size_t end = at + word.length, clause = at;
        if (strchr(" |", word.at[0]) != NULL && !is_blank(word.at[word.length - 1]) &&
            end < text.length && is_letter(text.at[end])) {
            continue; /* "  pass" of "  passes" */
        }
        bool reason =
            str_starts(str_slice(text, end, text.length), STR(" (")); /* why it is skipped */
        while (clause > 0 && strchr(",;", text.at[clause - 1]) == NULL) {
            clause--;
        }
        good = (reason || !log_names_failure(line, end, text.length)) &&
               !log_names_failure(line, 0, clause);
    }
    return good;
}

/* "caught X as expected", "expected error raised: …"; not "not as expected" or "unexpected". */
static bool is_expected(const LogLineText *line)
{
    static const char *const good[] = {"as expected",        "expected error", "expected failure",
                                       "expected exception", "符合预期",       "预期报错"};
    static const char *const bad[] = {"not ",    "n't ", "unexpected", " but ",
                                      "instead", "got ", "missing",    "不符合"};
    bool maybe = (line->signs & 1U << SIGN_NO_SUCCESS) != 0;
    bool found = maybe && HAS_FOLDED(good, line->text), denied = false;
    bool as_expected = maybe && (text_contains_folded(line->text, STR("(as expected")) ||
                                 text_contains_folded(line->text, STR(" as expected")));
    for (size_t i = 0; i < COUNT(bad) && found && !denied; i++) {
        if (as_expected && str_is(str_from(bad[i]), "got ")) {
            continue; /* "got error 3 as expected" */
        }
        denied = text_contains_folded(line->text, str_from(bad[i]));
    }
    return found && !denied;
}

bool log_is_ignored(Str line, bool is_exception)
{
    static const char *const ignored[] = {", ignored", " (ignored)", "忽略"};
    static const char *const ends[] = {", ignore", ", ignore it", ", ignore.", ", skip",
                                       ", skip it"};
    static const char *const instead[] = {", use default", ", using default", ", use the default"};
    return ENDS_WITH(ignored, line) ||
           (!is_exception && (ENDS_WITH(ends, line) || HAS_FOLDED(instead, line)));
}

/* Does the bar separate columns of the logger ("INFO | 3 failed", loguru's "… | INFO | … - 3
 * failed")? Then the line has several bars, or the level comes directly before this one. */
static bool is_column(Str text, size_t bar)
{
    bool several = str_find(text, STR("|"), bar + STR(" |").length) != SIZE_MAX;
    Str head = str_trim(str_slice(text, 0, bar));
    char last = head.length > 0 ? head.at[head.length - 1] : 'A';
    return several || (last >= 'A' && last <= 'Z');
}

bool log_is_of_earlier(const LogLineText *line, LogLevel level)
{
    static const char *const words[] = {"previous run",   "previous attempt",
                                        "previous job",   "previous nightly",
                                        "previous build", "yesterday",
                                        "last night",     "last run",
                                        "was failed",     "上次",
                                        "昨天",           "之前的"};
    size_t bar = str_find(line->text, STR(" | "), 0);
    bool earlier = level == LOG_LEVEL_QUIET && bar != SIZE_MAX && !is_column(line->text, bar);
    for (size_t i = 0; i < COUNT(words) && !earlier; i++) {
        size_t at = text_find_folded(line->text, str_from(words[i]), 0);
        /* "3 failed (last run: 0)" begins with the count of this run. */
        LogLineText before = *line;
        before.text = str_slice(line->text, 0, at == SIZE_MAX ? 0 : at);
        earlier = at != SIZE_MAX && !log_counts_failures(&before) &&
                  log_sum_of(&before).kind == LOG_SUM_NONE;
    }
    return earlier;
}

bool log_is_good_outcome(const LogLineText *line)
{
    Str text = line->text;
    return has_verdict(line) || is_expected(line) ||
           log_has_sign(line, text, SIGN_OUTCOME, str_contains) ||
           log_has_sign(line, text, SIGN_OUTCOME_FIRST, str_starts) ||
           (log_has_sign(line, text, SIGN_OUTCOME_LAST, str_ends) &&
            !str_ends(text, STR("NOT PASS"))) ||
           (log_has_sign(line, text, SIGN_DEPRECATED, str_contains) &&
            str_contains(text, STR("Warning")));
}

/* "14 passed in 3 s", not "case PASSED, next one". */
static bool has_number_before(Str line, Str text)
{
    size_t at = str_find(line, text, 0);
    return at != SIZE_MAX && at > 0 && is_digit(line.at[at - 1]);
}

/* "exit code 0", not "exit code 01" or "x.exit code 0.5". */
static bool has_whole(Str line, Str text)
{
    size_t at = str_find(line, text, 0);
    size_t end = at == SIZE_MAX ? 0 : at + text.length;
    bool goes_on = end < line.length && is_digit(text.at[text.length - 1]) &&
                   (is_word_char(line.at[end]) || (line.at[end] == '.' && end + 1 < line.length));
    return end > 0 && !goes_on && (at == 0 || !is_word_char(line.at[at - 1]));
}

LogSum log_sum_of(const LogLineText *line)
{
    const LogSum none = {.kind = LOG_SUM_NONE};
    LogSum sum = (line->signs & 1U << SIGN_SUM) != 0 ? log_sum(line->text) : none;
    return sum.kind != LOG_SUM_NONE && is_of_another(line) ? none : sum;
}

LogSuccess log_success_of(const LogLineText *line)
{
    bool run = log_has_sign(line, line->text, SIGN_PASSED, has_number_before) ||
               log_has_sign(line, line->text, SIGN_SUCCESS, has_whole) ||
               log_has_sign(line, line->text, SIGN_SUCCESS_LAST, str_ends);
    bool step = !run && log_has_sign(line, line->text, SIGN_STEP, str_contains);
    bool mixed = (run || step) && (str_contains(line->text, STR(" error")) ||
                                   str_contains(line->text, STR("0x")) || is_of_another(line));
    return mixed  ? LOG_NO_SUCCESS
           : run  ? LOG_RUN_SUCCESS
           : step ? LOG_STEP_SUCCESS
                  : LOG_NO_SUCCESS;
}

bool log_sums_up(const LogLineText *line)
{
    return log_has_sign(line, line->text, SIGN_PASSED, has_number_before) ||
           log_has_sign(line, line->text, SIGN_SUMMARY, str_contains);
}

/* "3 of 5", "2/3" */
static bool has_count(Str line)
{
    for (size_t i = 1; i + 1 < line.length; i++) {
        Str rest = str_slice(line, i, line.length);
        bool after = is_digit(line.at[i - 1]) && str_starts(rest, STR("/"));
        if (after && is_digit(line.at[i + 1])) {
            return true;
        }
    }
    return str_contains(line, STR(" of "));
}

bool log_retries_it(Str line)
{
    const Str retrying = STR("etrying"), zh = STR("重试");
    static const char *const ends[] = {" in ", " after ", ".", "…",  " (",
                                       ",",    ":",       ";", "，", "。"};
    size_t at = text_find_folded(line, retrying, 0);
    size_t length = retrying.length;
    if (at == SIZE_MAX) {
        at = str_find(line, zh, 0);
        length = zh.length;
    }
    if (at == SIZE_MAX || has_count(line)) {
        return true; /* a numbered attempt */
    }
    Str rest = str_slice(line, at + length, line.length);
    return str_trim(rest).length == 0 || STARTS_WITH(ends, rest);
}

bool log_tells_of_failure(Str line)
{
    static const char *const words[] = {
        "not ",   "cannot", "n't",     "unable",  "fail",   "error",   "exception", "ignor",
        "skip",   "fall",   "unavail", "without", "disabl", "missing", "probing",   "optional",
        "trying", "失败",   "异常",    "忽略",    "无法",   "未",      "跳过",      "不"};
    return HAS_FOLDED(words, line);
}
