/* JSON texts read with jansson, whatever happens to the memory.
 *
 * jansson's reader goes on with a broken buffer after an allocation has failed, or stops in an
 * assertion. So its memory functions are ours: a failure while a text is read ends the reading,
 * gives back what it took, and goes to the arena's guard. */
#ifndef PYPTO_LINT_BASE_JSON_READ_H
#define PYPTO_LINT_BASE_JSON_READ_H

#include "base/str.h"

#include <jansson.h>

/* Gives jansson its memory functions. Once, before anything else of it is called; without it
 * json_read is json_loadb. A failure outside json_read is a lapse, and NULL as jansson expects. */
void json_memory_begin(void);

/* As json_loadb; NULL only for a fault of the text. The caller releases the tree. */
json_t *json_read(Arena *arena, Str text, size_t flags, json_error_t *error);

#endif
