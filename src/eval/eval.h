/* Static evaluation of kernels: what is surely wrong with the Python of a kernel, found without
 * running it (docs/internals/kernel-semantics.md). Nothing unknown gives a finding. */
#ifndef PYPTO_LINT_EVAL_EVAL_H
#define PYPTO_LINT_EVAL_EVAL_H

#include "kernel/product.h"

typedef enum EvalRule {
    EVAL_NAME = 1,        /* KS01: pypto, a tensor or a symbol has no such name */
    EVAL_CALL = 2,        /* KS02: a call that does not fit the signature */
    EVAL_UNBOUND = 3,     /* KS03: a name that is bound nowhere */
    EVAL_DTYPE = 4,       /* KS04: data types that an operation does not take */
    EVAL_SHAPE = 5,       /* KS05: ranks, axes and sizes that do not fit */
    EVAL_MATMUL = 6,      /* KS06: operands of a matrix product */
    EVAL_CUBE_TILE = 7,   /* KS07: the cube tile */
    EVAL_VECTOR_TILE = 8, /* KS08: the vector tile */
    EVAL_WINDOW = 9,      /* KS09: view, slice, assemble, reshape */
    EVAL_INDEXED = 10,    /* KS10: topk, gather, scatter, quantise … */
    EVAL_DYNAMIC = 11,    /* KS11: computing on a tensor with a dynamic axis */
    EVAL_VALUE = 12,      /* KS12: a symbol or tensor where Python needs a value */
    EVAL_STATEMENT = 13,  /* KS13: a statement that a kernel body cannot have */
    EVAL_SIGNATURE = 14,  /* KS14: a signature that a kernel cannot have */
    EVAL_STATE = 15,      /* KS15: read before any write, read and then assembled */
    EVAL_LAUNCH = 17,     /* KS17: a launch that does not fit the signature */
    EVAL_ARGUMENT = 18,   /* KS18: an argument that no kernel takes */
} EvalRule;

typedef struct EvalFinding {
    EvalRule rule;
    NodeId node;          /* what is to blame */
    uint32_t start, end;  /* the part of it to mark, bytes; `end` 0 = the whole node */
    bool certain;         /* false: on a side that only an assumption reaches */
    bool foreign;         /* it takes sizes or data types from another file */
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
    uint32_t launches;     /* launches found, each kind once */
    uint32_t contexts;     /* walks that recorded a kernel, for a launch or from annotations */
    uint32_t whole;        /* those of them that came to the end of the kernel, or to a finding */
    uint32_t recorded;     /* operations that were recorded */
    uint32_t open;         /* operations that were not: something of them is not known */
    NodeId open_at;        /* the first of them in the last walk that had some */
    NodeId stopped_at;     /* where the last walk that did not come to the end stopped */
} Evaluation;

/* Other files that the evaluation may look into. */
typedef struct EvalFinder {
    /* The file of a module that the linted file or another one imports by this name; NULL: none. */
    const PyFile *(*find)(void *context, Str module);
    void *context;
    const Str *tests; /* names of modules with tests of the file, to be looked for launches */
    uint32_t test_count;
} EvalFinder;

/* Evaluates the kernels of a parsed file for that version of PyPTO; `finder` may be NULL. The
 * evaluation's own memory is given back before this returns; the result and its texts live in
 * `arena`, the module must outlive them. Never fails: at a limit it ends with what was found. */
Evaluation eval_file(const PyFile *file, const Product *product, const EvalFinder *finder,
                     Arena *arena);

/* For tests: walks the module as plain Python and gives "NAME = VALUE" for each of its global names
 * whose value is known, one a line, in the form of Python's repr, sorted by name; in `arena`. */
Str eval_dump(const PyFile *file, Arena *arena);

/* Is a construct legal that only the front end of 9.2 takes? */
typedef enum Newer {
    NEWER_FINE,     /* that is the kernel's front end */
    NEWER_DOUBTFUL, /* nobody says which version it is */
    NEWER_WRONG,
} Newer;
Newer eval_kernel_newer(const Product *product, const Module *module, NodeId kernel);

#endif
