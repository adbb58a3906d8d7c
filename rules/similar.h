/* Similar: how alike two names are, for suggestions. */
#ifndef PYPTO_LINT_RULES_SIMILAR_H
#define PYPTO_LINT_RULES_SIMILAR_H

#include "base/str.h"

/* Longer names are not compared (similarity 0); names of the package have at most 24 bytes. */
enum { SIMILAR_MAX = 96 };

/* Number of characters in matching blocks: the longest common substring (earliest in `candidate`,
 * then in `wanted`) and, left and right of it, the same again. With T = both lengths together, 2 *
 * M / T is the similarity, from 0 to 1. */
unsigned similar_matches(Str candidate, Str wanted);
/* A number that similar_matches does not exceed, found faster: the characters the names have in
 * common. */
unsigned similar_bound(Str candidate, Str wanted);
/* Is 2 * matches / total at least percent / 100? */
bool similar_enough(unsigned matches, size_t total, unsigned percent);

#endif
