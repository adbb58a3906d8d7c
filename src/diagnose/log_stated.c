/* Tells reports from sentences about them; see log_stated.h. */
#include "diagnose/log_stated.h"

#include "base/ascii.h"
#include "operator/text.h"

static Str last_word(Str text)
{
    size_t begin = text.length;
    while (begin > 0 && is_letter(text.at[begin - 1])) {
        begin--;
    }
    return str_slice(text, begin, text.length);
}

static Str first_word(Str text)
{
    size_t end = 0;
    while (end < text.length && is_letter(text.at[end])) {
        end++;
    }
    return str_slice(text, 0, end);
}

static bool is_stated_before(Str before)
{
    static const char *const links[] = {
        "is",  "was",    "because", "to",    "with", "error", "Error", "ERROR",    "got", "failed",
        "and", "reason", "raised",  "fatal", "a",    "an",    "the",   "Greatest", "Max"};
    before = str_trim(before);
    Str word = last_word(before);
    if (word.length > 0) {
        return STR_IS_ANY(word, links);
    }
    char last = before.length == 0 ? ':' : before.at[before.length - 1];
    return strchr(":])>=,;.!|-({[/*", last) != NULL || is_digit(last) ||
           (unsigned char)last >= 0x80;
}

static bool is_stated_after(Str after)
{
    static const char *const links[] = {
        "for",  "in",      "on",  "at",  "of",    "with",   "by",     "from", "to", "while",
        "when", "because", "but", "and", "after", "before", "during", "as",   "is", "or"};
    size_t rest = 0; /* of a word that the glob has the beginning of */
    while (rest < after.length && (is_word_char(after.at[rest]) || after.at[rest] == '.')) {
        rest++;
    }
    after = str_trim(str_slice(after, rest, after.length));
    Str word = first_word(after);
    if (word.length > 0) {
        return STR_IS_ANY(word, links);
    }
    return after.length == 0 || strchr("\"'`", after.at[0]) == NULL;
}

/* Does the text name an exception, or something that was called an error, in passing? */
static bool names_error(Str text)
{
    static const char *const names[] = {"Error:", "Exception:"};
    bool found = str_contains(text, STR("error:"));
    for (size_t i = 0; i < sizeof names / sizeof *names && !found; i++) {
        size_t at = str_find(text, str_from(names[i]), 0);
        found = at != SIZE_MAX && at > 0 && is_letter(text.at[at - 1]);
    }
    return found;
}

bool log_is_stated(Str line, GlobSpan span)
{
    enum { SENTENCE = 32 }; /* bytes that nobody writes in passing */
    line = str_trim(line);
    bool label = span.end > 0 && strchr("]:)", line.at[span.end - 1]) != NULL;
    if (names_error(str_slice(line, 0, span.begin))) {
        return false; /* that may be one which somebody else had */
    }
    return span.end - span.begin >= SENTENCE ||
           (is_stated_before(str_slice(line, 0, span.begin)) &&
            (label || is_stated_after(str_slice(line, span.end, line.length))));
}

/* What comes after a code that is reported begins with a sign or a capital ("F40005! Enum: …"). */
static bool goes_on_as_sentence(Str after)
{
    size_t rest = 0;
    while (rest < after.length && is_word_char(after.at[rest])) {
        rest++;
    }
    after = str_slice(after, rest, after.length);
    char first = after.length > 1 && after.at[0] == ' ' ? after.at[1] : ' ';
    return first == '(' || (first >= 'a' && first <= 'z');
}

bool log_is_spoken_of(Str line, GlobSpan span)
{
    static const char *const before[] = {"如果",   "假如",    "避免",   "avoid ", "could ",
                                         "would ", "should ", "might ", " if ",   " when "};
    static const char *const anywhere[] = {"inject", "simulat", "expected", "注入", "预期"};
    line = str_trim(line);
    Str lead = str_slice(line, 0, span.begin);
    bool spoken = goes_on_as_sentence(str_slice(line, span.end, line.length));
    for (size_t i = 0; i < sizeof before / sizeof *before && !spoken; i++) {
        Str word = str_from(before[i]);
        spoken = text_contains_folded(lead, word) ||
                 text_contains_folded(str_slice(lead, 0, word.length - 1), str_trim(word));
    }
    for (size_t i = 0; i < sizeof anywhere / sizeof *anywhere && !spoken; i++) {
        spoken = text_contains_folded(line, str_from(anywhere[i]));
    }
    return spoken;
}

bool log_is_whole(Str line, Str glob, GlobSpan span)
{
    enum { MOST_WILD = 10 }; /* bytes that a number or a name has */
    line = str_trim(line);
    Str before = str_slice(line, 0, span.begin), after = str_slice(line, span.end, line.length);
    bool label = before.length == 0 || str_ends(before, STR(": ")) || str_ends(before, STR("] "));
    return label && !names_error(before) && span.end - span.begin <= glob.length + MOST_WILD &&
           (after.length == 0 || str_is(after, ".") || str_starts(after, STR(" (")));
}
