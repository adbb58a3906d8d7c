/* Front end: what rules of the workflow say of plain kernels (not in operator directories) where
 * they only repeat what the front end of 9.1 refused. */
#ifndef PYPTO_LINT_RULES_FRONT_END_H
#define PYPTO_LINT_RULES_FRONT_END_H

#include "lint/rule.h"

/* What becomes of such a finding about this kernel: STATUS_PASS = there is none, as the version
 * that counts takes the construct; STATUS_WARN when nobody says which version it is. */
Status older_status(const RuleRun *run, const PyFile *file, NodeId kernel);
/* Such a finding leaves its line to the static evaluation, which knows the version. */
void older_finding(const RuleRun *run, Finding *finding);

#endif
