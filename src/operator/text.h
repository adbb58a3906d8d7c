/* Text: white space, case and lines as the readers of an operator's documents need them.
 *
 * White space is Unicode white space. Case is folded for ASCII letters only: no title part or key
 * that is searched for has another letter with two cases. */
#ifndef PYPTO_LINT_OPERATOR_TEXT_H
#define PYPTO_LINT_OPERATOR_TEXT_H

#include "base/str.h"
#include "base/vec.h"

/* Unicode white space (the control characters U+001C … U+001F included). */
bool code_point_is_space(uint32_t c);
/* Word character: a Unicode letter, digit or number, or `_`. */
bool code_point_is_word(uint32_t c);
/* Offset of the first character at or after `at` that is not white space, or the length. */
size_t text_skip_space(Str text, size_t at);
/* Without Unicode white space at both ends. */
Str text_trim(Str text);
/* The text up to its first blank or tab. */
Str text_first_word(Str text);
/* ASCII letters in lower case; a copy in the arena. */
Str text_lower(Arena *arena, Str text);
/* Does `text` contain `part` (lower-case) in any case? */
bool text_contains_folded(Str text, Str part);
/* Offset of the first such place at or after `from`, or SIZE_MAX. */
size_t text_find_folded(Str text, Str part, size_t from);

/* CR LF and lone CR become LF; the text itself where there is none, else a copy in the arena. */
Str text_with_line_feeds(Arena *arena, Str text);

/* The line at `*at` without its LF; moves `*at` past the LF. False at the end of the text. */
bool text_next_line(Str text, size_t *at, Str *line);
/* How many LF are in the text. */
uint32_t text_count_lines(Str text);

/* Counts lines from one offset to the next without starting anew; offsets must ascend. */
typedef struct LineCounter {
    Str text;
    size_t at;
    uint32_t line; /* of `at` */
} LineCounter;
/* Line of `offset`; begin with {text, 0, 1}. */
uint32_t line_counter_at(LineCounter *counter, size_t offset);

#endif
