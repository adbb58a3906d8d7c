/* Sanitize: the last step before a report is written. */
#ifndef PYPTO_LINT_HARNESS_SANITIZE_H
#define PYPTO_LINT_HARNESS_SANITIZE_H

#include "base/str.h"

#include "document/json.h"

/* Removes the keys `golden_tensors`, `golden_values`, `golden_source`, `raw_inputs`,
 * `input_tensors`, `truth` and `truth_tuple` with what they hold, in objects and arrays of any
 * depth. Cannot be turned off. Memory for the walk is the arena's. */
void sanitize(Arena *arena, json_t *root);

#endif
