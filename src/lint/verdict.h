/* Verdict: what must be said of a run besides its findings, so that status 0 is not taken for more
 * than it is. Private to src/lint. */
#ifndef PYPTO_LINT_LINT_VERDICT_H
#define PYPTO_LINT_LINT_VERDICT_H

#include "lint/request.h"
#include "lint/result.h"

/* Sets `nothing` and `verdict` of a result whose exit status is known; texts in the arena. False
 * when it belongs to a gate for which no rule was selected: `nothing` is then an error. */
bool verdict_note(RunResult *result, Arena *arena, const Request *request);

#endif
