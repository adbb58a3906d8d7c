/* Compares words with a list and finds words in lines, ignoring (ASCII) case. */
#ifndef PYPTO_LINT_DIAGNOSE_WORD_LIST_H
#define PYPTO_LINT_DIAGNOSE_WORD_LIST_H

#include "base/str.h"

/* Is the word one of the `count` words? */
bool word_list_has(const char *const *words, size_t count, Str word);

/* The same for an array of words. */
#define WORD_IN(words, word) word_list_has(words, sizeof(words) / sizeof *(words), word)

/* Finds the lower-case word in the line, at or after `from`, where no letter or digit continues it
 * on either side; SIZE_MAX: not found. */
size_t word_find(Str line, Str word, size_t from);

/* Does the line contain one of the words, as word_find finds them? */
bool word_list_in(const char *const *words, size_t count, Str line);

/* The same for an array of words. */
#define HAS_WORD(words, line) word_list_in(words, sizeof(words) / sizeof *(words), line)

#endif
