/* Beyond: what a check without errors says nothing of, so that it is not taken for a passed gate.
 * Private to src/lint. */
#ifndef PYPTO_LINT_LINT_BEYOND_H
#define PYPTO_LINT_LINT_BEYOND_H

#include "lint/request.h"
#include "lint/result.h"

/* Sets `beyond` of a result whose exit status is known; text in the arena. Empty for gates, for
 * rules that were named one by one, for hooks, and for the command line of the Python linter. */
void beyond_note(RunResult *result, Arena *arena, const Request *request);

#endif
