/* How a JSON text is laid out, and changes of it that look as if its owner had made them. */
#ifndef PYPTO_LINT_INIT_JSON_LAYOUT_H
#define PYPTO_LINT_INIT_JSON_LAYOUT_H

#include "document/json_document.h"

/* One replacement in a text: the bytes from `start` to `end` become `text`. */
typedef struct TextEdit {
    size_t start, end;
    Str text;
} TextEdit;
typedef VEC(TextEdit) TextEdits;

typedef struct JsonLayout {
    const JsonDocument *document; /* the text that is laid out so */
    Arena *arena;
    Str unit;    /* one step of indentation */
    Str newline; /* LF or CRLF */
    bool lines;  /* a line for each member; false: all on one line */
    bool spaced; /* blanks after colons and commas */
} JsonLayout;

/* How nodes of another, trusted document are copied: in strings the first `from`, which has nothing
 * that JSON escapes, becomes `to`. */
typedef struct JsonCopy {
    const JsonDocument *source;
    Str from, to;
} JsonCopy;

/* The value of a string or a plain node of copy->source as it is copied. */
Str json_copy_value(Arena *arena, const JsonCopy *copy, uint32_t node);

JsonLayout json_layout_of(Arena *arena, const JsonDocument *document);

/* Appends `node` of copy->source, as if it stood on a line indented by `indent`. Recursive: for
 * documents of our own. */
void json_layout_render(Buf *out, const JsonLayout *layout, const JsonCopy *copy, uint32_t node,
                        Str indent);

/* The edit that puts copies of nodes (members with their keys) at the end of a container. */
TextEdit json_layout_append(const JsonLayout *layout, const JsonCopy *copy, uint32_t container,
                            const uint32_t *nodes, uint32_t count);

/* The edits that remove the marked nodes (`gone`, one for each node of the document). The caller
 * marks containers whose last child goes; the root stays. */
void json_layout_cut(const JsonLayout *layout, const bool *gone, TextEdits *edits);

/* The text after edits that do not overlap, in any order. */
Str edits_apply(Arena *arena, Str text, TextEdits *edits);

#endif
