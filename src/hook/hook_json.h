/* Hook JSON: reading an event, writing strings of an answer. */
#ifndef PYPTO_LINT_HOOK_HOOK_JSON_H
#define PYPTO_LINT_HOOK_HOOK_JSON_H

#include "base/str.h"

#include <jansson.h>

/* The event as a tree, to be given back with json_decref; NULL when it is no JSON. Half a surrogate
 * pair (`"\ud800"`) and bytes that are not UTF-8 are taken for U+FFFD: JavaScript writes the
 * former, and an agent that puts such a character in a file must not get past the check by it. */
json_t *hook_json_read(Arena *arena, Str text);

/* Appends a JSON string: one line, characters beyond ASCII as they are, bytes that are not UTF-8 as
 * U+FFFD, control and other invisible characters as escapes. */
void hook_json_add(Buf *out, Str text);

#endif
