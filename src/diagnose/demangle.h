/* Names of C++ functions as their authors wrote them. */
#ifndef PYPTO_LINT_DIAGNOSE_DEMANGLE_H
#define PYPTO_LINT_DIAGNOSE_DEMANGLE_H

#include "base/str.h"

/* The text with each mangled name (_Z…) in it replaced, in the arena. A name that is too long or
 * cannot be read stays; so do all where the library for it was not there at build time. */
Str demangle_text(Arena *arena, Str text);

#endif
