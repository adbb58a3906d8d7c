/* Running the search for blamed lines after the cases of a verification. */
#ifndef PYPTO_LINT_HARNESS_BLAME_BLAME_RUN_H
#define PYPTO_LINT_HARNESS_BLAME_BLAME_RUN_H

#include "harness/verify.h"

/* Runs failing cases of mode sim once more, watched, and puts `blame` into their results: all of
 * them (at most BLAME_MOST_CASES) when --blame asks, else the first failing one if that is quick.
 * Reads the judgement. False when the run was interrupted (verification->signal). */
bool blame_run(Verification *verification);

#endif
