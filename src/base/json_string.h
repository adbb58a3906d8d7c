/* Parts of JSON text that several readers share: escapes, strings, numbers. */
#ifndef PYPTO_LINT_BASE_JSON_STRING_H
#define PYPTO_LINT_BASE_JSON_STRING_H

#include "base/str.h"

/* The value of the four hexadecimal digits at `at`, or -1 when they are not there. */
int32_t json_hex4(Str text, size_t at);

/* What stands between the quotes, escapes resolved; these must be known to be sound. In the arena,
 * terminated. Half a surrogate pair is U+FFFD: reports are UTF-8. */
Str json_decode(Arena *arena, Str raw);

/* Behind the number at `at`, or `at` when there is none. A part that is not complete (`1.`, `1e`)
 * does not belong to it. */
size_t json_number_end(Str text, size_t at);

#endif
