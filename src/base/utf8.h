/* UTF-8: validation and counting. Positions inside the program are byte offsets; code points are
 * counted only where a report is written. */
#ifndef PYPTO_LINT_BASE_UTF8_H
#define PYPTO_LINT_BASE_UTF8_H

#include "base/str.h"

/* Offset of the first byte that is not strict UTF-8 (overlong forms, surrogates and values above
 * U+10FFFF are errors), or SIZE_MAX if all is well. */
size_t utf8_first_error(Str text);

/* Code points in valid text; in invalid text each stray byte counts as one. */
size_t utf8_count(Str text);

/* The code point at `*offset`, which is moved past it; U+FFFD for an invalid byte (moved by
 * one). */
uint32_t utf8_next(Str text, size_t *offset);

/* Appends text; U+FFFD for each byte that is not UTF-8. */
void utf8_add_text(Buf *out, Str text);

/* Is it a control, formatting or reordering character, a filler, a tag, or a variation selector but
 * that of emoji: nothing to see, or not where it is? */
bool code_point_is_hidden(uint32_t code_point);

/* Appends a code point, up to U+1FFFFF; half a surrogate pair as the three bytes it would have. */
void utf8_add(Buf *out, uint32_t code_point);

#endif
