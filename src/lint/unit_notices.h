/* Notices of a unit: what must be said besides its findings. Private to src/lint. */
#ifndef PYPTO_LINT_LINT_UNIT_NOTICES_H
#define PYPTO_LINT_LINT_UNIT_NOTICES_H

#include "lint/engine.h"

/* Hooks and the Python linter's command line have their own form of answer: no remarks there. */
bool unit_takes_remarks(const Unit *unit);

/* About the state file, the stage and what it leaves to run; before the rules run. */
void note_stage(Unit *unit, Operator *op, const Rules *rules);
/* About rules that have no kernel to look at; once the operator's files are read. */
void note_kernels(Unit *unit, Operator *op, const Rules *rules);
/* About files that were not judged; once the rules have run. */
void note_missing(Unit *unit, Operator *op);

#endif
