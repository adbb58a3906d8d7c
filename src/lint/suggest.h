/* Suggest: the known word that a misspelt one was probably meant to be. */
#ifndef PYPTO_LINT_LINT_SUGGEST_H
#define PYPTO_LINT_LINT_SUGGEST_H

#include "base/str.h"

/* Longer words are not compared: nobody's typing error is that long. */
enum { SUGGEST_MAX_LENGTH = 48 };

/* Edit distance (insert, delete, replace, swap neighbours; ASCII case does not count), or `limit` +
 * 1 when it is more than `limit`. */
unsigned edit_distance(Str a, Str b, unsigned limit);

/* The nearest of `count` candidates at a distance of at most a third of the word's length (at least
 * 1), the first of equals; NULL when none is near. */
const char *suggest(Str word, const char *const *candidates, size_t count);

#endif
