/* Advice: what to do about a failure, and the words for what failed. */
#ifndef PYPTO_LINT_HARNESS_VERIFY_ADVICE_H
#define PYPTO_LINT_HARNESS_VERIFY_ADVICE_H

#include "harness/judgement.h"

/* A sentence or two on what to do next. */
Text verify_advice(const FirstFailure *first);

/* A category as the title of a kind of failure: "Values differ from the reference". */
Text category_title(Category category);

/* Of the fingerprint: which side is to be looked at. */
Text fingerprint_meaning(Divergence fingerprint);

#endif
