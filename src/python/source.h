/* Source: the text of one Python file, its lines, and where its syntax is broken. */
#ifndef PYPTO_LINT_PYTHON_SOURCE_H
#define PYPTO_LINT_PYTHON_SOURCE_H

#include "base/str.h"
#include "base/vec.h"

/* A place where Python's grammar rejects the text. */
typedef struct SyntaxError {
    uint32_t start, end; /* byte range; may be empty */
    Str message;         /* English, one line, no final full stop: "'(' was never closed" */
    Str message_zh;      /* the same in Chinese */
} SyntaxError;
typedef VEC(SyntaxError) SyntaxErrors;

/* A comment: from its `#` to the end of the line (not included). */
typedef struct Comment {
    uint32_t start, end;
    bool own_line; /* nothing but white space before it on its line */
} Comment;
typedef VEC(Comment) Comments;

/* Columns at every COLUMN_STEP bytes, made when first asked for: many findings on one long line
 * must not count it anew each. */
typedef struct Columns {
    Arena *arena;
    uint32_t
        *at; /* code points from the start of the line to byte i * COLUMN_STEP; NULL until needed */
} Columns;

typedef struct Source {
    Str path;              /* as findings name it: relative to the operator directory, `/` */
    Str text;              /* as it is on disk, a leading U+FEFF included */
    uint32_t text_start;   /* 3 when the text begins with U+FEFF, else 0 */
    uint32_t *line_starts; /* offsets; line n (from 1) begins at line_starts[n-1] */
    uint32_t line_count;   /* at least 1 */
    Columns *columns;
    /* Of a block in a document: the document, where the block begins in its text, and the lines
     * before it, which are added to every line. */
    const struct Source *document; /* NULL: the text is a file of its own */
    uint32_t document_start;
    uint32_t line_offset;
} Source;

/* Fills `source` for `text` (not copied; must outlive it; shorter than 4 GiB). Lines end at LF, CR
 * LF or a lone CR. */
void source_init(Source *source, Arena *arena, Str path, Str text);

/* Line of a byte offset, from 1. Offsets past the end count as the last line. */
uint32_t source_line(const Source *source, uint32_t offset);
/* Column of a byte offset, from 1, in code points; a leading U+FEFF does not count. */
uint32_t source_column(const Source *source, uint32_t offset);
/* Text of line n (from 1) without its line end; empty for a line that does not exist. */
Str source_line_text(const Source *source, uint32_t line);
/* Bytes from `start` to `end`. */
static inline Str source_slice(const Source *source, uint32_t start, uint32_t end)
{
    return str_slice(source->text, start, end);
}

#endif
