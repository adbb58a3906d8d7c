/* Compares a word with a list of words; see word_list.h. */
#include "diagnose/word_list.h"

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
