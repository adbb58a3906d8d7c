/* What lines of logs deny; see log_line.h and log_meaning.h. */
#include "diagnose/log_line.h"

#include "base/ascii.h"
#include "diagnose/word_list.h"
#include "operator/text.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* 没有 and a word for a failure with at most two characters between them. */
static bool says_none_zh(const LogLineText *line)
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

/* "mismatch 0 / 4096 elements", "0/128 行不一致". Elsewhere in the match, "0/24" may be the name of
 * a part: "output of core 0/24 differs from golden". */
static bool differs_nowhere(Str match)
{
    static const char *const words[] = {"mismatch", "differ", "不一致"};
    static const char *const heads[] = {"mismatch", "mismatched"};
    Str first = text_first_word(match);
    Str count = WORD_IN(heads, first) ? str_slice(match, first.length, match.length) : match;
    count = str_trim(count);
    bool zero = str_starts(count, STR("0"));
    Str rest = zero ? str_trim(str_slice(count, 1, count.length)) : STR("");
    return (str_starts(rest, STR("/")) || str_starts(rest, STR("of "))) && HAS_FOLDED(words, match);
}

static bool denies_match(Str line, GlobSpan span)
{
    if (differs_nowhere(str_slice(line, span.begin, span.end))) {
        return true;
    }
    bool inside = span.last > span.begin && ends_with_no(str_slice(line, span.begin, span.last));
    return inside || ends_with_no(str_slice(line, 0, span.begin)) || log_answers_no(line, span.end);
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

/* Does 没有 stand shortly before `at`? */
static bool denied_zh(Str line, size_t at)
{
    enum { MOST_BETWEEN = 6 }; /* bytes of two characters */
    const Str none = STR("没有");
    size_t begin = at < none.length + MOST_BETWEEN ? 0 : at - none.length - MOST_BETWEEN;
    return str_contains(str_slice(line, begin, at), none);
}

/* Does the line demand what the words at `at` say, instead of reporting it: "must not exceed"? */
static bool is_demanded(Str line, size_t at)
{
    static const char *const words[] = {"must", "should", "cannot", "can",
                                        "may",  "shall",  "不应",   "不得"};
    return ENDS_WITH(words, str_trim(str_slice(line, 0, at)));
}

/* A phrase that says that nothing is wrong, as a whole: no part of a longer number ("10 个失败",
 * "失败 0x7b"), not denied itself ("not within tolerance"), not demanded. */
static size_t find_phrase(Str line, Str phrase, size_t from)
{
    const Str not_zh = STR("不"), not_in_zh = STR("不在");
    for (size_t at = text_find_folded(line, phrase, from); at != SIZE_MAX;
         at = text_find_folded(line, phrase, at + 1)) {
        size_t end = at + phrase.length;
        Str before = str_slice(line, 0, at);
        char last = phrase.at[phrase.length - 1];
        bool number = phrase.at[0] == '0' && at > 0 &&
                      (is_word_char(line.at[at - 1]) || line.at[at - 1] == '.');
        number = number || (last == '0' && log_zero_end(line, end - 1) == end - 1);
        bool counts = phrase.at[0] == '0' || is_blank(phrase.at[0]) || phrase.at[0] == ',';
        bool denied = !counts && (ends_with_no(before) || str_ends(str_trim(before), not_zh) ||
                                  str_ends(str_trim(before), not_in_zh));
        if (!number && !denied && !(last == '0' && log_counts_good(line, end)) &&
            !is_demanded(line, at)) {
            return at;
        }
    }
    return SIZE_MAX;
}

static bool has_phrase(Str line, Str phrase)
{
    return find_phrase(line, phrase, 0) != SIZE_MAX;
}

static bool starts_phrase(Str line, Str phrase)
{
    return find_phrase(line, phrase, 0) == 0;
}

/* Is the place within a phrase of NO_ERROR or DENIAL ("no error")? */
static bool is_in_phrase(const LogLineText *line, size_t at)
{
    LogSigns classes = 1U << SIGN_NO_ERROR | 1U << SIGN_DENIAL;
    bool inside = false;
    for (size_t i = 0; i < log_sign_count && (line->signs & classes) != 0 && !inside; i++) {
        Str phrase = str_from(log_signs[i].text);
        if ((1U << log_signs[i].class & classes) != 0) {
            size_t from = at < phrase.length ? 0 : at - phrase.length;
            size_t place = find_phrase(line->text, phrase, from);
            inside = place <= at && place != SIZE_MAX && at < place + phrase.length;
        }
    }
    return inside;
}

static bool denies_place(const LogLineText *line, bool has_head, size_t at, size_t length)
{
    Str text = line->text;
    GlobSpan span = {at, at, at + length};
    bool expected = at > 0 && lower_case(text.at[at - 1]) == 'x'; /* pytest's xfailed */
    if (expected || none_before(text, at) || log_is_measure(text, at, at + length) ||
        log_is_in_name(text, at, at + length)) {
        return true;
    }
    return !has_head && (denies_match(text, span) || denied_zh(text, at) || is_in_phrase(line, at));
}

/* Does the line deny each place of the word? Adds the places to `found`. */
static bool denies_each(const LogLineText *line, bool has_head, Str word, size_t *found)
{
    enum { MOST_PLACES = 16 }; /* a line with more is not read to its end */
    Str text = line->text;
    for (size_t at = text_find_folded(text, word, 0); at != SIZE_MAX;
         at = text_find_folded(text, word, at + 1)) {
        if (!denies_place(line, has_head, at, word.length) || ++*found > MOST_PLACES) {
            return false;
        }
    }
    return true;
}

bool log_denies_failures(const LogLineText *line, bool has_head)
{
    size_t found = 0;
    bool denies = (line->signs & 1U << SIGN_FAILURE) != 0;
    for (size_t i = 0; i < log_sign_count && denies; i++) {
        if (log_signs[i].class == SIGN_FAILURE) {
            denies = denies_each(line, has_head, str_from(log_signs[i].text), &found);
        }
    }
    return denies && found > 0;
}

bool log_names_failure(const LogLineText *line, size_t from, size_t to)
{
    Str text = line->text;
    bool maybe = (line->signs & 1U << SIGN_FAILURE) != 0, names = false;
    for (size_t i = 0; i < log_sign_count && maybe && !names; i++) {
        Str word = str_from(log_signs[i].text);
        bool soft = str_is(word, "error") || str_is(word, "exception"); /* may be a subject */
        size_t at =
            log_signs[i].class != SIGN_FAILURE ? SIZE_MAX : text_find_folded(text, word, from);
        for (; at < to && !names; at = text_find_folded(text, word, at + 1)) {
            size_t end = at + word.length;
            bool ascii = is_letter(word.at[0]);
            bool joined =
                ascii && at > 0 && (is_word_char(text.at[at - 1]) || text.at[at - 1] == '-');
            bool called = end < text.length && text.at[end] == ':';
            names = !joined && (!soft || called) && !denies_place(line, false, at, word.length);
        }
    }
    return names;
}

bool log_denies_words(const LogLineText *line)
{
    bool denies = log_has_sign(line, line->text, SIGN_DENIAL, has_phrase) ||
                  log_has_sign(line, line->text, SIGN_DENIAL_FIRST, starts_phrase) ||
                  says_none_zh(line);
    return denies && !log_names_failure(line, 0, line->text.length);
}

/* "The error was:", "昨天的报错：": does the line introduce a quotation, by its words or by an
 * earlier time? "Internal error:" reports an error itself. */
static bool introduces(const LogLineText *line)
{
    static const char *const errors[] = {"error", "报错", "错误", "异常"};
    static const char *const quotes[] = {
        "error was:", "errors were:", "error is:", "errors are:", "如下",     "昨天",
        "上次",       "旧日志",       "yesterday", "last night",  "last time"};
    static const char *const failures[] = {"fail", "abort", "crash", "失败", "未通过", "不通过"};
    Str text = line->text;
    bool colon = str_ends(text, STR(":")) || str_ends(text, STR("："));
    return colon && HAS_FOLDED(errors, text) && HAS_FOLDED(quotes, text) &&
           !HAS_FOLDED(failures, text);
}

bool log_says_none(const LogLineText *line, bool has_head)
{
    bool none = log_has_sign(line, line->text, SIGN_NO_ERROR, has_phrase) &&
                !log_names_failure(line, 0, line->text.length);
    return !has_head &&
           (none || (introduces(line) && log_head_level(line->text) == LOG_LEVEL_NONE));
}
