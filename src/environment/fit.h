/* Fit: which versions are compatible. All known combinations are in fit.c. */
#ifndef PYPTO_LINT_ENVIRONMENT_FIT_H
#define PYPTO_LINT_ENVIRONMENT_FIT_H

#include "environment/environment.h"

/* Adds a fact that lists every incompatible pair of versions, or says that all are compatible. A
 * pair with an unknown version is not judged. */
void environment_add_fit(Environment *environment);

#endif
