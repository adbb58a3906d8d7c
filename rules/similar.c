/* Similar: misspelt words and synonyms; see similar.h. */
#include "rules/similar.h"

#include "base/ascii.h"
#include "lint/suggest.h"

enum { ONE_EDIT_FROM = 4, TWO_EDITS_FROM = 10 };

static char fold(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Equal but for case and underscores? */
static bool is_spelled_alike(Str a, Str b)
{
    size_t i = 0;
    size_t j = 0;
    for (;;) {
        while (i < a.length && a.at[i] == '_') {
            i++;
        }
        while (j < b.length && b.at[j] == '_') {
            j++;
        }
        if (i == a.length || j == b.length) {
            return i == a.length && j == b.length;
        }
        if (fold(a.at[i++]) != fold(b.at[j++])) {
            return false;
        }
    }
}

static bool has_equal_digits(Str a, Str b)
{
    size_t j = 0;
    for (size_t i = 0; i < a.length; i++) {
        if (!is_digit(a.at[i])) {
            continue;
        }
        while (j < b.length && !is_digit(b.at[j])) {
            j++;
        }
        if (j == b.length || b.at[j++] != a.at[i]) {
            return false;
        }
    }
    while (j < b.length && !is_digit(b.at[j])) {
        j++;
    }
    return j == b.length;
}

static unsigned word_edits(Str a, Str b)
{
    size_t shorter = a.length < b.length ? a.length : b.length;
    unsigned limit = shorter < ONE_EDIT_FROM ? 0 : shorter < TWO_EDITS_FROM ? 1 : 2;
    if (shorter == 0 || fold(a.at[0]) != fold(b.at[0]) || !has_equal_digits(a, b)) {
        return a.length == b.length && shorter == 0 ? 0 : SIMILAR_NOT;
    }
    unsigned edits = edit_distance(a, b, limit);
    return edits <= limit ? edits : SIMILAR_NOT;
}

static Str next_word(Str text, size_t *at)
{
    size_t end = str_find(text, STR("_"), *at);
    end = end == SIZE_MAX ? text.length : end;
    Str word = str_slice(text, *at, end);
    *at = end + 1;
    return word;
}

unsigned similar_edits(Str candidate, Str wanted)
{
    if (is_spelled_alike(candidate, wanted)) {
        return 0;
    }
    unsigned sum = 0;
    size_t i = 0;
    size_t j = 0;
    while (i <= candidate.length && j <= wanted.length) {
        unsigned edits = word_edits(next_word(candidate, &i), next_word(wanted, &j));
        if (edits == SIMILAR_NOT) {
            return SIMILAR_NOT;
        }
        sum += edits;
    }
    return i > candidate.length && j > wanted.length ? sum : SIMILAR_NOT;
}

/* --- synonyms */

const Synonym synonyms[] = {
#define SYNONYM(word, code, ...) {.missing = (word), .names = {__VA_ARGS__}, .recipe = (code)},
#define RENAMED(word, name)      {.missing = (word), .names = {(name)}, .is_rename = true},
#include "rules/data/synonyms.def"
#undef SYNONYM
#undef RENAMED
};
const size_t synonym_count = sizeof synonyms / sizeof *synonyms;

const Synonym *synonym_find(Str missing)
{
    for (size_t i = 0; i < synonym_count; i++) {
        if (str_is(missing, synonyms[i].missing)) {
            return &synonyms[i];
        }
    }
    return NULL;
}
