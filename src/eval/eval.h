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
    EVAL_CARRIED = 16,    /* KS16: state that does not last from one iteration to the next */
    EVAL_LAUNCH = 17,     /* KS17: a launch that does not fit the signature */
    EVAL_ARGUMENT = 18,   /* KS18: an argument that no kernel takes */
    EVAL_ADVICE = 19,     /* KS19: what the recorder warns of */
    EVAL_RAISED = 20,     /* KS20: an assert or raise that is surely reached */
} EvalRule;

/* Another place that a finding is about; `file` NULL: the linted one. */
typedef struct EvalRelated {
    const PyFile *file;
    NodeId node;
    Str en, zh;
} EvalRelated;
typedef VEC(EvalRelated) EvalRelatedList;

/* A change of the linted file, bytes; to be confirmed by whoever knows what was meant. */
typedef struct EvalEdit {
    uint32_t start, end;
    Str text;
} EvalEdit;
typedef VEC(EvalEdit) EvalEdits;

typedef struct EvalFinding {
    EvalRule rule;
    NodeId node;   /* what is to blame */
    uint32_t unit; /* the file that it is in: 0 = the linted one, else `file` */
    const PyFile *file;
    uint32_t start, end;  /* the part of it to mark, bytes; `end` 0 = the whole node */
    bool certain;         /* false: on a side that only an assumption reaches */
    bool foreign;         /* it takes sizes or data types from another file */
    bool note;            /* nothing is wrong; told once a file */
    bool one_chip;        /* only one of the chips that it may be for refuses it */
    Str en, zh;           /* the message, in the arena of the caller */
    Str hint_en, hint_zh; /* what to write instead; empty = what the rule says */
    Str name;             /* the name that does not exist, else empty */
    Strs near;            /* names that it may be a misspelling of: those that exist there */
    EvalRelatedList related;
    EvalEdits edits; /* that make the kernel pass this place; may be none */
    bool safe;       /* they change nothing else */
} EvalFinding;
typedef VEC(EvalFinding) EvalFindings;

/* What ended a walk of a kernel before its end. */
typedef enum EvalLimit {
    EVAL_NO_LIMIT, /* something is not known, and what follows depends on it */
    EVAL_LIMIT_STEPS,
    EVAL_LIMIT_FILE, /* steps of the file */
    EVAL_LIMIT_OPERATIONS,
    EVAL_LIMIT_PATHS,
    EVAL_LIMIT_NESTING,
    EVAL_LIMIT_MEMORY,
    EVAL_LIMIT_KERNELS, /* more kernels or launches than are looked at */
} EvalLimit;

/* A kernel that was not walked to its end. */
typedef struct EvalUnfinished {
    NodeId kernel, at; /* `at`: where the walk stopped; may be the kernel itself */
    EvalLimit limit;
} EvalUnfinished;
typedef VEC(EvalUnfinished) EvalUnfinishedList;

/* What is known of an assignment or a call of a kernel, for hovers and `--show-types`. Where paths,
 * turns or launches differ, a text has all of them: "[8, 64] | [16, 64]", with "?" for those that
 * are not known. */
typedef struct EvalFact {
    uint32_t start, end; /* bytes in the source: the name that is assigned, or the whole call */
    NodeId node;
    const char *kind; /* "tensor", "symbol", "int", …, "unknown"; static */
    Str name;         /* of an assignment; empty for a call */
    Str shape, dtype; /* of a tensor: "[8, n]", "DT_FP32"; empty = not known */
    Str value;        /* of numbers, lists, symbols; empty = not known, or a tensor */
    Str tile;         /* of a call: the tile of its (last) operation; empty = none, or not known */
    int64_t ub;       /* bytes that one tile takes of the unified buffer; 0 = not known */
} EvalFact;
typedef VEC(EvalFact) EvalFacts;

enum { EVAL_MEMORIES = 6, EVAL_TILE_CHOICES = 5, EVAL_MOST_TILINGS = 2000 /* of a file */ };

/* A tile as the call that sets it: "pypto.set_vec_tile_shapes(8, 512)". */
typedef struct EvalTile {
    Str call;
    int64_t needs[EVAL_MEMORIES]; /* bytes that it takes in UB, L1, L0A, L0B, L0C, BT */
    double tiles;                 /* how many tiles there are */
    double cycles;                /* of one core, by the cost model of traces */
} EvalTile;

/* An operation of a kernel with its tile, and with those that it could have. */
typedef struct EvalTiling {
    NodeId node;
    uint32_t start, end; /* bytes in the source: the call */
    Str kernel;
    Str sizes;             /* "[64, 512]": the widest tensor's; of a product "[m, k, n]" */
    const char *operation; /* static */
    int64_t capacity[EVAL_MEMORIES]; /* 0: not known */
    EvalTile now, choices[EVAL_TILE_CHOICES];
    int count; /* of choices, cheapest first */
} EvalTiling;
typedef VEC(EvalTiling) EvalTilings;

typedef struct Evaluation {
    EvalFindings findings; /* by node, then rule; each pair once */
    uint32_t kernels;      /* kernels walked */
    uint32_t ended;        /* those of them that a limit ended */
    uint32_t launches;     /* launches found, each kind once */
    uint32_t contexts;     /* walks that recorded a kernel, for a launch or from annotations */
    uint32_t whole;        /* those of them that came to the end of the kernel, or to a finding */
    uint32_t recorded;     /* operations that were recorded */
    uint32_t open;         /* operations that were not: something of them is not known */
    uint32_t operations;   /* all of them; and those of whose tensors */
    uint32_t dtype_known, rank_known, shape_known; /* all that is known */
    EvalUnfinishedList unfinished;                 /* each kernel once */
    EvalFacts facts;                               /* if asked for; in the order they were met */
    EvalTilings tilings;                           /* likewise */
    NodeId open_at;    /* the first of them in the last walk that had some */
    NodeId stopped_at; /* where the last walk that did not come to the end stopped */
} Evaluation;

/* Other files that the evaluation may look into. */
typedef struct EvalFinder {
    /* The file of a module that the linted file or another one imports by this name; NULL: none. */
    const PyFile *(*find)(void *context, Str module);
    void *context;
    const Str *tests; /* names of modules with tests of the file, to be looked for launches */
    uint32_t test_count;
} EvalFinder;

/* What a file is evaluated for. */
typedef struct EvalRequest {
    const Product *product;   /* the version of PyPTO */
    Str soc;                  /* the hardware, terminated; empty = not named: see EvalFinding */
    const EvalFinder *finder; /* other files; NULL = none */
    bool facts;               /* Evaluation.facts is wanted, too */
} EvalRequest;

/* Evaluates the kernels of a parsed file. The evaluation's own memory is given back before this
 * returns; the result and its texts live in `arena`, the modules must outlive them. Never fails: at
 * a limit it ends with what was found. */
Evaluation eval_file(const PyFile *file, const EvalRequest *request, Arena *arena);

/* The innermost of the facts that cover a byte of the source, or NULL: what a language server shows
 * for the place under the pointer. */
const EvalFact *eval_fact_at(const Evaluation *evaluation, uint32_t offset);

/* The names of the hardware that kernels can be evaluated for, sorted, until NULL. */
const char *eval_hardware(size_t index);

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
