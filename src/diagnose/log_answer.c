/* Reads the answer after words for a failure: a count of zero, "no", a time limit that is set; see
 * log_line.h. */
#include "diagnose/log_line.h"

#include "base/ascii.h"
#include "diagnose/word_list.h"
#include "operator/text.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

size_t log_zero_end(Str line, size_t at)
{
    size_t end = at;
    if (end >= line.length || line.at[end] != '0') {
        return at;
    }
    end++;
    if (end + 1 < line.length && line.at[end] == '.' && is_digit(line.at[end + 1])) {
        end++;
        while (end < line.length && line.at[end] == '0') {
            end++;
        }
    }
    return end < line.length && is_word_char(line.at[end]) ? at : end;
}

size_t log_skip_nouns(Str line, size_t at)
{
    static const char *const nouns[] = {
        "count",   "counts",   "ratio",      "rate",  "number",      "total",     "elements",
        "handler", "handlers", "protection", "check", "checks",      "detection", "guard",
        "monitor", "watchdog", "tests",      "cases", "jobs",        "packets",   "retries",
        "with",    "golden",   "signal",     "limit", "flag",        "code",      "reporting",
        "error",   "errors",   "waiting",    "cnt",   "information", "aggregate", "summary"};
    for (;;) {
        size_t begin = at, end;
        while (begin < line.length && (line.at[begin] == ' ' || line.at[begin] == '_')) {
            begin++;
        }
        for (end = begin; end < line.length && is_letter(line.at[end]);) {
            end++;
        }
        if (end == begin || !WORD_IN(nouns, str_slice(line, begin, end))) {
            return at;
        }
        at = end;
    }
}

/* "none", "no", "false", "disabled" … as the whole rest of a clause. */
static bool is_quiet_answer(Str line, size_t at)
{
    static const char *const answers[] = {
        "none",     "None",    "no",       "No",     "false", "False", "ok",        "OK",
        "off",      "enabled", "disabled", "passed", "pass",  "PASS",  "installed", "registered",
        "inactive", "handled", "cleared",  "NA",     "N/A",   "null"};
    size_t end = at;
    if (str_starts(str_slice(line, at, line.length), STR("[]"))) {
        return true;
    }
    while (end < line.length && is_word_char(line.at[end])) {
        end++;
    }
    bool over = end == line.length || str_contains(STR(",;.)]"), str_slice(line, end, end + 1));
    return over && STR_IS_ANY(str_slice(line, at, end), answers);
}

/* A number of seconds or the like as the rest of a clause: a limit that is set, not one that was
 * reached. Codes have more digits. */
static bool is_duration(Str line, size_t at)
{
    static const char *const units[] = {"", "s", "ms", "us", "sec", "min", "seconds", "minutes"};
    enum { MOST_DIGITS = 7, CODE_DIGITS = 6 };
    size_t end = at;
    while (end < line.length && end - at < MOST_DIGITS && is_digit(line.at[end])) {
        end++;
    }
    size_t digits = end - at;
    Str unit = str_trim(str_slice(line, end, line.length));
    size_t letters = 0;
    while (letters < unit.length && is_letter(unit.at[letters])) {
        letters++;
    }
    bool over = letters == unit.length || strchr(",;.)", unit.at[letters]) != NULL;
    unit = str_slice(unit, 0, letters);
    return digits > 0 && over && STR_IS_ANY(unit, units) &&
           !(digits == CODE_DIGITS && letters == 0);
}

/* Skips the word for a count: 错误数, 异常数量. */
static size_t skip_zh(Str line, size_t at)
{
    static const char *const nouns[] = {"用例数", "数量", "总数", "个数", "次数", "数", "率", "码"};
    for (size_t i = 0; i < COUNT(nouns); i++) {
        if (str_starts(str_slice(line, at, line.length), str_from(nouns[i]))) {
            return at + strlen(nouns[i]);
        }
    }
    return at;
}

bool log_counts_good(Str line, size_t at)
{
    Str rest = str_slice(line, at, line.length);
    size_t end = 0;
    while (end < rest.length && strchr(",;.(/", rest.at[end]) == NULL) {
        end++;
    }
    rest = str_slice(rest, 0, end);
    return text_contains_folded(rest, STR("equal")) || text_contains_folded(rest, STR(" match"));
}

/* "failed: 0", "busy: no", "handler registered" and the like after the words. */
static bool answers_no(Str line, size_t at)
{
    size_t end = at;
    while (end < line.length && (is_letter(line.at[end]) || line.at[end] == '+')) {
        end++; /* the rest of a word that the glob only begins */
    }
    bool quoted = end < line.length && line.at[end] == '"';
    end += quoted ? 1 : 0; /* "errors": 0 */
    size_t word = end;
    end = skip_zh(line, log_skip_nouns(line, end));
    bool is_count = end > word || str_ends(str_slice(line, 0, end), STR("code"));
    size_t value = end;
    while (value < line.length && (line.at[value] == ' ' || line.at[value] == '\t')) {
        value++;
    }
    const Str wide = STR("：");
    bool is_wide = str_starts(str_slice(line, value, line.length), wide);
    bool assigned = is_wide || (value < line.length && strchr(":=(", line.at[value]) != NULL);
    value += is_wide ? wide.length : assigned ? 1 : 0;
    while (value < line.length && line.at[value] == ' ') {
        value++;
    }
    Str before = str_slice(line, 0, end);
    bool counted = assigned || str_ends(before, STR("ed")) || str_ends(before, STR("失败")) ||
                   str_ends(before, STR("未通过"));
    bool name = at > 0 && is_digit(line.at[at - 1]); /* "kL0=0" */
    bool zero = (counted || is_count) && !name && log_zero_end(line, value) > value &&
                !log_counts_good(line, log_zero_end(line, value));
    bool apart = value > end || (end > 0 && line.at[end - 1] == ' ');
    return zero || (apart && is_quiet_answer(line, value)) ||
           (assigned && str_ends(before, STR("timeout")) && is_duration(line, value));
}

static bool has_any(Str text, const char *marks)
{
    bool found = false;
    for (size_t i = 0; i < text.length && !found; i++) {
        found = strchr(marks, text.at[i]) != NULL;
    }
    return found;
}

/* ": no", "-> False" and the like at the end of the line, after the words. An answer
 * after a comma or another value is about something else: "K mismatch: 64, bTrans=false". */
static bool ends_with_no(Str rest)
{
    static const char *const ends[] = {": no",    ": No",     ": none",   ": None",  ": false",
                                       ": False", "-> False", "-> false", "-> no",   "-> ok",
                                       "-> OK",   "= False",  "=False",   "= false", "=false"};
    for (size_t i = 0; i < COUNT(ends); i++) {
        Str before = str_slice(rest, 0, rest.length - strlen(ends[i]));
        bool assigns = ends[i][0] != '-';
        if (str_ends(rest, str_from(ends[i])) && !(assigns && has_any(before, ",;:="))) {
            return true;
        }
    }
    return false;
}

bool log_answers_no(Str line, size_t at)
{
    return answers_no(line, at) || ends_with_no(str_slice(line, at, line.length));
}
