/* FrontMatter: the `---` block at the head of a document and the values in it. Facts:
 * docs/kernel-authors/operator-directory.md. */
#ifndef PYPTO_LINT_OPERATOR_FRONT_MATTER_H
#define PYPTO_LINT_OPERATOR_FRONT_MATTER_H

#include "operator/operator.h"
#include "operator/value.h"

/* Why a document has no front matter, or an empty one, although it looks as if it should have
 * one. */
typedef enum FrontMatterFault {
    FRONT_MATTER_FINE,
    FRONT_MATTER_NO_BLOCK,        /* nothing that looks like one */
    FRONT_MATTER_BOM,             /* byte order mark before the first `---` */
    FRONT_MATTER_NOT_FIRST,       /* blank line, comment … before the first `---` */
    FRONT_MATTER_OPEN_SPACE,      /* white space after the first `---` */
    FRONT_MATTER_CLOSE_SPACE,     /* white space after the closing `---` */
    FRONT_MATTER_CLOSE_LINE_FEED, /* the closing `---` ends the file, without a line feed */
    FRONT_MATTER_CLOSE_DOTS,      /* closed by `...` */
    FRONT_MATTER_NOT_CLOSED,      /* no closing line at all */
    FRONT_MATTER_EMPTY_HEADER, /* `---` directly followed by `---`, or a header without any value */
} FrontMatterFault;

typedef struct FrontMatter {
    bool recognised;
    FrontMatterFault fault;
    uint32_t fault_line; /* line of the fault, from 1; 0 when there is none */
    Str header;          /* between the two lines; empty when not recognised */
    Str body;            /* after the closing line; the whole text when not recognised */
    uint32_t body_line;  /* line of the beginning of `body`, from 1 */
    bool yaml_failed;    /* the header is not valid YAML: `metadata` was read line by line */
    uint32_t yaml_line;  /* where, in the document, from 1; 0 when it is valid but no mapping */
    Str yaml_error;      /* one line, in English; below in Chinese */
    Str yaml_error_zh;
    const Value *metadata; /* always a mapping, maybe empty; lines are lines of the document */
} FrontMatter;

/* The body alone, and the line on which it begins. */
Str front_matter_body(Str text, uint32_t *body_line);
/* Reads the block at the head of `text` (UTF-8, line ends LF). */
FrontMatter front_matter_read(Arena *arena, Str text);
/* The same for a document of the operator; read once. */
const FrontMatter *operator_front_matter(Operator *op, Str path);

/* No value at all: "no front matter" for the rules. */
static inline bool front_matter_is_empty(const FrontMatter *front)
{
    return front->metadata->count == 0;
}
/* Line of a key in the document, or 0. */
uint32_t front_matter_line(const FrontMatter *front, const char *key);
/* A clause for messages about the fault ("the closing line has white space behind `---`"); NULL for
 * FRONT_MATTER_FINE and FRONT_MATTER_NO_BLOCK. */
const char *front_matter_fault_text(FrontMatterFault fault);
const char *front_matter_fault_text_zh(FrontMatterFault fault);

/* The scalar grammar of the line by line reading (also of quoted collections). Never NULL. */
const Value *scalar_value(Arena *arena, Str text, uint32_t line);
/* A Python literal: nested lists, tuples, mappings, sets of True, False, None, numbers and strings.
 * NULL if `text` is not one. */
const Value *python_literal(Arena *arena, Str text, uint32_t line);

#endif
