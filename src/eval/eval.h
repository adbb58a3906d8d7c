/* Static evaluation of kernels: finds what is surely wrong in the Python code of a kernel without
 * running it (docs/internals/kernel-semantics.md). Unknown values never give a finding. */
#ifndef PYPTO_LINT_EVAL_EVAL_H
#define PYPTO_LINT_EVAL_EVAL_H

#include "kernel/product.h"

typedef enum EvalRule {
    EVAL_NAME = 1,        /* KS01: pypto, a tensor or a symbol has no such name */
    EVAL_CALL = 2,        /* KS02: a call that does not match the signature */
    EVAL_UNBOUND = 3,     /* KS03: a name that is bound nowhere */
    EVAL_DTYPE = 4,       /* KS04: data types that an operation does not accept */
    EVAL_SHAPE = 5,       /* KS05: ranks, axes and sizes that do not match */
    EVAL_MATMUL = 6,      /* KS06: operands of a matmul */
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
    EVAL_LAUNCH = 17,     /* KS17: a launch that does not match the signature */
    EVAL_ARGUMENT = 18,   /* KS18: an argument that no kernel accepts */
    EVAL_ADVICE = 19,     /* KS19: warnings of the recorder */
    EVAL_RAISED = 20,     /* KS20: an assert or raise that is always triggered */
} EvalRule;

/* Another place that a finding is about; `file` NULL: the linted one. */
typedef struct EvalRelated {
    const PyFile *file;
    NodeId node;
    Str en, zh;
} EvalRelated;
typedef VEC(EvalRelated) EvalRelatedList;

/* A change of the linted file, in bytes; a suggestion unless EvalFinding.safe. */
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
    bool certain;         /* false: in a branch reached only under an assumption */
    bool foreign;         /* it depends on sizes or data types from another file */
    bool note;            /* nothing is wrong; reported once for a file */
    bool one_chip;        /* only one of the possible chips refuses it */
    uint32_t code;        /* of the recorder's error; 0 = none */
    Str en, zh;           /* the message, in the arena of the caller */
    Str hint_en, hint_zh; /* what to write instead; empty = the rule's own hint */
    Str name;             /* the name that does not exist, else empty */
    Strs near;            /* existing names that it may be a misspelling of */
    EvalRelatedList related;
    EvalEdits edits; /* edits that repair this place; may be none */
    bool safe;       /* the edits change nothing else */
} EvalFinding;
typedef VEC(EvalFinding) EvalFindings;

/* What ended a walk of a kernel before its end. */
typedef enum EvalLimit {
    EVAL_NO_LIMIT, /* something unknown that the rest depends on */
    EVAL_LIMIT_STEPS,
    EVAL_LIMIT_FILE, /* steps of the file */
    EVAL_LIMIT_OPERATIONS,
    EVAL_LIMIT_PATHS,
    EVAL_LIMIT_NESTING,
    EVAL_LIMIT_MEMORY,
    EVAL_LIMIT_UNBOUND, /* a name in it is bound nowhere: nothing that it stands for is known */
    EVAL_LIMIT_KERNELS, /* more kernels or launches than are evaluated */
} EvalLimit;

/* A kernel that was not walked to its end. */
typedef struct EvalUnfinished {
    NodeId kernel, at; /* `at`: where the walk stopped; may be the kernel itself */
    EvalLimit limit;
} EvalUnfinished;
typedef VEC(EvalUnfinished) EvalUnfinishedList;

/* What is known about an assignment or a call in a kernel, for hovers and `--show-types`. Where
 * paths, iterations or launches differ, a text lists all variants: "[8, 64] | [16, 64]", with "?"
 * for unknown ones. */
typedef struct EvalFact {
    uint32_t start, end; /* bytes in the source: the assigned name, or the whole call */
    NodeId node;
    const char *kind; /* "tensor", "symbol", "int", …, "unknown"; static */
    Str name;         /* of an assignment; empty for a call */
    Str shape, dtype; /* of a tensor: "[8, n]", "DT_FP32"; empty = not known */
    Str value;        /* of numbers, lists, symbols; empty = not known, or a tensor */
    Str tile;         /* of a call: the tile of its last operation; empty = none or unknown */
    int64_t ub;       /* bytes of one tile in the unified buffer; 0 = not known */
} EvalFact;
typedef VEC(EvalFact) EvalFacts;

enum { EVAL_MEMORIES = 6, EVAL_TILE_CHOICES = 5, EVAL_MOST_TILINGS = 2000 /* of a file */ };

/* A tile as the call that sets it: "pypto.set_vec_tile_shapes(8, 512)". */
typedef struct EvalTile {
    Str call;
    int64_t needs[EVAL_MEMORIES]; /* bytes that it needs in UB, L1, L0A, L0B, L0C, BT */
    double tiles;                 /* how many tiles there are */
    double cycles;                /* on one core, by the cost model of traces */
    double loads, loaded;         /* transactions of MTE2, and their bytes */
    Str change; /* of the tile in force: "8 → 32", "m 16 → 64, kL1 64 → 128" */
} EvalTile;

/* An operation of a kernel with its tile and alternatives to it. */
typedef struct EvalTiling {
    NodeId node;
    uint32_t start, end; /* bytes in the source: the call */
    Str kernel;
    Str sizes;             /* "[64, 512]": of the widest tensor; for a matmul "[m, k, n]" */
    const char *operation; /* static */
    int64_t capacity[EVAL_MEMORIES]; /* 0: not known */
    EvalTile now, choices[EVAL_TILE_CHOICES];
    int count; /* of choices, cheapest first */
} EvalTiling;
typedef VEC(EvalTiling) EvalTilings;

typedef struct Evaluation {
    EvalFindings findings; /* by node, then rule; each pair once */
    uint32_t kernels;      /* kernels walked */
    uint32_t ended;        /* walks of kernels that a limit ended */
    uint32_t launches;     /* launches found, each kind once */
    uint32_t contexts;     /* walks that recorded a kernel, for a launch or from annotations */
    uint32_t whole;        /* walks that reached the end of the kernel, or a finding */
    uint32_t recorded;     /* recorded operations */
    uint32_t open;         /* operations not recorded, because something is not known */
    uint32_t operations;   /* all operations; and of those, how many */
    uint32_t dtype_known, rank_known, shape_known; /* have only tensors of known … */
    EvalUnfinishedList unfinished;                 /* each kernel once */
    EvalFacts facts;                               /* if requested; in the order they were met */
    EvalTilings tilings;                           /* likewise */
    NodeId open_at;    /* the first operation not recorded in the last walk that had one */
    NodeId stopped_at; /* where the last incomplete walk stopped */
} Evaluation;

/* Access to other files for the evaluation. */
typedef struct EvalFinder {
    /* The file of a module that the linted file, or a file found here, imports by this name; NULL:
     * none. */
    const PyFile *(*find)(void *context, Str module);
    void *context;
    const Str *tests; /* names of modules with tests of the file, which are searched for launches */
    uint32_t test_count;
    /* As `find`, for a module of `tests`, which may be skimmed (pyfile_skim); NULL: use `find`. */
    const PyFile *(*find_test)(void *context, Str module);
} EvalFinder;

/* What a file is evaluated for. */
typedef struct EvalRequest {
    const Product *product; /* the version of PyPTO */
    Str soc; /* the chip, NUL-terminated; empty = not named: see EvalFinding.one_chip */
    const EvalFinder *finder; /* other files; NULL = none */
    bool facts;               /* also collect Evaluation.facts and tilings */
} EvalRequest;

/* Evaluates the kernels of a parsed file. The evaluation's own memory is freed before this returns;
 * the result and its texts are in `arena`, and the modules must outlive them. At a limit it ends
 * with what was found. If the system has no memory, that is noted as an I/O error, or `arena`
 * fails. */
Evaluation eval_file(const PyFile *file, const EvalRequest *request, Arena *arena);

/* The innermost fact that covers a byte of the source, or NULL. */
const EvalFact *eval_fact_at(const Evaluation *evaluation, uint32_t offset);

/* The names of the chips that kernels can be evaluated for, sorted; NULL after the last one. */
const char *eval_hardware(size_t index);

/* For tests: walks the module as plain Python and returns, in `arena`, a line "NAME = VALUE" for
 * each global name of known value, as Python's repr writes it, sorted by name. */
Str eval_dump(const PyFile *file, Arena *arena);

/* Is a construct allowed that only the front end of 9.2 accepts? */
typedef enum Newer {
    NEWER_FINE,     /* yes: it is the kernel's front end */
    NEWER_DOUBTFUL, /* the version is not named */
    NEWER_WRONG,
} Newer;
Newer eval_kernel_newer(const Product *product, const Module *module, NodeId kernel);

#endif
