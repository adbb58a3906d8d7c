/* Opening an operator: from a unit of work to what rules look at. Private to src/lint. */
#ifndef PYPTO_LINT_LINT_OPERATOR_OPEN_H
#define PYPTO_LINT_LINT_OPERATOR_OPEN_H

#include "lint/engine.h"

/* The unit's operator: name, stage and scope, in the unit's arena; no Python file is read yet. */
Operator *operator_open(Unit *unit);
/* Reads the scan set. `text` (NULL: none) stands for the one file of the scope. */
void operator_fill(Operator *op, const TextSource *text);
/* Of a loose file that a search found, once it is read: does it hold a kernel, or might it, being
 * too broken or too large to tell? */
bool operator_may_hold_kernel(const Operator *op);
/* Reads what belongs to the operator whatever rules run, so that a broken file is always
 * noticed. */
void operator_read_artifacts(Operator *op);

#endif
