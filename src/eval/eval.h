/* Static evaluation of kernels: what is surely wrong with the Python of a kernel, found without
 * running it (docs/internals/kernel-semantics.md). Nothing unknown gives a finding. */
#ifndef PYPTO_LINT_EVAL_EVAL_H
#define PYPTO_LINT_EVAL_EVAL_H

#include "kernel/product.h"

typedef enum EvalRule {
    EVAL_NAME = 1,       /* KS01: pypto, a tensor or a symbol has no such name */
    EVAL_CALL = 2,       /* KS02: a call that does not fit the signature */
    EVAL_UNBOUND = 3,    /* KS03: a name that is bound nowhere */
    EVAL_VALUE = 12,     /* KS12: a symbol or tensor where Python needs a value */
    EVAL_STATEMENT = 13, /* KS13: a statement that a kernel body cannot have */
    EVAL_SIGNATURE = 14, /* KS14: a signature that a kernel cannot have */
} EvalRule;

typedef struct EvalFinding {
    EvalRule rule;
    NodeId node;          /* what is to blame */
    uint32_t start, end;  /* the part of it to mark, bytes; `end` 0 = the whole node */
    bool certain;         /* false: on a side that only an assumption reaches */
    bool note;            /* nothing is wrong; told once a file */
    Str en, zh;           /* the message, in the arena of the caller */
    Str hint_en, hint_zh; /* what to write instead; empty = what the rule says */
    Str name;             /* the name that does not exist, else empty */
    Strs near;            /* names that it may be a misspelling of: those that exist there */
} EvalFinding;
typedef VEC(EvalFinding) EvalFindings;

typedef struct Evaluation {
    EvalFindings findings; /* by node, then rule; each pair once */
    uint32_t kernels;      /* kernels walked */
    uint32_t ended;        /* those of them that a limit ended */
} Evaluation;

/* Evaluates the kernels of a parsed file for that version of PyPTO. The evaluation's own memory
 * is given back before this returns; the result and its texts live in `arena`, the module must
 * outlive them. Never fails: at a limit it ends with what was found. */
Evaluation eval_file(const PyFile *file, const Product *product, Arena *arena);

/* For tests: walks the module as plain Python and gives "NAME = VALUE" for each of its global names
 * whose value is known, one a line, in the form of Python's repr, sorted by name; in `arena`. */
Str eval_dump(const PyFile *file, Arena *arena);

#endif
