/* Selection: which rules of the registry a request asks for in one place. Private to src/lint. */
#ifndef PYPTO_LINT_LINT_SELECT_H
#define PYPTO_LINT_LINT_SELECT_H

#include "lint/request.h"

typedef VEC(const Rule *) Rules;

/* Does the rule apply at the operator's stage? When that was guessed, a file that exists is judged
 * whatever the guess: as when it is linted by itself. After the scan set was filled. */
bool rule_is_due(const Rule *rule, Operator *op);

/* The profile that counts for a unit of work: what the caller says, else the settings; else
 * `kernel` for a loose file. Gates, hooks and the Python linter's command line belong to the
 * workflow. */
Profile profile_of(const Request *request, const Config *config, bool loose);

/* Rules to consider, in catalogue order. With --rules those; else all, in file scope those for the
 * file's kind, in phase and design gates theirs. Configuration, --select and --ignore take some
 * out. */
Rules select_rules(Arena *arena, const Request *request, const Config *config, Operator *op);

/* Is there a file by itself that no rule applies to, whatever options and settings select? */
bool select_has_no_candidate(const Request *request, Operator *op);

/* Is OL00 wanted? Yes, unless --ignore names it, or the settings ignore it (that counts neither in
 * gates and hooks nor when --rules names OL00), or the Python linter's command line asks; its hook
 * after an edit gets it. */
bool select_ol00(const Request *request, const Config *config);

#endif
