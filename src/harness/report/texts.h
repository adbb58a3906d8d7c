/* Texts: lists of texts. */
#ifndef PYPTO_LINT_HARNESS_REPORT_TEXTS_H
#define PYPTO_LINT_HARNESS_REPORT_TEXTS_H

#include "base/str.h"

/* Appends the text unless the list has it; true when it was appended. */
bool strs_add(Arena *arena, Strs *list, Str text);

/* "[a, b]". */
Str strs_in_brackets(Arena *arena, const Strs *list);

#endif
