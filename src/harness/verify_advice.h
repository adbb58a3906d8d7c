/* Advice: what to do about a failure, and the words for what failed. */
#ifndef PYPTO_LINT_HARNESS_VERIFY_ADVICE_H
#define PYPTO_LINT_HARNESS_VERIFY_ADVICE_H

#include "harness/judgement.h"

/* The output that says most about the first failure; NULL when none was compared. */
const Leaf *failing_leaf(const FirstFailure *first);

/* A sentence or two on what to do next: by the pattern of the differences, the code that was raised
 * or the cause where one is known (advice_table.h), else by the category. */
Str verify_advice(Arena *arena, const FirstFailure *first, Lang lang);

/* A category as the title of a kind of failure: "Values differ from the reference". */
Text category_title(Category category);

/* Of the fingerprint: which side is to be looked at. */
Text fingerprint_meaning(Divergence fingerprint);

#endif
