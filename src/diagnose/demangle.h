/* Demangles the names of C++ functions. */
#ifndef PYPTO_LINT_DIAGNOSE_DEMANGLE_H
#define PYPTO_LINT_DIAGNOSE_DEMANGLE_H

#include "base/str.h"

/* Returns the text, in the arena, with each mangled name (_Z…) replaced. A name that is too long or
 * malformed stays as it is; all names do if the build had no demangler. */
Str demangle_text(Arena *arena, Str text);

#endif
