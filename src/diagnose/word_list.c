/* Looks for the words or texts of a list; see word_list.h. */
#include "diagnose/word_list.h"

#include "base/ascii.h"
#include "operator/text.h"

bool word_list_has(const char *const *words, size_t count, Str word)
{
    for (size_t i = 0; i < count; i++) {
        if (word.length == strlen(words[i]) && text_contains_folded(word, str_from(words[i]))) {
            return true;
        }
    }
    return false;
}

/* Are two adjacent characters part of one word or number? */
static bool joins(char left, char right)
{
    return (is_letter(left) || is_digit(left)) && (is_letter(right) || is_digit(right));
}

size_t word_find(Str line, Str word, size_t from)
{
    for (size_t at = text_find_folded(line, word, from); at != SIZE_MAX;
         at = text_find_folded(line, word, at + 1)) {
        size_t end = at + word.length;
        bool begins = at == 0 || !joins(line.at[at - 1], line.at[at]);
        if (begins && (end == line.length || !joins(line.at[end - 1], line.at[end]))) {
            return at;
        }
    }
    return SIZE_MAX;
}

bool word_list_in(const char *const *words, size_t count, Str line)
{
    bool found = false;
    for (size_t i = 0; i < count && !found; i++) {
        found = word_find(line, str_from(words[i]), 0) != SIZE_MAX;
    }
    return found;
}

/* Does the line fit one of the texts? */
static bool fits_any(const char *const *texts, size_t count, Str line, bool (*fits)(Str, Str))
{
    bool found = false;
    for (size_t i = 0; i < count && !found; i++) {
        found = fits(line, str_from(texts[i]));
    }
    return found;
}

bool text_list_in(const char *const *texts, size_t count, Str line)
{
    return fits_any(texts, count, line, str_contains);
}

bool text_list_folded_in(const char *const *texts, size_t count, Str line)
{
    return fits_any(texts, count, line, text_contains_folded);
}

bool text_list_starts(const char *const *texts, size_t count, Str line)
{
    return fits_any(texts, count, line, str_starts);
}

static bool starts_folded(Str line, Str text)
{
    return text_contains_folded(str_slice(line, 0, text.length), text);
}

bool text_list_folded_starts(const char *const *texts, size_t count, Str line)
{
    return fits_any(texts, count, line, starts_folded);
}

bool text_list_ends(const char *const *texts, size_t count, Str line)
{
    return fits_any(texts, count, line, str_ends);
}
