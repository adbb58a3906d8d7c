/* Semantics: the rules KS…, beside those of the workflow. */
#ifndef PYPTO_LINT_LINT_SEMANTICS_H
#define PYPTO_LINT_LINT_SEMANTICS_H

#include "lint/result.h"

/* Is it one of the rules KS…? */
static inline bool is_semantics_rule(const Rule *rule)
{
    return rule->id[0] == 'K' && rule->id[1] == 'S';
}

/* Drops findings of these rules where a rule that takes precedence (Rule.yields_to) reports the
 * same line; with `mild` every FAIL of theirs becomes a WARN. */
void semantics_settle(OperatorResult *result, bool mild);
/* How far they came in this operator, and with `types` what they know of assignments and calls
 * (rules/semantics.c). In the arena of the run. */
SemanticsSummary *semantics_describe(RuleRun *run, bool types);
/* Takes these rules out of the list of those that ran, as far as they found nothing. */
void semantics_hide_passed(OperatorResult *result);

#endif
