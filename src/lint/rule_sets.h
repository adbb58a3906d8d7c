/* Rule sets: the named groups of rules that gates, hooks and the old command line run
 * (docs/agents/gates.md). For src/lint and the hooks. */
#ifndef PYPTO_LINT_LINT_RULE_SETS_H
#define PYPTO_LINT_LINT_RULE_SETS_H

#include "lint/select.h"

/* The rules of a set for a run at `stage`, in the order of the set: for gates the rules of that
 * stage in catalogue order, for the other sets all members, by id, those named KS… last. `set` is
 * not SET_SCOPE. In the arena. */
Rules rule_set(Arena *arena, RuleSet set, int stage);

/* What a hook runs after an edit of `file`: the rules of a set that is not a gate; for a Python
 * file also those of SET_PYTHON, and with SET_TEST all rules KS…. In the arena. */
Rules rule_set_after_edit(Arena *arena, RuleSet set, int stage, Str file);

/* Does the rule apply at this stage? Any number may be asked about. */
bool rule_has_stage(const Rule *rule, int stage);

/* Is the rule in this set, the stage aside? */
bool rule_is_in(const Rule *rule, RuleSet set);

#endif
