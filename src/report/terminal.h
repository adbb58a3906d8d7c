/* Terminal: untrusted text (file names, source, messages that quote source) made fit to be shown.
 *
 * Control characters, invisible characters and those that reorder text are written as escapes, so
 * that a linted file can neither move the cursor nor hide or disguise what the reader sees. */
#ifndef PYPTO_LINT_REPORT_TERMINAL_H
#define PYPTO_LINT_REPORT_TERMINAL_H

#include "base/str.h"

/* One code point (or stray byte) as it is shown. */
typedef struct Glyph {
    char text[12]; /* terminated */
    uint8_t width; /* columns of a terminal: 0 for combining marks, 2 for wide characters */
} Glyph;

/* The glyph at `*offset` (below the length), which is moved past it. A tab comes as an escape, like
 * other control characters. */
Glyph glyph_next(Str text, size_t *offset);

/* Appends all of `text`, glyph by glyph: never a line end, never an escape sequence. */
void terminal_add(Buf *out, Str text);

/* The text with escapes for what glyph_next escapes, line ends aside; the text itself when it has
 * nothing of the kind. For messages within JSON, whose readers undo the escapes of JSON. */
Str terminal_text(Arena *arena, Str text);

/* As terminal_add, for text at the start of a line: GitHub's runner obeys lines that begin, white
 * space aside, with "::". */
void terminal_add_start(Buf *out, Str text);
/* Would this text at the start of a line be such a command? */
bool terminal_is_command(Str text);

/* Columns that a visible code point takes: 0, 1 or 2. */
unsigned code_point_width(uint32_t code_point);

#endif
