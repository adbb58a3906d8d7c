/* OutputWrites: which names a function of a file writes to, and what it writes into them: the
 * forms of pypto (`pypto.assemble(source, offsets, name)`, `name[...] = source`,
 * `name.move(source)` …) and the table of where a value comes from. Used by the rule about outputs
 * that are not written; the forms are listed on its page.
 *
 * `pypto` means the literal name here, not an alias. */
#ifndef PYPTO_LINT_RULES_OUTPUT_WRITES_H
#define PYPTO_LINT_RULES_OUTPUT_WRITES_H

#include "kernel/kernel.h"
#include "rules/names.h"

/* --- names that are written */

/* Distinct names in the order in which they were added. */
typedef struct NameSet {
    NameTable table;
    Strs order;
} NameSet;

/* Adds every name that the subtree of `root` writes to in any of the recognised forms. */
void written_names(NameSet *set, const Module *module, NodeId root);
/* Adds every name that the subtree may change in place in any way: written_names, in-place methods,
 * `name op= …`, and names handed to a function of the file. */
void modified_names(NameSet *set, const PyFile *file, NodeId root);

/* --- what is written */

/* Where a value comes from, as far as one expression tells. The first two are never trivial. */
typedef enum OriginKind {
    ORIGIN_ACCUMULATED, /* an in-place operator: adds to what is there */
    ORIGIN_COMPUTED,    /* a call, an operator, a constant: anything that is not below */
    ORIGIN_NAME,        /* `name` */
    ORIGIN_PART,        /* `name[…]` */
    ORIGIN_LAYOUT,      /* `pypto.view(name, …)`, `name.clone()` */
    ORIGIN_BUFFER,      /* `pypto.zeros(…)` and the like; without name */
} OriginKind;

typedef struct Origin {
    OriginKind kind;
    Str name;
} Origin;

Origin origin_of(const Module *module, NodeId expression);

typedef struct Write {
    Str target;
    Origin origin;
    NodeId place;   /* the statement or call */
    NodeId source;  /* the expression written, NO_NODE when accumulated */
    uint64_t level; /* of `place`, in level order */
    uint32_t next;  /* index of the next write with another target or origin */
} Write;

/* Functions that one function calls, the last call first: more are never followed. */
enum { MAX_FOLLOWED = 18 };

/* What one function (its whole subtree) writes and calls. */
typedef struct FunctionWrites {
    Write *items; /* sorted by target, origin, level, source */
    uint32_t count;
    NodeId callees[MAX_FOLLOWED]; /* nodes of graph M, each once */
    uint32_t callee_count;
} FunctionWrites;

/* Everything in the arena. Linear in the subtree, but for sorting. */
FunctionWrites function_writes(const PyFile *file, Arena *arena, NodeId function);
/* Index of the first write to `target`; `writes->count` or a write to another name if none. */
uint32_t writes_find(const FunctionWrites *writes, Str target);

#endif
