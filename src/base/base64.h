/* Base64 (RFC 4648, with padding): any bytes within a JSON text. */
#ifndef PYPTO_LINT_BASE_BASE64_H
#define PYPTO_LINT_BASE_BASE64_H

#include "base/str.h"

/* In the arena. */
Str base64_encode(Arena *arena, Str bytes);
/* False when the text is not base64. The bytes are in the arena. */
bool base64_decode(Arena *arena, Str text, Str *bytes);

#endif
