/* Advice: what to do about a failure, and the words for its category. */
#ifndef PYPTO_LINT_HARNESS_JUDGE_VERIFY_ADVICE_H
#define PYPTO_LINT_HARNESS_JUDGE_VERIFY_ADVICE_H

#include "harness/judge/judgement.h"

/* The output that explains the first failure best; NULL when none is wrong, or when an inspection
 * explains it (has_drift_onset). */
const Leaf *failing_leaf(const FirstFailure *first);

/* A sentence or two on what to do about failures of this kind: by the cause, the raised code or the
 * pattern of the differences (advice_table.h), or by the category. */
Str verify_advice_on_kind(Arena *arena, const FirstFailure *first, Lang lang);
/* What to do next: the line alone if blame is sure of it or the kind of its finding is "cut_short";
 * else the advice on the kind of failure, and after it the line that blame suspects, if any. */
Str verify_advice(Arena *arena, const FirstFailure *first, Lang lang);

/* A category as the title of a kind of failure: "Values differ from the reference". */
Text category_title(Category category);

/* What the fingerprint of a failing case says about where to look, and on how many modes it
 * rests. */
Str fingerprint_meaning(Arena *arena, const FirstFailure *first, Lang lang);

#endif
