/* Suite keys: which keys of a case are certainly misspelt. All keys that the program does not know
 * belong to make_inputs, so a key counts as misspelt only when it can hardly be anything else. */
#ifndef PYPTO_LINT_HARNESS_SUITE_KEYS_H
#define PYPTO_LINT_HARNESS_SUITE_KEYS_H

#include "base/str.h"

#include "document/json.h"

/* The first key of the case that is misspelt, and in `*meant` what it should be; NULL = none. */
const char *suite_misspelt_key(json_t *object, const char **meant);

#endif
