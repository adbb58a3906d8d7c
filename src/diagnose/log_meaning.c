/* Finds what lines say of themselves; see log_meaning.h. */
#include "diagnose/log_meaning.h"

#include "base/ascii.h"
#include "operator/text.h"

enum { LEVEL_COLUMNS = 160 }; /* the level of a message is near the start of its line */

#define COUNT(list) (sizeof(list) / sizeof *(list))

const LogSign log_signs[] = {
#define SIGN(class, text) {SIGN_##class, text},
#include "diagnose/log_signs.def"
#undef SIGN
};
const uint32_t log_sign_count = COUNT(log_signs);

/* A line, and what was found in it. */
typedef struct Line {
    Str text; /* without white space at both ends */
    LogSigns signs;
} Line;

typedef bool SignFits(Str line, Str text);

static bool fits_folded(Str line, Str text)
{
    return text_contains_folded(line, text);
}

/* Has `part`, a part of the line, a word of the class? */
static bool has_sign(const Line *line, Str part, LogSignClass class, SignFits *fits)
{
    if ((line->signs & 1U << class) == 0) {
        return false;
    }
    for (size_t i = 0; i < COUNT(log_signs); i++) {
        if (log_signs[i].class == class && fits(part, str_from(log_signs[i].text))) {
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

/* FAIL, FAILED or FAILURE in capitals with anything but a count of zero after it. */
static bool counts_failures(const Line *line)
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
        bool whole = at == 0 || !is_word_char(text.at[at - 1]); /* not XFAIL */
        bool failure = whole && STR_IS_ANY(str_slice(text, at, end), words);
        while (end < text.length && strchr(" :=", text.at[end]) != NULL) {
            end++;
        }
        if (failure && zero_end(text, end) == end) {
            return true;
        }
    }
    return false;
}

/* "broker[211] exit 3" at the end of the line, not `make || exit 1`. */
static bool ends_with_failure(const Line *line)
{
    static const char *const words[] = {
        "exit ", "exit code ", "exit code: ", "exit status ", "exit status: ", "rc="};
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
        fits = str_ends(before, str_from(words[i]));
    }
    return fits && !str_contains(text, STR("|| ")) && !str_contains(text, STR("&& ")) &&
           !str_contains(text, STR("; "));
}

/* "RuntimeError: …" or "[ERROR] …", also behind the margins of pytest and torchrun. */
static bool has_error_head(const Line *all)
{
    Str line = all->text;
    if (has_sign(all, line, SIGN_LEVEL_ERROR, str_contains)) {
        return true;
    }
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

/* Is the line the outcome of a test or a step that is no failure? */
static bool is_good_outcome(const Line *line)
{
    Str text = line->text;
    return has_sign(line, text, SIGN_OUTCOME, str_contains) ||
           has_sign(line, text, SIGN_OUTCOME_FIRST, str_starts) ||
           has_sign(line, text, SIGN_OUTCOME_LAST, str_ends) ||
           (has_sign(line, text, SIGN_DEPRECATED, str_contains) &&
            str_contains(text, STR("Warning")));
}

/* 没有 and a word for a failure with at most two characters between them. */
static bool says_none_zh(const Line *line)
{
    static const char *const failures[] = {"失败", "错误", "异常", "超过", "超出", "不通过"};
    enum { MOST_BETWEEN = 6 }; /* bytes of two characters */
    const Str none = STR("没有");
    bool maybe = (line->signs & 1U << SIGN_DENIAL_ZH) != 0;
    size_t at = maybe ? str_find(line->text, none, 0) : SIZE_MAX;
    for (; at != SIZE_MAX; at = str_find(line->text, none, at + 1)) {
        for (size_t i = 0; i < COUNT(failures); i++) {
            size_t begin = at + none.length;
            Str near = str_slice(line->text, begin, begin + MOST_BETWEEN + strlen(failures[i]));
            if (str_contains(near, str_from(failures[i]))) {
                return true;
            }
        }
    }
    return false;
}

static bool starts_folded(Str line, Str text)
{
    return fits_folded(str_slice(line, 0, text.length), text);
}

static bool denies_words(const Line *line)
{
    return has_sign(line, line->text, SIGN_DENIAL, fits_folded) ||
           has_sign(line, line->text, SIGN_DENIAL_FIRST, starts_folded) || says_none_zh(line);
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

static bool has_any(Str text, const char *marks)
{
    bool found = false;
    for (size_t i = 0; i < text.length && !found; i++) {
        found = strchr(marks, text.at[i]) != NULL;
    }
    return found;
}

/* ": no", "-> False" and the like at the end of the line, after the words. What comes after a comma
 * or another value is an answer to something else: "K mismatch: 64, bTrans=false". */
static bool denied_at_end(Str rest)
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

static bool denies_match(Str line, GlobSpan span)
{
    bool inside = span.last > span.begin && ends_with_no(str_slice(line, span.begin, span.last));
    return inside || ends_with_no(str_slice(line, 0, span.begin)) || denied_after(line, span.end) ||
           denied_at_end(str_slice(line, span.end, line.length));
}

bool log_is_denied(const LineMeaning *meaning, Str line, GlobSpan span)
{
    return !meaning->has_head && denies_match(str_trim(line), span);
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

/* Does the line deny each place of the word? Adds the places to `found`. */
static bool denies_each(const Line *line, bool has_head, Str word, size_t *found)
{
    enum { MOST_PLACES = 16 }; /* a line with more is not read to its end */
    Str text = line->text;
    for (size_t at = text_find_folded(text, word, 0); at != SIZE_MAX;
         at = text_find_folded(text, word, at + 1)) {
        bool expected = at > 0 && lower_case(text.at[at - 1]) == 'x'; /* pytest's xfailed */
        GlobSpan span = {at, at, at + word.length};
        bool denied = expected || none_before(text, at) || (!has_head && denies_match(text, span));
        if (!denied || ++*found > MOST_PLACES) {
            return false;
        }
    }
    return true;
}

static bool denies_failures(const Line *line, bool has_head)
{
    size_t found = 0;
    bool denies = (line->signs & 1U << SIGN_FAILURE) != 0;
    for (size_t i = 0; i < COUNT(log_signs) && denies; i++) {
        if (log_signs[i].class == SIGN_FAILURE) {
            denies = denies_each(line, has_head, str_from(log_signs[i].text), &found);
        }
    }
    return denies && found > 0;
}

/* A word of NO_ERROR that ends with a digit must not go on with one. */
static bool says_none(Str line, Str text)
{
    size_t at = text_find_folded(line, text, 0);
    size_t end = at == SIZE_MAX ? 0 : at + text.length;
    return end > 0 &&
           (end == line.length || !is_word_char(line.at[end]) || !is_digit(line.at[end - 1]));
}

/* A program's text, a comment or a setting; pytest marks the line that failed with `>`. */
static bool is_quoted(const Line *line)
{
    Str text = line->text;
    if (str_starts(text, STR(">"))) {
        text = str_trim(str_slice(text, 1, text.length));
    }
    return has_sign(line, text, SIGN_QUOTE, str_starts);
}

/* What the program itself calls a warning is at most a symptom, and an informational message is not
 * an error at all. */
static Strength most_strength(const Line *line, LineMeaning *meaning)
{
    Str head = str_slice(line->text, 0, LEVEL_COLUMNS);
    bool error = has_sign(line, head, SIGN_LEVEL_ERROR, str_contains);
    if (has_sign(line, head, SIGN_HINT, str_starts)) {
        return STRENGTH_NONE;
    }
    meaning->is_warning = !error && (meaning->level == LOG_LEVEL_WARNING ||
                                     has_sign(line, head, SIGN_WARNING, str_contains));
    if (error || has_sign(line, line->text, SIGN_DOWNLOAD, str_contains)) {
        return error ? STRENGTH_CERTAIN : STRENGTH_LIKELY;
    }
    if (meaning->level == LOG_LEVEL_QUIET || has_sign(line, head, SIGN_QUIET, str_contains)) {
        return STRENGTH_NONE;
    }
    if (meaning->is_warning || is_quoted(line)) {
        return STRENGTH_SYMPTOM;
    }
    return has_sign(line, line->text, SIGN_GOES_ON, fits_folded) ? STRENGTH_LIKELY
                                                                 : STRENGTH_CERTAIN;
}

/* "14 passed in 3 s", not "case PASSED, next one". */
static bool has_number_before(Str line, Str text)
{
    size_t at = str_find(line, text, 0);
    return at != SIZE_MAX && at > 0 && is_digit(line.at[at - 1]);
}

/* "1 passed, 1 error" and "exit code 0xC0000005" are none. */
static LogSuccess success_of(const Line *line)
{
    bool run = has_sign(line, line->text, SIGN_PASSED, has_number_before) ||
               has_sign(line, line->text, SIGN_SUCCESS, str_contains) ||
               has_sign(line, line->text, SIGN_SUCCESS_LAST, str_ends);
    bool step = !run && has_sign(line, line->text, SIGN_STEP, str_contains);
    bool mixed = (run || step) &&
                 (str_contains(line->text, STR(" error")) || str_contains(line->text, STR("0x")));
    /* That one rank went well says nothing of the others. */
    mixed = mixed || text_contains_folded(line->text, STR("rank")) ||
            text_contains_folded(line->text, STR("worker"));
    return mixed  ? LOG_NO_SUCCESS
           : run  ? LOG_RUN_SUCCESS
           : step ? LOG_STEP_SUCCESS
                  : LOG_NO_SUCCESS;
}

LineMeaning log_meaning(Str text, LogSigns signs)
{
    Line line = {str_trim(text), signs};
    LineMeaning meaning = {0};
    meaning.has_head = has_error_head(&line);
    meaning.level = log_head_level(line.text);
    meaning.most = most_strength(&line, &meaning);
    meaning.is_prose = has_sign(&line, line.text, SIGN_PROSE_FIRST, str_starts) ||
                       has_sign(&line, line.text, SIGN_PROSE, str_contains) ||
                       log_is_quoted(line.text);
    meaning.counts_failures = counts_failures(&line) || ends_with_failure(&line);
    meaning.says_none = has_sign(&line, line.text, SIGN_NO_ERROR, says_none);
    if (!meaning.has_head) {
        bool good = !meaning.counts_failures && is_good_outcome(&line);
        meaning.calm = good ? LOG_CALM : denies_words(&line) ? LOG_CALM_WORDS : LOG_NOT_CALM;
    }
    meaning.success = success_of(&line);
    meaning.denies = denies_failures(&line, meaning.has_head);
    return meaning;
}

bool log_lasts(Str line)
{
    static const char *const texts[] = {"which is incompatible", "dependency conflicts",
                                        "dependency resolver does not"};
    for (size_t i = 0; i < COUNT(texts); i++) {
        if (str_contains(line, str_from(texts[i]))) {
            return true;
        }
    }
    return false;
}
