/* What guards say of unknown integers: `n % 16 == 0`, `a == b`, `n <= 128`.
 *
 * An atom that is learned to be something else *stands for* it: a constant, another expression, or
 * a multiple of a new atom (16 · part). Handles made before keep the atom; sym_resolve puts in what
 * it stands for wherever two symbols are compared or divided. */
#include "model/partial.h"
#include "model/sym_table.h"

/* Facts that lead from one to the next: each divisor at least doubles the last one, so there cannot
 * be more steps of use. */
enum { MOST_STEPS = 64 };

/* --- resolving */

static PtsSym stands_for(const PtsSymTable *table, PtsSym a)
{
    const SymNode *node = sym_node(table, a);
    return node->kind == SYM_NODE_ATOM ? node->atom.stands : PTS_SYM_NONE;
}

static PtsSym resolve_term(PtsSymTable *table, SymTerm term, bool *changed)
{
    const SymMonomial monomial = table->monomials.items[term.monomial];
    PtsSym product = sym_constant(table, term.coefficient);
    for (uint32_t i = 0; i < monomial.count && product != PTS_SYM_NONE; i++) {
        PtsSym stands = stands_for(table, monomial.factors[i]);
        *changed = *changed || stands != PTS_SYM_NONE;
        PtsSym factor = stands == PTS_SYM_NONE ? monomial.factors[i] : stands;
        product = sym_multiply(table, product, factor, NULL);
    }
    return product;
}

PtsSym sym_resolve(PtsSymTable *table, PtsSym a)
{
    bool changed = table->facts.count > 0 && sym_node(table, a)->is_unknown;
    for (int step = 0; changed && step < MOST_STEPS; step++) {
        SymTerm own;
        SymSum sum = sym_as_sum(table, a, &own);
        PtsSym whole = sym_constant(table, 0);
        changed = false;
        for (uint32_t i = 0; i < sum.count && whole != PTS_SYM_NONE; i++) {
            PtsSym term = resolve_term(table, sum.terms[i], &changed);
            whole = term == PTS_SYM_NONE ? term : sym_add_scaled(table, whole, term, 1, NULL);
        }
        if (whole == PTS_SYM_NONE) { /* too large: as it was */
            return a;
        }
        a = whole;
    }
    return a;
}

/* --- what a sum can be */

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

/* A lower bound of a product of atoms: 1 or 0; −1 when none is known. */
static int least_of(const PtsSymTable *table, const SymMonomial *monomial)
{
    int least = 1;
    for (uint32_t i = 0; i < monomial->count && least >= 0; i++) {
        int64_t low = sym_node(table, monomial->factors[i])->low;
        least = low < 0 ? -1 : low == 0 ? 0 : least;
    }
    return least;
}

bool sym_is_never_zero(PtsSymTable *table, PtsSym a)
{
    SymTerm own;
    SymSum sum = sym_as_sum(table, sym_resolve(table, a), &own);
    int64_t rest = 0, divisor = 0;
    bool signs[2] = {false, false}, certain = false, bounded = true;
    for (uint32_t i = 0; i < sum.count; i++) {
        SymTerm term = sum.terms[i];
        int least = least_of(table, &table->monomials.items[term.monomial]);
        signs[term.coefficient > 0] = true;
        bounded = bounded && least >= 0;
        certain = certain || least > 0;
        if (term.monomial == SYM_UNIT_MONOMIAL) {
            rest = term.coefficient;
        } else if (term.coefficient != INT64_MIN) {
            divisor = common_divisor(divisor, term.coefficient);
        } else {
            divisor = 1;
        }
    }
    bool remains = divisor == 0 ? rest != 0 : rest % divisor != 0;
    return remains || (bounded && certain && signs[0] != signs[1]);
}

/* --- learning */

/* An unknown integer about which something can be learned. */
static bool is_open_atom(const PtsSymTable *table, PtsSym a)
{
    const SymNode *node = sym_node(table, a);
    return node->kind == SYM_NODE_ATOM && node->is_unknown && a != table->nothing;
}

static void set_fact(PtsSymTable *table, PtsSym atom, PtsSym stands, int64_t low, int64_t high)
{
    SymNode *node = &table->nodes.items[atom];
    SymFact fact = {atom, node->atom.stands, node->low, node->high};
    VEC_PUSH(&table->arena, &table->facts, fact);
    node->atom.stands = stands;
    node->low = low > node->low ? low : node->low;
    node->high = high < node->high ? high : node->high;
}

/* The atom's part: atom = divisor · part. The same one whenever this is learned again. */
static PtsSym part_of(PtsSymTable *table, PtsSym atom, int64_t divisor)
{
    for (uint32_t i = 0; i < table->parts.count; i++) {
        const SymPart *part = &table->parts.items[i];
        if (part->atom == atom && part->divisor == divisor) {
            return part->is;
        }
    }
    const SymNode node = *sym_node(table, atom);
    int64_t low = node.low == INT64_MIN ? INT64_MIN : node.low / divisor + (node.low % divisor > 0);
    int64_t high = node.high == INT64_MAX ? INT64_MAX : node.high / divisor;
    PtsSym part = sym_atom(table, "?", low, high, true);
    VEC_PUSH(&table->arena, &table->parts, ((SymPart){atom, divisor, part}));
    return part;
}

/* The only term whose coefficient `divisor` does not divide, if it is one factor; else false. */
static bool open_term(const PtsSymTable *table, SymSum sum, int64_t divisor, SymTerm *open)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < sum.count; i++) {
        if (sum.terms[i].coefficient % divisor != 0) {
            *open = sum.terms[i];
            count++;
        }
    }
    return count == 1 && table->monomials.items[open->monomial].count == 1;
}

/* Learns that `divisor` divides a. If a is x % n and `divisor` divides n, it divides x as well. */
static void learn_divides(PtsSymTable *table, PtsSym a, int64_t divisor)
{
    for (int step = 0; step < MOST_STEPS && divisor > 1; step++) {
        SymTerm own, open;
        SymSum sum = sym_as_sum(table, sym_resolve(table, a), &own);
        if (!open_term(table, sum, divisor, &open)) {
            return;
        }
        divisor /= common_divisor(open.coefficient, divisor);
        PtsSym factor = table->monomials.items[open.monomial].factors[0];
        const SymNode node = *sym_node(table, factor);
        if (is_open_atom(table, factor)) {
            PtsSym part = sym_multiply(table, sym_constant(table, divisor),
                                       part_of(table, factor, divisor), NULL);
            set_fact(table, factor, part, INT64_MIN, INT64_MAX);
            return;
        }
        bool remainder = node.kind == SYM_NODE_BINARY && node.op == PTS_SYM_MOD &&
                         sym_node(table, node.binary.b)->kind == SYM_NODE_CONSTANT &&
                         sym_node(table, node.binary.b)->value % divisor == 0;
        if (!remainder) {
            return;
        }
        a = node.binary.a;
    }
}

/* Is the sum made of atoms alone, `but` in none of its terms other than `except`? */
static bool is_free_of(const PtsSymTable *table, SymSum sum, PtsSym but, uint32_t except)
{
    for (uint32_t i = 0; i < sum.count; i++) {
        const SymMonomial *monomial = &table->monomials.items[sum.terms[i].monomial];
        for (uint32_t k = 0; k < monomial->count && i != except; k++) {
            if (sym_node(table, monomial->factors[k])->kind != SYM_NODE_ATOM ||
                monomial->factors[k] == but) {
                return false;
            }
        }
    }
    return true;
}

/* a equals b: an unknown atom of them stands for the rest. */
static void learn_equal(PtsSymTable *table, PtsSym a, PtsSym b)
{
    PtsSym difference =
        sym_add_scaled(table, sym_resolve(table, a), sym_resolve(table, b), -1, NULL);
    if (difference == PTS_SYM_NONE) {
        return;
    }
    SymTerm own;
    SymSum sum = sym_as_sum(table, difference, &own);
    for (uint32_t i = sum.count; i-- > 0;) {
        const SymMonomial *monomial = &table->monomials.items[sum.terms[i].monomial];
        int64_t coefficient = sum.terms[i].coefficient;
        PtsSym atom = monomial->count == 1 ? monomial->factors[0] : PTS_SYM_NONE;
        bool fits = atom != PTS_SYM_NONE && (coefficient == 1 || coefficient == -1) &&
                    is_open_atom(table, atom) && is_free_of(table, sum, atom, i);
        PtsSym rest =
            fits ? sym_add_scaled(table, difference, atom, -coefficient, NULL) : PTS_SYM_NONE;
        PtsSym stands = rest == PTS_SYM_NONE ? rest
                        : coefficient < 0
                            ? rest
                            : sym_multiply(table, rest, sym_constant(table, -1), NULL);
        if (stands != PTS_SYM_NONE) {
            const SymNode bounds = *sym_node(table, stands);
            set_fact(table, atom, stands, bounds.low, bounds.high);
            return;
        }
    }
}

/* a is at most b − gap: a bound of the only atom in them. */
static void learn_at_most(PtsSymTable *table, PtsSym a, PtsSym b, int64_t gap)
{
    PtsSym room = sym_add_scaled(table, sym_resolve(table, b), sym_resolve(table, a), -1, NULL);
    if (room == PTS_SYM_NONE) {
        return;
    }
    SymTerm own;
    SymSum sum = sym_as_sum(table, room, &own);
    bool constant = sum.count > 0 && sum.terms[0].monomial == SYM_UNIT_MONOMIAL;
    int64_t rest = constant ? sum.terms[0].coefficient : 0;
    uint32_t last = sum.count - 1;
    if (sum.count != 1U + constant || __builtin_sub_overflow(rest, gap, &rest) ||
        rest == INT64_MIN || sum.terms[last].coefficient == INT64_MIN) {
        return;
    }
    int64_t factor = sum.terms[last].coefficient; /* factor · atom + rest >= 0 */
    const SymMonomial *monomial = &table->monomials.items[sum.terms[last].monomial];
    PtsSym atom = monomial->count == 1 ? monomial->factors[0] : PTS_SYM_NONE;
    if (atom == PTS_SYM_NONE || !is_open_atom(table, atom)) {
        return;
    }
    PtsSym stands = stands_for(table, atom);
    if (factor > 0) {
        set_fact(table, atom, stands, -rest / factor + (-rest % factor > 0), INT64_MAX);
    } else {
        set_fact(table, atom, stands, INT64_MIN, rest / -factor - (rest % factor < 0));
    }
}

void sym_learn(PtsSymTable *table, PtsSym condition, bool truth)
{
    const SymNode node = *sym_node(table, condition);
    bool binary = node.kind == SYM_NODE_BINARY;
    if (!node.is_unknown || condition == table->nothing) {
        return;
    }
    PtsSym zero = sym_constant(table, 0);
    PtsSymOp op = binary ? node.op : PTS_SYM_ADD;
    PtsSym a = condition, b = zero;
    bool equal = !truth; /* a plain number is false when it equals 0 */
    if (binary && op >= PTS_SYM_EQ) {
        a = node.binary.a;
        b = node.binary.b;
        equal = op == (truth ? PTS_SYM_EQ : PTS_SYM_NE);
    }
    const SymNode left = *sym_node(table, a);
    bool whole = equal && b == zero && left.kind == SYM_NODE_BINARY && left.op == PTS_SYM_MOD &&
                 sym_node(table, left.binary.b)->kind == SYM_NODE_CONSTANT;
    if (whole) {
        learn_divides(table, left.binary.a, sym_node(table, left.binary.b)->value);
    } else if (equal) {
        learn_equal(table, a, b);
    } else if (op == PTS_SYM_LT || op == PTS_SYM_LE) {
        bool strict = (op == PTS_SYM_LT) == truth;
        learn_at_most(table, truth ? a : b, truth ? b : a, strict ? 1 : 0);
    }
}

/* --- for callers */

typedef struct LearnCall {
    PtsSymTable *table;
    PtsSym symbol;
    bool truth;
} LearnCall;

static void call_learn(void *argument)
{
    LearnCall *call = argument;
    sym_learn(call->table, call->symbol, call->truth);
}

void pts_learn(PtsContext *context, PtsSym condition, bool truth)
{
    LearnCall call = {pts_context_symbols(context), condition, truth};
    if (condition < call.table->nodes.count) {
        arena_try(&call.table->arena, call_learn, &call); /* without memory: nothing learned */
    }
}

size_t pts_learned(const PtsContext *context)
{
    return pts_context_symbols(context)->facts.count;
}

void pts_unlearn(PtsContext *context, size_t count)
{
    PtsSymTable *table = pts_context_symbols(context);
    while (table->facts.count > count) {
        const SymFact *fact = &table->facts.items[--table->facts.count];
        SymNode *node = &table->nodes.items[fact->atom];
        node->atom.stands = fact->stands;
        node->low = fact->low;
        node->high = fact->high;
    }
}

static void call_resolve(void *argument)
{
    LearnCall *call = argument;
    call->symbol = sym_resolve(call->table, call->symbol);
}

PtsSym pts_sym_resolve(PtsSymTable *table, PtsSym a)
{
    LearnCall call = {.table = table, .symbol = a};
    bool useful = a < table->nodes.count && table->facts.count > 0;
    return useful && arena_try(&table->arena, call_resolve, &call) ? call.symbol : a;
}

static void call_never_zero(void *argument)
{
    LearnCall *call = argument;
    call->truth = sym_is_never_zero(call->table, call->symbol);
}

bool pts_sym_is_never_zero(PtsSymTable *table, PtsSym a)
{
    LearnCall call = {.table = table, .symbol = a};
    return a < table->nodes.count && arena_try(&table->arena, call_never_zero, &call) && call.truth;
}
