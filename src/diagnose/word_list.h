/* Compares a word with a list of words, in either case (ASCII). */
#ifndef PYPTO_LINT_DIAGNOSE_WORD_LIST_H
#define PYPTO_LINT_DIAGNOSE_WORD_LIST_H

#include "base/str.h"

/* Is the word one of the `count` words? */
bool word_list_has(const char *const *words, size_t count, Str word);

/* The same for an array of words. */
#define WORD_IN(words, word) word_list_has(words, sizeof(words) / sizeof *(words), word)

#endif
