/* Finds lines that show values; see redaction_dumps.h. */
#include "harness/report/redaction_dumps.h"

#include "base/ascii.h"
#include "operator/text.h"

enum {
    RULE_LEAST = 40, /* characters of a rule: ===== or ----- */
    ROW_NUMBERS = 4, /* two values and two differences */
    ARRAY_MOST_LINES =
        2000, /* numpy prints at most a thousand elements; more lines are not an array */
};

/* --- rows of a comparison */

/* Removes the last word of `*line` and returns it; empty when there is none. */
static Str last_word(Str *line)
{
    size_t end = line->length;
    while (end > 0 && is_space(line->at[end - 1])) {
        end--;
    }
    size_t start = end;
    while (start > 0 && !is_space(line->at[start - 1])) {
        start--;
    }
    Str word = str_slice(*line, start, end);
    *line = str_slice(*line, 0, start);
    return word;
}

/* -1.5e-03, nan, inf, 12% */
static bool is_number(Str word)
{
    size_t at = word.length > 0 && (word.at[0] == '-' || word.at[0] == '+');
    Str rest = str_slice(word, at, word.length);
    if (str_is(rest, "nan") || str_is(rest, "inf")) {
        return true;
    }
    bool digits = false;
    for (size_t i = 0; i < rest.length; i++) {
        char c = rest.at[i];
        digits = digits || is_digit(c);
        bool exponent = (c | 0x20) == 'e' && digits;
        bool sign = (c == '-' || c == '+') && i > 0 && (rest.at[i - 1] | 0x20) == 'e';
        if (!is_digit(c) && c != '.' && c != ',' && !exponent && !sign &&
            !(c == '%' && i + 1 == rest.length)) {
            return false;
        }
    }
    return digits;
}

/* An index, then two values and two differences: `(0, 3)  1.25  1.5  0.25  0.1667`. The index
 * may be a bare number in a table only; elsewhere five numbers may be the author's own. */
static bool is_row(Str line, bool in_table)
{
    for (int i = 0; i < ROW_NUMBERS; i++) {
        if (!is_number(last_word(&line))) {
            return false;
        }
    }
    Str index = last_word(&line);
    if (index.length == 0) {
        return false;
    }
    char end = index.at[index.length - 1];
    return end == ')' || end == ']' || (in_table && is_number(index));
}

static bool is_rule(Str line)
{
    line = str_trim(line);
    if (line.length < RULE_LEAST) {
        return false;
    }
    char c = line.at[line.length - 1];
    size_t start = line.length;
    while (start > 0 && line.at[start - 1] == c) {
        start--;
    }
    return (c == '-' || c == '=') && line.length - start >= RULE_LEAST;
}

static bool is_head(Str line)
{
    return is_rule(line) ||
           (text_contains_folded(line, STR("index")) && text_contains_folded(line, STR("value")));
}

/* --- arrays of an assertion */

static void count_brackets(DumpFinder *finder, Str line)
{
    for (size_t i = 0; i < line.length; i++) {
        char c = line.at[i];
        finder->depth += c == '(' || c == '[';
        finder->depth -= c == ')' || c == ']';
    }
}

/* The text after `label`; empty if the line does not begin with it. */
static Str after(Str line, Str label)
{
    return str_starts(line, label) ? str_slice(line, label.length, line.length) : STR("");
}

/* ` x: array([1., 2.]`, ` DESIRED: 1.5` as numpy.testing prints them. */
static bool begins_array(DumpFinder *finder, Str line)
{
    static const char *const labels[] = {"x: ", "y: ", "ACTUAL: ", "DESIRED: "};
    Str text = str_trim(line);
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
        Str rest = after(text, str_from(labels[i]));
        bool array = str_starts(rest, STR("array(")) || str_starts(rest, STR("tensor("));
        if (array || (rest.length > 0 && is_number(rest))) {
            finder->depth = 0;
            finder->lines = 0;
            count_brackets(finder, rest);
            finder->in_array = finder->depth > 0;
            return true;
        }
    }
    return false;
}

/* The dict that detailed_tensor_compare returns, printed: from its values on, to the bracket that
 * closes them. */
static bool begins_outliers(DumpFinder *finder, Str line)
{
    size_t at = str_find(line, STR("outlier_values"), 0);
    if (at == SIZE_MAX || !str_contains(line, STR("tensor("))) {
        return false;
    }
    finder->depth = 0;
    finder->lines = 0;
    count_brackets(finder, str_slice(line, at, line.length));
    finder->in_array = finder->depth > 0;
    return true;
}

/* The last line of a traceback: `ValueError: tensor([1.5, 2.5])`. */
static bool begins_exception(DumpFinder *finder, Str line)
{
    static const char *const ends[] = {"Error", "Exception", "Warning", "Exit", "Interrupt"};
    size_t colon = str_find(line, STR(": "), 0);
    bool named = false;
    for (size_t i = 0; colon != SIZE_MAX && i < sizeof ends / sizeof *ends; i++) {
        named = named || str_ends(str_slice(line, 0, colon), str_from(ends[i]));
    }
    bool dump = named && (str_contains(line, STR("tensor(")) || str_contains(line, STR("array(")));
    if (dump) {
        finder->depth = 0;
        finder->lines = 0;
        count_brackets(finder, line);
        finder->in_array = finder->depth > 0;
    }
    return dump;
}

static bool continues_array(DumpFinder *finder, Str line)
{
    count_brackets(finder, line);
    finder->lines++;
    finder->in_array = finder->depth > 0 && finder->lines < ARRAY_MOST_LINES;
    return true;
}

/* `Expected 1.5 but got 2.5.` of torch, `[0]: 1.5 (ACTUAL), 2.5 (DESIRED)` of numpy. */
static bool is_pair(Str line)
{
    if (str_contains(line, STR("(DESIRED)"))) {
        return true;
    }
    const Str expected = STR("Expected ");
    const Str but_got = STR(" but got ");
    size_t start = str_find(line, expected, 0);
    size_t end = start == SIZE_MAX ? SIZE_MAX : str_find(line, but_got, start);
    if (end == SIZE_MAX || end < start + expected.length) {
        return false;
    }
    Str value = str_slice(line, start + expected.length, end);
    bool integer = value.length > 0;
    for (size_t i = 0; i < value.length; i++) {
        integer = integer && is_digit(value.at[i]);
    }
    return is_number(value) && !integer; /* integers are counts */
}

bool dump_finder_next(DumpFinder *finder, Str line)
{
    if (finder->in_array) {
        return continues_array(finder, line);
    }
    if (is_row(line, finder->in_table)) {
        return true;
    }
    finder->in_table = is_head(line);
    return begins_array(finder, line) || begins_outliers(finder, line) ||
           begins_exception(finder, line) || is_pair(line);
}

size_t dump_begins(Str line)
{
    static const char *const marks[] = {"tensor(", "array(", "[["};
    size_t first = line.length;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        size_t at = str_find(line, str_from(marks[i]), 0);
        first = at < first ? at : first;
    }
    return first;
}
