/* Fit: which versions go together. All that is known of it is in fit.c. */
#ifndef PYPTO_LINT_ENVIRONMENT_FIT_H
#define PYPTO_LINT_ENVIRONMENT_FIT_H

#include "environment/environment.h"

/* Adds a fact with each pair that does not fit, or that all do. A pair with an unknown
 * member is not judged. */
void environment_add_fit(Environment *environment);

#endif
