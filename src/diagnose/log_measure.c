/* Words for an error in lines that report none: how far a result is off, and names of files and
 * settings; see log_line.h. */
#include "diagnose/log_line.h"

#include "base/ascii.h"
#include "diagnose/word_list.h"
#include "operator/text.h"

static Str rest_of(Str text, size_t at)
{
    return str_slice(text, at, text.length);
}

/* The word that ends at `end`, apart from blanks and `_` after it. */
static Str word_before(Str text, size_t end)
{
    while (end > 0 && (text.at[end - 1] == ' ' || text.at[end - 1] == '_')) {
        end--;
    }
    size_t begin = end;
    while (begin > 0 && (is_letter(text.at[begin - 1]) || is_digit(text.at[begin - 1]))) {
        begin--;
    }
    return str_slice(text, begin, end);
}

static size_t word_end(Str text)
{
    size_t end = 0;
    while (end < text.length && is_letter(text.at[end])) {
        end++;
    }
    return end;
}

/* Does the text say that a limit was not kept? */
static bool complains(Str text)
{
    static const char *const words[] = {"exceed", "not within", "not close", "too large", "too big",
                                        "超过",   "超出",       "不",        "过大"};
    static const char *const kept[] = {"not exceed", "never exceed", "未超", "没有超"};
    if (HAS_FOLDED(kept, text)) {
        return false;
    }
    bool found = HAS_FOLDED(words, text);
    for (size_t at = str_find(text, STR(">"), 0); at != SIZE_MAX && !found;
         at = str_find(text, STR(">"), at + 1)) {
        found = at == 0 || strchr("-=", text.at[at - 1]) == NULL; /* "-> PASS" */
    }
    return found;
}

/* The end of a number at `at`, or `at`; `decimal`: has it a point or an exponent? */
static size_t number_end(Str text, size_t at, bool *decimal)
{
    size_t end = at;
    *decimal = false;
    while (end < text.length && is_digit(text.at[end])) {
        end++;
    }
    if (end > at && end + 1 < text.length && text.at[end] == '.' && is_digit(text.at[end + 1])) {
        *decimal = true;
        for (end++; end < text.length && is_digit(text.at[end]);) {
            end++;
        }
    }
    size_t mark = end;
    if (end > at && mark < text.length && (text.at[mark] == 'e' || text.at[mark] == 'E')) {
        mark++;
        mark += mark < text.length && strchr("+-", text.at[mark]) != NULL ? 1 : 0;
        if (mark < text.length && is_digit(text.at[mark])) {
            *decimal = true;
            for (end = mark; end < text.length && is_digit(text.at[end]);) {
                end++;
            }
        }
    }
    return end;
}

/* "max error: 1e-6", "error: 0.0012 < atol", "error tolerance": a size of error, and no failure as
 * long as nothing complains of it. A number that is not decimal may be a code. */
bool log_is_measure(Str text, size_t begin, size_t end)
{
    static const char *const kinds[] = {
        "max",      "maximum",      "mean",     "avg",   "average", "abs",     "absolute", "rel",
        "relative", "rms",          "l1",       "l2",    "min",     "squared", "median",   "worst",
        "numeric",  "quantization", "rounding", "quant", "peak",    "total",   "relerr",   "diff",
        "train",    "val",          "valid",    "test",  "eval",    "dev"};
    static const char *const limits[] = {"tolerance", "bound", "threshold", "limit", "rate"};
    bool whole = begin == 0 || !is_letter(text.at[begin - 1]);
    if (!whole || !text_contains_folded(str_slice(text, begin, end), STR("error"))) {
        return false;
    }
    bool kind = WORD_IN(kinds, word_before(text, begin));
    end += end < text.length && text.at[end] == 's' ? 1 : 0;
    Str rest = str_trim(rest_of(text, end));
    for (size_t word = word_end(rest); WORD_IN(kinds, str_slice(rest, 0, word));
         word = word_end(rest)) {
        kind = true; /* "error max 1e-7" */
        rest = str_trim(rest_of(rest, word));
    }
    size_t colon = kind && str_starts(rest, STR("of ")) ? str_find(rest, STR(":"), 0) : SIZE_MAX;
    rest = colon == SIZE_MAX ? rest : rest_of(rest, colon); /* "relative error of row 3: 1e-7" */
    if (STARTS_FOLDED(limits, rest)) {
        return !complains(rest);
    }
    size_t at = 0;
    while (at < rest.length && strchr(" :=<", rest.at[at]) != NULL) {
        at++;
    }
    bool decimal, assigned = at > 0 || end < text.length;
    size_t last = number_end(rest, at, &decimal);
    Str after = str_trim(rest_of(rest, last));
    bool alone = after.length == 0 || strchr(",;<)|(%", after.at[0]) != NULL;
    if (last < rest.length && is_word_char(rest.at[last])) {
        return false; /* a code, "nan" */
    }
    return (last == at ? kind && at == 0 : assigned && (kind || (decimal && alone))) &&
           !complains(rest);
}

static bool is_name_char(char c)
{
    return is_word_char(c) || strchr("./-+", c) != NULL;
}

/* ".cc" and the like in `name` at or after `at`. */
static bool has_suffix(Str name, size_t at)
{
    static const char *const suffixes[] = {"c",  "cc",  "cpp", "cxx",  "h",    "hpp", "py",   "o",
                                           "so", "txt", "log", "json", "yaml", "yml", "html", "md",
                                           "sh", "js",  "ts",  "rs",   "cu",   "csv", "xml",  "a"};
    for (at = str_find(name, STR("."), at); at != SIZE_MAX; at = str_find(name, STR("."), at + 1)) {
        size_t end = at + 1;
        while (end < name.length && is_letter(name.at[end])) {
            end++;
        }
        if (STR_IS_ANY(str_slice(name, at + 1, end), suffixes)) {
            return true;
        }
    }
    return false;
}

/* "FAILED_DIR=/x" and "ON_FAILED=retry", not "TESTS_FAILED=3". */
static bool is_setting(Str text, size_t begin, size_t end)
{
    Str before = str_slice(text, 0, begin);
    bool first = begin == 0 || str_is(before, "export ");
    bool upper = first && end + 1 < text.length && text.at[end] == '=';
    bool joined = false;
    for (size_t i = begin; i < end && upper; i++) {
        joined = joined || text.at[i] == '_';
        upper =
            text.at[i] == '_' || is_digit(text.at[i]) || (text.at[i] >= 'A' && text.at[i] <= 'Z');
    }
    return upper && joined && (!is_digit(text.at[end + 1]) || text.at[end + 1] == '0');
}

bool log_is_in_name(Str text, size_t begin, size_t end)
{
    bool listed = (str_starts(text, STR("-r")) || str_starts(text, STR("dr")) ||
                   str_starts(text, STR("lr"))) &&
                  text.length > 3 && strchr("w-", text.at[2]) != NULL;
    size_t first = begin, last = end;
    while (first > 0 && is_name_char(text.at[first - 1])) {
        first--;
    }
    while (last < text.length && is_name_char(text.at[last])) {
        last++;
    }
    Str name = str_slice(text, first, last);
    return listed || has_suffix(name, end - first) || is_setting(text, first, last) ||
           (str_starts(text, STR("Compiling ")) && first == STR("Compiling ").length);
}
