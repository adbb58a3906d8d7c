/* Texts: lists of them. */
#ifndef PYPTO_LINT_HARNESS_TEXTS_H
#define PYPTO_LINT_HARNESS_TEXTS_H

#include "kernel/kernel.h" /* Strs */

/* Is the text in the list? Lists here are short and not sorted. */
bool strs_have(const Strs *list, Str text);

/* Appends the text unless the list has it; true when it was appended. */
bool strs_add(Arena *arena, Strs *list, Str text);

/* "[a, b]". */
Str strs_in_brackets(Arena *arena, const Strs *list);

#endif
