/* Caret: what is at a place in Python text, judged by words and brackets alone, because text is
 * seldom complete while somebody types. */
#ifndef PYPTO_LINT_SERVER_CARET_H
#define PYPTO_LINT_SERVER_CARET_H

#include "base/str.h"

typedef struct Caret {
    bool in_text; /* in a comment or a string */
    Str word;     /* the identifier around the place; may be empty */
    uint32_t word_start;
    Str chain;          /* `word` with the names and dots before it: "pypto.experimental.nop" */
    bool in_call;       /* between the brackets of a call */
    Str callee;         /* its dotted name; may be empty */
    uint32_t call_open; /* offset after its bracket */
    uint32_t argument;  /* commas before the place */
    Str keyword;        /* of the argument at the place; empty without one */
    bool at_argument;   /* the argument so far is only the word */
} Caret;

Caret caret_at(Str text, uint32_t offset);

/* The name below pypto that a chain refers to, also if the file imports pypto under another name;
 * false when the chain is not below pypto. */
bool below_pypto(Str text, Str chain, Str *name);

#endif
