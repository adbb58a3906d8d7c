/* Hook JSON: strings of an answer. */
#ifndef PYPTO_LINT_HOOK_HOOK_JSON_H
#define PYPTO_LINT_HOOK_HOOK_JSON_H

#include "base/str.h"

/* Appends a JSON string: one line, characters beyond ASCII as they are, bytes that are not UTF-8 as
 * U+FFFD, control and other invisible characters as escapes. */
void hook_json_add(Buf *out, Str text);

#endif
