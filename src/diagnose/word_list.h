/* Compares words with a list of words, and finds them in lines, in either case (ASCII). */
#ifndef PYPTO_LINT_DIAGNOSE_WORD_LIST_H
#define PYPTO_LINT_DIAGNOSE_WORD_LIST_H

#include "base/str.h"

/* Is the word one of the `count` words? */
bool word_list_has(const char *const *words, size_t count, Str word);

/* The same for an array of words. */
#define WORD_IN(words, word) word_list_has(words, sizeof(words) / sizeof *(words), word)

/* Where the word (lower-case) stands in the line, from `from` on, with neither a letter nor a digit
 * before its first letter or after its last one; SIZE_MAX: nowhere. */
size_t word_find(Str line, Str word, size_t from);

/* Does the line have one of the words so? */
bool word_list_in(const char *const *words, size_t count, Str line);

/* The same for an array of words. */
#define HAS_WORD(words, line) word_list_in(words, sizeof(words) / sizeof *(words), line)

#endif
