/* Identifiers as Python compares them: in Unicode's normal form NFKC. */
#ifndef PYPTO_LINT_PYTHON_IDENTIFIER_H
#define PYPTO_LINT_PYTHON_IDENTIFIER_H

#include "base/str.h"

/* The name in NFKC: itself when it is ASCII, else in the arena, terminated. Dots stay. */
Str identifier_normal(Arena *arena, Str name);
/* Offset after the identifier that begins at `start` in valid source. */
size_t identifier_end(Str text, size_t start);

#endif
