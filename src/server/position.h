/* Position: places as the protocol counts them: lines from 0, characters from 0 in the units that
 * client and server have agreed on. Lines end at LF, CR LF or a lone CR, as in a Source. */
#ifndef PYPTO_LINT_SERVER_POSITION_H
#define PYPTO_LINT_SERVER_POSITION_H

#include "lint/rule.h"

typedef enum Encoding { ENCODING_UTF16, ENCODING_UTF8, ENCODING_UTF32 } Encoding;

typedef struct Position {
    uint32_t line, character;
} Position;

typedef struct Range {
    Position start, end;
} Range;

/* Its name in the protocol: "utf-16", "utf-8", "utf-32". */
const char *encoding_name(Encoding encoding);

/* Number of units in a text. A byte that is not UTF-8 counts as one character. */
uint32_t encoding_count(Encoding encoding, Str text);
/* The byte offset of the character that begins `units` into the line, at most its length. A place
 * within a character counts as its start. */
size_t encoding_offset(Encoding encoding, Str line, uint32_t units);

/* Moves `*start`, the beginning of a line, `line` lines forward. `*before` becomes the beginning of
 * the line before, if it moved at all. False when the text has fewer lines; `*start` is then the
 * beginning of the last one. */
bool line_forward(Str text, uint32_t line, size_t *start, size_t *before);
/* The line that begins at `start`, without its end. */
Str line_at(Str text, size_t start);

/* From a byte offset in a source to a position, and back. A leading U+FEFF is a character of the
 * first line. A line beyond the last one counts as the end of the text. */
Position position_of(const Source *source, uint32_t offset, Encoding encoding);
uint32_t position_offset(const Source *source, Position position, Encoding encoding);
/* The place of a region (lines and columns from 1, in code points); all zero for a whole file. */
Range range_of(const Source *source, Region region, Encoding encoding);

/* Do they touch? */
bool ranges_meet(Range a, Range b);

#endif
