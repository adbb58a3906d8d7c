/* Finds what lines say against the words in them; see log_calm.h. */
#include "diagnose/log_calm.h"

#include "base/ascii.h"
#include "operator/text.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

static bool has_any(Str line, const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (str_contains(line, str_from(texts[i]))) {
            return true;
        }
    }
    return false;
}

static bool has_any_folded(Str line, const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (text_contains_folded(line, str_from(texts[i]))) {
            return true;
        }
    }
    return false;
}

/* The end of a count of zero at `at` ("0", "0.00%"), or `at` where there is none. */
static size_t zero_end(Str line, size_t at)
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

bool log_counts_failures(Str line)
{
    static const char *const words[] = {"FAIL", "FAILED", "FAILURE"};
    for (size_t at = str_find(line, STR("FAIL"), 0); at != SIZE_MAX;) {
        size_t end = at;
        while (end < line.length && is_word_char(line.at[end])) {
            end++;
        }
        bool whole = at == 0 || !is_word_char(line.at[at - 1]); /* not XFAIL */
        bool failure = whole && STR_IS_ANY(str_slice(line, at, end), words);
        while (end < line.length && strchr(" :=", line.at[end]) != NULL) {
            end++;
        }
        if (failure && zero_end(line, end) == end) {
            return true;
        }
        at = str_find(line, STR("FAIL"), at + 1);
    }
    return false;
}

/* "RuntimeError: …" or "[ERROR] …", also behind the margins of pytest and torchrun. */
static bool has_error_head(Str line)
{
    if (str_contains(line, STR("[ERROR]"))) {
        return true;
    }
    line = str_trim(line);
    if (str_starts(line, STR("E  "))) {
        line = str_trim(str_slice(line, 1, line.length));
    }
    size_t margin = str_starts(line, STR("[rank")) ? str_find(line, STR("]: "), 0) : SIZE_MAX;
    line = margin == SIZE_MAX ? line : str_slice(line, margin + 3, line.length);
    size_t end = 0;
    while (end < line.length && (is_word_char(line.at[end]) || line.at[end] == '.')) {
        end++;
    }
    Str name = str_slice(line, 0, end);
    bool exception = str_ends(name, STR("Error")) || str_ends(name, STR("Exception"));
    return exception && end < line.length && line.at[end] == ':';
}

/* The outcome of a test or a step, as pytest, gtest, ctest, unittest and configure print it. */
static bool is_good_outcome(Str line)
{
    static const char *const marks[] = {"PASSED", "[ RUN  ", " OK ]",   "SKIPPED",    "XFAIL",
                                        "XPASS",  "PASS ",   "-> PASS", "   Passed ", " skipped: "};
    static const char *const begins[] = {"xfail",
                                         "xpass",
                                         "PASS",
                                         "checking for ",
                                         "checking whether ",
                                         "ok ",
                                         "SKIP",
                                         "hint: ",
                                         "test passed:",
                                         "Requires-Python:",
                                         "Downloading http",
                                         "Collecting ",
                                         "Using cached ",
                                         "Successfully "};
    static const char *const ends[] = {" PASS",      " ... ok",      ": PASS",      " -> ok",
                                       ": OK",       " (expected)",  " [optional]", "=PASS",
                                       ", optional", " ... skipped", ", skipping",  ", ignored"};
    static const char *const notices[] = {
        "DeprecationWarning: ", "FutureWarning: ", "nvidia-smi: command not found",
        "nvidia-smi: not found", "Requirement already satisfied: "};
    line = str_trim(line);
    bool old = str_contains(line, STR("Warning")) && str_contains(line, STR("deprecated"));
    bool good = old || has_any(line, marks, COUNT(marks)) || has_any(line, notices, COUNT(notices));
    for (size_t i = 0; i < COUNT(begins) && !good; i++) {
        good = str_starts(line, str_from(begins[i]));
    }
    for (size_t i = 0; i < COUNT(ends) && !good; i++) {
        good = str_ends(line, str_from(ends[i]));
    }
    return good && !has_error_head(line) && !log_counts_failures(line);
}

/* 没有 and a word for a failure with at most two characters between them. */
static bool says_none_zh(Str line)
{
    static const char *const failures[] = {"失败", "错误", "异常", "超过", "超出", "不通过"};
    enum { MOST_BETWEEN = 6 }; /* bytes of two characters */
    const Str none = STR("没有");
    for (size_t at = str_find(line, none, 0); at != SIZE_MAX; at = str_find(line, none, at + 1)) {
        for (size_t i = 0; i < COUNT(failures); i++) {
            size_t begin = at + none.length;
            Str near = str_slice(line, begin, begin + MOST_BETWEEN + strlen(failures[i]));
            if (str_contains(near, str_from(failures[i]))) {
                return true;
            }
        }
    }
    return false;
}

static bool denies_words(Str line)
{
    static const char *const phrases[] = {"not exceed",
                                          "never exceed",
                                          "within tolerance",
                                          "within the tolerance",
                                          "within limit",
                                          "within the limit",
                                          "all close",
                                          "without error",
                                          ", 0 failed",
                                          ", failed 0",
                                          ", 0 error",
                                          "all passed",
                                          " 0 mismatch",
                                          "elements: 0 /",
                                          " 0 elements",
                                          " 0 packets",
                                          " 0 ue",
                                          "no mismatch",
                                          "no error",
                                          "no failure",
                                          "未超过",
                                          "未超出",
                                          "失败 0",
                                          "失败：0",
                                          "失败: 0",
                                          "失败0",
                                          "0 个失败",
                                          "0 个不通过",
                                          "0 个错误",
                                          "误差范围内",
                                          "容差内",
                                          "无异常",
                                          "0 失败"};
    if (has_error_head(line)) {
        return false;
    }
    return has_any_folded(line, phrases, COUNT(phrases)) ||
           text_find_folded(str_slice(line, 0, sizeof "0 elements" - 1), STR("0 elements"), 0) ==
               0 ||
           says_none_zh(line);
}

LogCalm log_calm(Str line)
{
    if (is_good_outcome(line)) {
        return LOG_CALM;
    }
    return denies_words(line) ? LOG_CALM_WORDS : LOG_NOT_CALM;
}

bool log_glob_is_name(Str glob)
{
    static const char *const names[] = {"Error", "Exception"};
    for (size_t i = 0; i < COUNT(names); i++) {
        size_t at = str_find(glob, str_from(names[i]), 0);
        if (at != SIZE_MAX && at > 0 && is_letter(glob.at[at - 1])) {
            return true;
        }
    }
    size_t letters = 0, digits = 0;
    while (letters < glob.length && glob.at[letters] >= 'A' && glob.at[letters] <= 'Z') {
        letters++;
    }
    while (letters + digits < glob.length && is_digit(glob.at[letters + digits])) {
        digits++;
    }
    enum { CODE_DIGITS = 4 };
    return str_starts(glob, STR("@")) || (letters > 0 && digits >= CODE_DIGITS);
}

/* Past words that may stand between what is spoken of and its count or state. */
static size_t skip_nouns(Str line, size_t at)
{
    static const char *const nouns[] = {
        "count",    "counts",     "ratio", "rate",    "number",    "total", "elements", "handler",
        "handlers", "protection", "check", "checks",  "detection", "guard", "monitor",  "watchdog",
        "tests",    "cases",      "jobs",  "packets", "retries",   "with",  "golden",   "signal",
        "limit",    "flag",       "error", "errors",  "waiting"};
    for (;;) {
        size_t begin = at, end;
        while (begin < line.length && (line.at[begin] == ' ' || line.at[begin] == '_')) {
            begin++;
        }
        for (end = begin; end < line.length && is_letter(line.at[end]);) {
            end++;
        }
        if (end == begin || !STR_IS_ANY(str_slice(line, begin, end), nouns)) {
            return at;
        }
        at = end;
    }
}

/* "none", "no", "false", "disabled" … as the whole rest of a clause. */
static bool is_quiet_answer(Str line, size_t at)
{
    static const char *const answers[] = {
        "none",      "None",       "no",       "No",       "false",  "False", "ok",
        "OK",        "off",        "enabled",  "disabled", "passed", "pass",  "PASS",
        "installed", "registered", "inactive", "handled",  "cleared"};
    size_t end = at;
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

/* "failed: 0", "busy: no", "handler registered" and the like after the words. */
static bool denied_after(Str line, size_t at)
{
    size_t end = at;
    while (end < line.length && (is_letter(line.at[end]) || line.at[end] == '+')) {
        end++; /* of a word that the glob has the beginning of */
    }
    end = skip_nouns(line, end);
    size_t value = end;
    while (value < line.length && (line.at[value] == ' ' || line.at[value] == '\t')) {
        value++;
    }
    const Str wide = STR("：");
    bool is_wide = str_starts(str_slice(line, value, line.length), wide);
    bool assigned = is_wide || (value < line.length && strchr(":=", line.at[value]) != NULL);
    value += is_wide ? wide.length : assigned ? 1 : 0;
    while (value < line.length && line.at[value] == ' ') {
        value++;
    }
    Str before = str_slice(line, 0, end);
    bool counted = assigned || str_ends(before, STR("ed")) || str_ends(before, STR("失败"));
    bool name = at > 0 && is_digit(line.at[at - 1]); /* "kL0=0" */
    bool zero = counted && !name && zero_end(line, value) > value;
    bool apart = value > end || (end > 0 && line.at[end - 1] == ' ');
    return zero || (apart && is_quiet_answer(line, value)) ||
           (assigned && str_ends(before, STR("timeout")) && is_duration(line, value));
}

/* ": no", "-> False" and the like at the end of the line, after the words. */
static bool denied_at_end(Str rest)
{
    static const char *const ends[] = {": no",    ": No",     ": none",   ": None",  ": false",
                                       ": False", "-> False", "-> false", "-> no",   "-> ok",
                                       "-> OK",   "= False",  "=False",   "= false", "=false"};
    for (size_t i = 0; i < COUNT(ends); i++) {
        if (str_ends(rest, str_from(ends[i]))) {
            return true;
        }
    }
    return false;
}

/* Does the text end with a negation of what follows? */
static bool ends_with_no(Str text)
{
    static const char *const words[] = {" not",     " never",   " no",      " without", "n't",
                                        "未",       "没有",     "未发现",   "未出现",   "未发生",
                                        "没有发现", "没有出现", "没有发生", "无"};
    text = str_trim(text);
    for (size_t i = 0; i < COUNT(words); i++) {
        if (str_ends(text, str_from(words[i])) ||
            str_is(text, words[i][0] == ' ' ? words[i] + 1 : words[i])) {
            return true;
        }
    }
    return false;
}

bool log_is_denied(Str line, GlobSpan span)
{
    if (has_error_head(line)) {
        return false;
    }
    line = str_trim(line);
    bool inside = span.last > span.begin && ends_with_no(str_slice(line, span.begin, span.last));
    return inside || ends_with_no(str_slice(line, 0, span.begin)) || denied_after(line, span.end) ||
           denied_at_end(str_slice(line, span.end, line.length));
}

/* "0 failed", "0 tests failed" before `at`. */
static bool none_before(Str line, size_t at)
{
    static const char *const nouns[] = {"tests", "cases", "test", "case", "jobs", "个"};
    Str before = str_trim(str_slice(line, 0, at));
    for (size_t i = 0; i < COUNT(nouns); i++) {
        if (str_ends(before, str_from(nouns[i]))) {
            before = str_trim(str_slice(before, 0, before.length - strlen(nouns[i])));
        }
    }
    size_t length = before.length;
    bool zero = length > 0 && before.at[length - 1] == '0';
    return zero &&
           (length == 1 || !(is_word_char(before.at[length - 2]) || before.at[length - 2] == '.'));
}

bool log_denies_errors(Str line)
{
    static const char *const words[] = {"fail", "error", "exception", "fatal", "core dumped",
                                        "失败", "错误",  "异常",      "报错"};
    enum { MOST_WORDS = 16 }; /* a line with more is not read to its end */
    size_t found = 0;
    line = str_trim(line);
    for (size_t i = 0; i < COUNT(words); i++) {
        Str word = str_from(words[i]);
        for (size_t at = text_find_folded(line, word, 0); at != SIZE_MAX;
             at = text_find_folded(line, word, at + 1)) {
            bool expected = at > 0 && lower_case(line.at[at - 1]) == 'x'; /* pytest's xfailed */
            GlobSpan span = {at, at, at + word.length};
            bool denied = expected || none_before(line, at) || log_is_denied(line, span);
            if (!denied || ++found > MOST_WORDS) {
                return false;
            }
        }
    }
    return found > 0;
}
