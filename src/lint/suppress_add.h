/* Writing suppressing comments for what was found. Private to src/lint. */
#ifndef PYPTO_LINT_LINT_SUPPRESS_ADD_H
#define PYPTO_LINT_LINT_SUPPRESS_ADD_H

#include "lint/engine.h"

/* Adds to unit->suppression_edits what suppresses the unit's findings, with this reason: a comment
 * above the statement, or at the top of the file for a finding about all of it. Findings of severity
 * S0, in files that are not Python, or in Python that does not parse have none. Returns how many
 * those are. */
uint32_t suppressions_add(Unit *unit, Str reason);

#endif
