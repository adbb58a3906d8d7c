/* Runs the search for blamed lines after the cases of a verification have been judged. */
#ifndef PYPTO_LINT_HARNESS_BLAME_BLAME_RUN_H
#define PYPTO_LINT_HARNESS_BLAME_BLAME_RUN_H

#include "harness/verify.h"

/* Runs cases that failed on precision in mode sim once more, watched, and puts `blame` into their
 * results: all of them (at most BLAME_MOST_CASES) with --blame, else only the first, and only if it
 * is quick. The results must have been judged. False when the run was interrupted
 * (verification->signal). */
bool blame_run(Verification *verification);

#endif
