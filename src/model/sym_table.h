/* The symbol table's nodes. Private to sym*.c.
 *
 * A node is a constant, an atom, a binary operation other than a polynomial, or a polynomial: a sum
 * of coefficient · monomial over atoms and binary operations. Nodes are unique, so equal handles
 * mean equal values; a node's parts always have smaller handles than the node. */
#ifndef PTOSIM_SYM_TABLE_H
#define PTOSIM_SYM_TABLE_H

#include "model/error.h"
#include "model/sym.h"

#include "base/arena.h"
#include "base/vec.h"

/* Beyond these an expression is refused: nobody writes it, and a kernel that multiplies a symbol by
 * itself in a loop must not take the memory. */
enum { SYM_MAX_TERMS = 1024, SYM_MAX_DEGREE = 64 };

/* The monomial of constant terms. */
#define SYM_UNIT_MONOMIAL 0u

typedef enum SymNodeKind {
    SYM_NODE_CONSTANT,
    SYM_NODE_ATOM,
    SYM_NODE_BINARY,
    SYM_NODE_SUM
} SymNodeKind;

typedef struct SymTerm {
    int64_t coefficient; /* never 0 */
    uint32_t monomial;
} SymTerm;

/* A product of nodes other than sums and constants, ascending, repeated for powers. */
typedef struct SymMonomial {
    const PtsSym *factors;
    uint32_t count, hash;
    uint32_t next; /* in its chain of the hash table, + 1; 0 = end */
} SymMonomial;

typedef struct SymCode SymCode; /* see sym_eval.c */

typedef struct SymNode {
    SymNodeKind kind;
    PtsSymOp op;     /* of BINARY: DIV MOD MIN MAX EQ NE LT LE */
    bool is_unknown; /* an atom of it is an integer that only the caller does not know */
    uint32_t hash, next;
    int64_t low, high; /* bounds of its value; INT64_MIN and INT64_MAX = unknown */
    union {
        int64_t value;
        struct {
            PtsAtom number;
            PtsSym
                stands; /* for which expression, as a guard said (sym_learn.c); or PTS_SYM_NONE */
            const char *name;
        } atom;
        struct {
            PtsSym a, b;
        } binary;
        struct {
            const SymTerm *terms; /* ascending by monomial */
            uint32_t count;
        } sum;
    };
    const SymCode *code;      /* how to evaluate it; NULL = not compiled yet */
    uint32_t stamp, position; /* used while compiling */
} SymNode;

/* What an atom was before a guard said something of it. */
typedef struct SymFact {
    PtsSym atom, stands;
    int64_t low, high;
} SymFact;

/* atom = divisor · is, while that is learned. */
typedef struct SymPart {
    PtsSym atom;
    int64_t divisor;
    PtsSym is;
} SymPart;

struct PtsSymTable {
    Arena arena;
    VEC(SymNode) nodes;
    VEC(SymMonomial) monomials;
    uint32_t *node_chains, *monomial_chains;         /* heads, + 1 */
    uint32_t node_chain_count, monomial_chain_count; /* powers of two */
    uint32_t atom_count, stamp;
    VEC(SymFact) facts; /* the last one is forgotten first */
    VEC(SymPart) parts;
    PtsSym nothing;   /* see pts_sym_nothing; PTS_SYM_NONE = not made */
    int64_t *scratch; /* values while evaluating */
    size_t scratch_count;
    uint64_t cost; /* see pts_sym_cost */
};

/* A polynomial on its way to a node. */
typedef struct SymSum {
    const SymTerm *terms;
    uint32_t count;
} SymSum;

/* All below may leave through the table's guard. */
const SymNode *sym_node(const PtsSymTable *table, PtsSym a);
PtsSym sym_constant(PtsSymTable *table, int64_t value);
/* A new symbol with bounds; NULL names are empty. */
PtsSym sym_atom(PtsSymTable *table, const char *name, int64_t low, int64_t high, bool is_unknown);
PtsSym sym_binary_node(PtsSymTable *table, PtsSymOp op, PtsSym a, PtsSym b);
/* The node of a sum whose terms ascend without zeros; may be a constant or a factor itself. */
PtsSym sym_from_sum(PtsSymTable *table, SymSum sum);
/* The number of the product of two monomials; false when its degree is too high. */
bool sym_monomial_product(PtsSymTable *table, uint32_t a, uint32_t b, uint32_t *product);
/* Any node as a sum, without copying: its terms are the node's, or `*own`. */
SymSum sym_as_sum(PtsSymTable *table, PtsSym a, SymTerm *own);

/* sym_sum.c: PTS_SYM_NONE with an error (which may be NULL) when a coefficient overflows. */
PtsSym sym_add_scaled(PtsSymTable *table, PtsSym a, PtsSym b, int64_t factor, PtsError *error);
PtsSym sym_multiply(PtsSymTable *table, PtsSym a, PtsSym b, PtsError *error);
/* True, and a − b, when that is the same for all values of the atoms. */
bool sym_known_difference(PtsSymTable *table, PtsSym a, PtsSym b, int64_t *difference);
/* True, and the quotient, when `divisor` divides every coefficient. */
bool sym_divide_exactly(PtsSymTable *table, PtsSym a, int64_t divisor, PtsSym *quotient);
/* True, and what is left of it, when `divisor` (> 0) divides every coefficient but the constant. */
bool sym_remainder(PtsSymTable *table, PtsSym a, int64_t divisor, int64_t *rest);

/* sym_learn.c: the symbol with what its atoms stand for. */
PtsSym sym_resolve(PtsSymTable *table, PtsSym a);
/* Learns that the condition is true, or false. */
void sym_learn(PtsSymTable *table, PtsSym condition, bool truth);
/* Is it other than 0 for all values of its atoms, as signs and divisors show? */
bool sym_is_never_zero(PtsSymTable *table, PtsSym a);

/* sym_fold.c: the operation, simplified. */
PtsSym sym_binary(PtsSymTable *table, PtsSymOp op, PtsSym a, PtsSym b, PtsError *error);
PtsSym sym_not(PtsSymTable *table, PtsSym a, PtsError *error);

#endif
