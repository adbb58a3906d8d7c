/* Workers: units of work over threads. Private to src/lint. */
#ifndef PYPTO_LINT_LINT_WORKERS_H
#define PYPTO_LINT_LINT_WORKERS_H

#include "lint/engine.h"

/* Runs all units, at most `who->jobs` at a time (0 = the processors this process may use), and
 * returns when they are done; `who->progress` hears how far they are. When no thread can be had,
 * the caller's own does it all. */
void units_run(Unit *units, uint32_t count, const Caller *who);

#endif
