/* Rule sets: the named groups of rules that gates, hooks and the old command line run
 * (docs/gates.md). For src/lint and the hooks. */
#ifndef PYPTO_LINT_LINT_RULE_SETS_H
#define PYPTO_LINT_LINT_RULE_SETS_H

#include "lint/select.h"

/* The rules of a set for a run at `stage`, in the order of the set: for gates the rules of that
 * stage in catalogue order, for the other sets all members in their own order. `set` is not
 * SET_SCOPE. In the arena. */
Rules rule_set(Arena *arena, RuleSet set, int stage);

/* Does the rule apply at this stage? Any number may be asked about. */
bool rule_has_stage(const Rule *rule, int stage);

/* May a gate of this set run the rule, the stage aside? */
bool rule_is_in_gate(const Rule *rule, RuleSet set);

/* Is its id in the list, which ends with NULL? */
bool rule_is_one_of(const Rule *rule, const char *const *ids);

#endif
