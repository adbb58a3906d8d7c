/* Markdown: headings and sections of a document, by the simple rules of the workflow: code fences,
 * quotes and comments are not known, a line `# note` in a fence is a heading. */
#ifndef PYPTO_LINT_OPERATOR_MARKDOWN_H
#define PYPTO_LINT_OPERATOR_MARKDOWN_H

#include "operator/front_matter.h"

/* A heading of the heading set. Its title may stand on a later line than its `#`s. */
typedef struct Heading {
    unsigned level; /* 1 … 6 */
    Str title;      /* trimmed, as written */
    uint32_t line;  /* of the `#`s, in the document, from 1 */
} Heading;
typedef VEC(Heading) Headings;

/* The heading set of `body`, whose beginning is line `first_line` of the document. */
Headings markdown_headings(Arena *arena, Str body, uint32_t first_line);
/* The first heading whose title contains `part` in any case (ASCII), or NULL. `part` is trimmed. */
const Heading *headings_find(const Headings *headings, Str part);

typedef struct Section {
    uint32_t line; /* of its heading in the document; 0 = no such heading */
    unsigned level;
    Str title;
    Str raw; /* after the heading line up to the next heading of that or a higher level */
    uint32_t first_line; /* line of the beginning of `raw` */
    Str text;            /* `raw` trimmed; empty = no section, or nothing in it */
} Section;

/* The section of the first one-line heading whose title contains `part` in any case. */
Section markdown_section(Str body, uint32_t first_line, Str part);
/* The first section of the list that is not empty, else the first that exists, else all zero. */
Section markdown_first_section(Str body, uint32_t first_line, const char *const *parts,
                               size_t count);

#endif
