/* Golden pairs: subtractions of two accumulations in a golden. Private to golden_source.c. */
#ifndef PYPTO_LINT_HARNESS_GOLDEN_PAIRS_H
#define PYPTO_LINT_HARNESS_GOLDEN_PAIRS_H

#include "harness/golden_source.h"

/* In the order of the file; see docs/kernel-authors/scaffolding.md, "Subtractive pairs". The file
 * must have been parsed. */
GoldenPairs golden_pairs(Arena *arena, const PyFile *file);

#endif
