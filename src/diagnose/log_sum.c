/* Reads summaries that count tests or cases; see log_sum.h. */
#include "diagnose/log_sum.h"

#include "base/ascii.h"
#include "diagnose/log_key.h"
#include "diagnose/word_list.h"
#include "operator/text.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

enum { MOST_LENGTH = 240, MOST_WORDS = 64, TEN = 10, MOST_DIGITS = 7 };

typedef enum WordKind {
    WORD_OTHER,
    WORD_NUMBER,
    WORD_PASS,
    WORD_FAIL,
    WORD_TOTAL,
    WORD_NOUN,
    WORD_OF
} WordKind;

typedef struct Word {
    WordKind kind;
    uint32_t number;
    bool is_past; /* "passed"; "pass" may also be a step of a compiler */
    bool is_none; /* "no" */
    char before;  /* the last punctuation before it; 0: none */
} Word;

typedef struct Words {
    Word at[MOST_WORDS];
    uint32_t count;
    bool fits; /* the whole line fit */
} Words;

static const char *const passes[] = {"passed", "pass", "passing", "ok", "succeeded", "successful"};
static const char *const past[] = {"passed", "succeeded", "successful"};
static const char *const fails[] = {"failed",   "fail",  "failing", "failures",
                                    "failure",  "error", "errors",  "broken",
                                    "mismatch", "wrong", "timeout", "crashed"};
static const char *const totals[] = {"total", "run", "ran"};
static const char *const nouns[] = {
    "tests",   "cases",   "checks",  "benchmarks", "suites",     "kernels",  "samples", "models",
    "configs", "shapes",  "items",   "steps",      "unexpected", "requests", "jobs",    "operators",
    "ops",     "queries", "prompts", "runs",       "tasks",      "modules",  "targets"};
/* Chinese has no blanks between words. */
static const struct {
    const char *text;
    WordKind kind;
} chinese[] = {{"未通过", WORD_FAIL}, {"不通过", WORD_FAIL}, {"失败", WORD_FAIL},
               {"错误", WORD_FAIL},   {"通过", WORD_PASS},   {"成功", WORD_PASS},
               {"共", WORD_TOTAL},    {"用例", WORD_NOUN},   {"个", WORD_NOUN},
               {"项", WORD_NOUN},     {"条", WORD_NOUN},     {"数", WORD_NOUN}};

static WordKind kind_of(Str word)
{
    return WORD_IN(passes, word)   ? WORD_PASS
           : WORD_IN(fails, word)  ? WORD_FAIL
           : WORD_IN(totals, word) ? WORD_TOTAL
           : WORD_IN(nouns, word)  ? WORD_NOUN
           : str_is(word, "of")    ? WORD_OF
                                   : WORD_OTHER;
}

/* The length of the Chinese word at `at`, and its kind; 0: no known word. */
static size_t chinese_at(Str line, size_t at, WordKind *kind)
{
    Str rest = str_slice(line, at, line.length);
    for (size_t i = 0; i < COUNT(chinese); i++) {
        if (str_starts(rest, str_from(chinese[i].text))) {
            *kind = chinese[i].kind;
            return strlen(chinese[i].text);
        }
    }
    return 0;
}

static size_t number_end(Str line, size_t at, uint32_t *number)
{
    *number = 0;
    size_t end = at;
    while (end < line.length && is_digit(line.at[end])) {
        *number = end - at < MOST_DIGITS ? *number * TEN + (uint32_t)(line.at[end] - '0') : 0;
        end++;
    }
    return end;
}

/* Reads the word or number at `at`; returns its end, or `at` if none begins there. Numbers that are
 * part of a word or have a fraction ("3.2s", "fp16") are not counts. */
static size_t read_word(Str line, size_t at, Word *word)
{
    bool ascii = (unsigned char)line.at[at] < 0x80;
    size_t end = ascii ? at : at + chinese_at(line, at, &word->kind);
    if (end > at) {
        word->is_past = true;
        return end;
    }
    bool digit = is_digit(line.at[at]);
    if (digit) {
        end = number_end(line, at, &word->number);
        bool whole = end == line.length ||
                     !(is_word_char(line.at[end]) || line.at[end] == '.' || line.at[end] == '%');
        /* A dash before a blank is not a minus: "main - 3 failed". */
        char last = at > 0 ? line.at[at - 1] : ' ';
        word->kind = whole && last != '.' && last != '-' ? WORD_NUMBER : WORD_OTHER;
    }
    while (end < line.length && is_word_char(line.at[end])) {
        end++;
    }
    if (end > at && !digit) {
        Str text = str_slice(line, at, end);
        word->kind = kind_of(text);
        word->is_none = str_is(text, "no");
        word->is_past = WORD_IN(past, text);
    }
    return end;
}

/* Splits the line into words and numbers. */
static void cut(Words *words, Str line)
{
    char before = '\0';
    size_t at = 0;
    while (at < line.length && words->count < MOST_WORDS) {
        Word word = {.before = before};
        size_t end = read_word(line, at, &word);
        if (end > at) {
            words->at[words->count++] = word;
            before = '\0';
            at = end;
        } else {
            before = is_blank(line.at[at]) ? before : line.at[at];
            at++;
        }
    }
    words->fits = at >= line.length;
}

/* Does the sign separate a word from the number before it, or from the one after it? */
static bool separates(char sign, bool is_before)
{
    bool joins = strchr("=:(", sign) != NULL || (unsigned char)sign >= 0x80; /* "：" */
    return sign != '\0' && (is_before || !joins);
}

/* The number that belongs to word `at`: before it ("14 tests passed") or after it ("passed: 14",
 * "failed tests: 0"); -1: none. */
static int64_t count_of(const Words *words, uint32_t at, bool is_before)
{
    enum { MOST_BETWEEN = 2 }; /* nouns */
    for (uint32_t i = 0; i <= MOST_BETWEEN; i++) {
        uint32_t next = is_before ? at - 1 : at + 1; /* wraps before the first word */
        if (next >= words->count) {
            return -1;
        }
        const Word *word = &words->at[next];
        if (separates(is_before ? words->at[at].before : word->before, is_before)) {
            return -1;
        }
        if (word->kind == WORD_NUMBER) {
            return is_before && word->before == '/' ? -1 : (int64_t)word->number;
        }
        if (word->kind != WORD_NOUN) {
            return -1;
        }
        at = next;
    }
    return -1;
}

/* The first word of a ratio that ends with word `at` ("3/4", "3 of 4"); SIZE_MAX: none. */
static size_t pair_begin(const Words *words, uint32_t at)
{
    const Word *word = &words->at[at];
    bool slash = at >= 1 && word->before == '/';
    bool of = at >= 2 && word[-1].kind == WORD_OF && word->before == '\0';
    uint32_t first = slash ? at - 1 : of ? at - 2 : at;
    bool pair = first < at && word->kind == WORD_NUMBER && words->at[first].kind == WORD_NUMBER;
    return pair && word->number > 0 ? first : SIZE_MAX;
}

/* "4/4 passed", "3 of 4 checks passed", "passed: 4/4", "PASS (4/4)". */
static LogSum ratio_of(const Words *words)
{
    LogSum sum = {.kind = LOG_SUM_NONE};
    for (uint32_t i = 1; i < words->count && sum.kind == LOG_SUM_NONE; i++) {
        size_t begin = pair_begin(words, i);
        if (begin == SIZE_MAX) {
            continue;
        }
        const Word *first = &words->at[begin], *second = &words->at[i];
        uint32_t next = i + 1;
        /* "3/3 negative tests passed" */
        next += next + 1 < words->count && words->at[next].kind == WORD_OTHER &&
                        words->at[next + 1].kind == WORD_NOUN && words->at[next].before == '\0'
                    ? 1
                    : 0;
        while (next < words->count && words->at[next].kind == WORD_NOUN &&
               words->at[next].before == '\0') {
            next++;
        }
        bool after = next < words->count && words->at[next].kind == WORD_PASS &&
                     words->at[next].before == '\0';
        bool joined = strchr(":=(", first->before) != NULL; /* or nothing between */
        bool ahead = begin >= 1 && words->at[begin - 1].kind == WORD_PASS && joined;
        if (after || ahead) {
            /* "[3/10] ok" and "pass 3/20" are steps. */
            bool counted = after ? next > i + 1 : words->at[begin - 1].is_past;
            sum.kind = first->number == second->number             ? LOG_SUM_GOOD
                       : counted && first->number < second->number ? LOG_SUM_SHORT
                                                                   : LOG_SUM_NONE;
            sum.total = second->number;
        }
    }
    return sum;
}

/* "全部用例通过" */
static bool says_all_chinese(Str line)
{
    static const char *const ends[] = {"通过", "通过！", "通过。", "通过!", "成功"};
    bool denied = str_contains(line, STR("不")) || str_contains(line, STR("未")) ||
                  str_contains(line, STR("没有"));
    bool begins = str_starts(line, STR("全部")) || str_starts(line, STR("所有"));
    return begins && !denied && ENDS_WITH(ends, line);
}

/* Does the text end with a label or the time: "smoke:", "[run]", "10:03:47"? */
static bool ends_with_label(Str text)
{
    size_t begin = text.length;
    while (begin > 0 && text.at[begin - 1] != ' ') {
        begin--;
    }
    Str word = str_slice(text, begin, text.length);
    bool stamp = word.length > 0 && is_digit(word.at[0]) && str_contains(word, STR(":"));
    return stamp || (word.length > 0 && !is_word_char(word.at[word.length - 1]));
}

/* "All 12 tests passed", "smoke: all softmax tests passed!" */
static bool says_all_english(Str line)
{
    static const char *const ends[] = {" passed",    " passed!", " passed.", " ok",
                                       " succeeded", " PASSED",  " PASS",    " pass"};
    size_t at = text_find_folded(line, STR("all "), 0);
    bool begins = at == 0 || (at != SIZE_MAX && at >= 2 && line.at[at - 1] == ' ' &&
                              ends_with_label(str_trim(str_slice(line, 0, at))));
    Str rest = begins ? str_slice(line, at, line.length) : STR("");
    bool one_clause = !str_contains(rest, STR(",")) && !str_contains(rest, STR(":"));
    return one_clause && ENDS_WITH(ends, rest);
}

/* Does the line end with the claim that all passed? A note in parentheses may follow. */
static bool says_all(Str line)
{
    size_t note = str_find(line, STR(" ("), 0);
    line = note == SIZE_MAX ? line : str_slice(line, 0, note);
    return says_all_chinese(line) || says_all_english(line);
}

/* The same for "3/4 checks passed" and "4/4 checks passed": a hash of the line without digits. */
static uint64_t key_of(Str line)
{
    uint64_t key = log_key(STR(""));
    for (size_t i = 0; i < line.length; i++) {
        key = is_digit(line.at[i]) ? key : log_key_mix(key, &line.at[i], 1);
    }
    return key;
}

/* The counts in a line. */
typedef struct Counts {
    int64_t good, bad, total;
    bool states_none; /* it says that none failed */
    bool unclear;     /* a word for a failure has no number */
} Counts;

static Counts counts_of(const Words *words)
{
    Counts counts = {0};
    bool begun = false, is_before = false;
    for (uint32_t i = 0; i < words->count; i++) {
        WordKind kind = words->at[i].kind;
        if (kind == WORD_TOTAL) {
            int64_t all = count_of(words, i, false);
            counts.total += all > 0 ? all : 0;
        }
        if (kind != WORD_PASS && kind != WORD_FAIL) {
            continue;
        }
        if (kind == WORD_FAIL && i > 0 && words->at[i - 1].is_none && words->at[i].before == 0) {
            counts.states_none = true;
            continue;
        }
        const Word *next = i + 1 < words->count ? &words->at[i + 1] : &words->at[i];
        bool assigned = next->before == '=' || next->before == ':'; /* "pass=4" */
        is_before = begun ? is_before : !assigned && count_of(words, i, true) >= 0;
        int64_t count = count_of(words, i, is_before);
        begun = begun || assigned || count >= 0; /* "3/3 ok, 0 errors": a ratio is not a count */
        counts.good += kind == WORD_PASS && count > 0 ? count : 0;
        counts.bad += kind == WORD_FAIL && count > 0 ? count : 0;
        counts.states_none = counts.states_none || (kind == WORD_FAIL && count == 0);
        counts.unclear = counts.unclear || (kind == WORD_FAIL && count < 0);
    }
    return counts;
}

LogSum log_sum(Str line)
{
    const LogSum none = {.kind = LOG_SUM_NONE};
    Words words = {.count = 0};
    if (line.length > MOST_LENGTH) {
        return none;
    }
    cut(&words, line);
    Counts counts = counts_of(&words);
    LogSum sum = ratio_of(&words);
    bool counts_some = counts.good > 0 || counts.total > 0;
    counts_some = counts_some || (counts.bad > 0 && sum.total > 0); /* "3/3 ok, 1 error" */
    if (!words.fits || counts.unclear || counts.bad > 0) {
        return words.fits && counts.bad > 0 && counts_some ? (LogSum){.kind = LOG_SUM_BAD} : none;
    }
    sum.key = sum.total > 0 ? key_of(line) : 0;
    if (sum.kind == LOG_SUM_NONE && ((counts.states_none && counts_some) || says_all(line))) {
        sum.kind = LOG_SUM_GOOD;
    }
    return sum;
}
