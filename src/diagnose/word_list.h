/* Looks for the words or texts of a list in lines. */
#ifndef PYPTO_LINT_DIAGNOSE_WORD_LIST_H
#define PYPTO_LINT_DIAGNOSE_WORD_LIST_H

#include "base/str.h"

/* Is the word one of the `count` words, in any (ASCII) case? */
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

/* Does the line contain one of the texts, as written or (lower-case texts) in any case? */
bool text_list_in(const char *const *texts, size_t count, Str line);
bool text_list_folded_in(const char *const *texts, size_t count, Str line);

/* Does the line begin with one of the texts, as written or (lower-case texts) in any case, or end
 * with one? */
bool text_list_starts(const char *const *texts, size_t count, Str line);
bool text_list_folded_starts(const char *const *texts, size_t count, Str line);
bool text_list_ends(const char *const *texts, size_t count, Str line);

/* The same for arrays of texts. */
#define HAS_TEXT(texts, line)    text_list_in(texts, sizeof(texts) / sizeof *(texts), line)
#define HAS_FOLDED(texts, line)  text_list_folded_in(texts, sizeof(texts) / sizeof *(texts), line)
#define STARTS_WITH(texts, line) text_list_starts(texts, sizeof(texts) / sizeof *(texts), line)
#define STARTS_FOLDED(texts, line)                                                                 \
    text_list_folded_starts(texts, sizeof(texts) / sizeof *(texts), line)
#define ENDS_WITH(texts, line) text_list_ends(texts, sizeof(texts) / sizeof *(texts), line)

#endif
