/* Caret: where a place in Python text is, by its words and brackets alone, as the text is seldom
 * whole while somebody types. */
#ifndef PYPTO_LINT_SERVER_CARET_H
#define PYPTO_LINT_SERVER_CARET_H

#include "base/str.h"

typedef struct Caret {
    bool in_text; /* in a comment or a string */
    Str word;     /* the identifier at the place, both sides of it; may be empty */
    uint32_t word_start;
    Str chain;          /* the same with the names and dots before it: "pypto.experimental.nop" */
    bool in_call;       /* between the brackets of a call */
    Str callee;         /* its dotted name; may be empty */
    uint32_t call_open; /* behind its bracket */
    uint32_t argument;  /* commas before the place */
    Str keyword;        /* of the argument at the place; empty without one */
    bool at_argument;   /* nothing but the word is there of the argument */
} Caret;

Caret caret_at(Str text, uint32_t offset);

/* The name below pypto, by whatever name the file knows it, that a chain means; false for another
 * one. */
bool below_pypto(Str text, Str chain, Str *name);

#endif
