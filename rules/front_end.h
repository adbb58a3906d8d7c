/* Front end: what rules of the workflow say of plain kernels (not in operator directories) where
 * they only repeat what the front end of 9.1 refused. */
#ifndef PYPTO_LINT_RULES_FRONT_END_H
#define PYPTO_LINT_RULES_FRONT_END_H

#include "lint/rule.h"

/* Status of such a finding about this kernel. Where the workflow's verdicts count: STATUS_FAIL. In
 * plain code: STATUS_PASS (no finding) when the version that counts accepts the construct,
 * STATUS_WARN when the version is not known, else STATUS_FAIL. */
Status older_status(const RuleRun *run, const PyFile *file, NodeId kernel);
/* Such a finding leaves its line to the static evaluation, which knows the version. */
void older_finding(const RuleRun *run, Finding *finding);

#endif
