/* Symbolic operations with their simplifications. Comparisons are brought to EQ, NE, LT and LE. */
#include "model/sym_table.h"

static PtsSym fail_zero(PtsError *error)
{
    pts_fail(error, PTS_E_VALUE, "division by zero in a symbolic expression");
    return PTS_SYM_NONE;
}

static PtsSym divide(PtsSymTable *table, PtsSymOp op, PtsSym a, PtsSym b, PtsError *error)
{
    a = sym_resolve(table, a);
    b = sym_resolve(table, b);
    const SymNode copies[2] = {*sym_node(table, a), *sym_node(table, b)};
    const SymNode *x = &copies[0], *y = &copies[1]; /* new nodes move the table's */
    bool is_mod = op == PTS_SYM_MOD;
    if (y->kind != SYM_NODE_CONSTANT) {
        return sym_binary_node(table, op, a, b);
    }
    int64_t divisor = y->value;
    if (divisor == 0) {
        return fail_zero(error);
    }
    if (divisor == 1 || divisor == -1) {
        if (is_mod) {
            return sym_constant(table, 0);
        }
        return divisor == 1 ? a : sym_add_scaled(table, sym_constant(table, 0), a, -1, error);
    }
    if (x->kind == SYM_NODE_CONSTANT) {
        return sym_constant(table, is_mod ? x->value % divisor : x->value / divisor);
    }
    int64_t rest;
    if (x->is_unknown && x->low >= 0 && divisor > 0 && sym_remainder(table, a, divisor, &rest)) {
        PtsSym whole = sym_add_scaled(table, a, sym_constant(table, rest), -1, error);
        return is_mod ? sym_constant(table, rest)
               : whole == PTS_SYM_NONE || !sym_divide_exactly(table, whole, divisor, &whole)
                   ? sym_binary_node(table, op, a, b)
                   : whole;
    }
    PtsSym quotient;
    if (sym_divide_exactly(table, a, divisor, &quotient)) {
        return is_mod ? sym_constant(table, 0) : quotient;
    }
    if (x->low >= 0 && divisor > 0 && x->high < divisor) {
        return is_mod ? a : sym_constant(table, 0);
    }
    return sym_binary_node(table, op, a, b);
}

/* The smaller or larger of two when that is known; PTS_SYM_NONE when it is not. */
static PtsSym choose(PtsSymTable *table, PtsSymOp op, PtsSym a, PtsSym b)
{
    int64_t difference;
    const SymNode *x = sym_node(table, a), *y = sym_node(table, b);
    if (x->high <= y->low) {
        return op == PTS_SYM_MIN ? a : b;
    }
    if (y->high <= x->low) {
        return op == PTS_SYM_MIN ? b : a;
    }
    if (sym_known_difference(table, a, b, &difference)) {
        return (difference <= 0) == (op == PTS_SYM_MIN) ? a : b;
    }
    return PTS_SYM_NONE;
}

/* The node of a commutative operation: operands by handle, constants last. */
static PtsSym commutative(PtsSymTable *table, PtsSymOp op, PtsSym a, PtsSym b)
{
    bool a_constant = sym_node(table, a)->kind == SYM_NODE_CONSTANT;
    bool b_constant = sym_node(table, b)->kind == SYM_NODE_CONSTANT;
    bool swap = a_constant != b_constant ? a_constant : a > b;
    return swap ? sym_binary_node(table, op, b, a) : sym_binary_node(table, op, a, b);
}

/* min(min(x, 64), 32) and the like: `b` against the two operands of `a`. */
static PtsSym choose_inside(PtsSymTable *table, PtsSymOp op, PtsSym a, PtsSym b)
{
    SymNode outer = *sym_node(table, a);
    if (outer.kind != SYM_NODE_BINARY || outer.op != op) {
        return PTS_SYM_NONE;
    }
    PtsSym parts[2] = {outer.binary.a, outer.binary.b};
    for (int i = 0; i < 2; i++) {
        PtsSym chosen = choose(table, op, parts[i], b);
        if (chosen == parts[i]) {
            return a;
        }
        if (chosen != PTS_SYM_NONE) {
            PtsSym other = parts[1 - i];
            PtsSym whole = choose(table, op, other, b);
            if (whole != PTS_SYM_NONE) {
                return whole;
            }
            return commutative(table, op, other, b);
        }
    }
    return PTS_SYM_NONE;
}

static PtsSym extreme(PtsSymTable *table, PtsSymOp op, PtsSym a, PtsSym b)
{
    PtsSym chosen = choose(table, op, a, b);
    if (chosen == PTS_SYM_NONE) {
        chosen = choose_inside(table, op, a, b);
    }
    if (chosen == PTS_SYM_NONE) {
        chosen = choose_inside(table, op, b, a);
    }
    if (chosen != PTS_SYM_NONE) {
        return chosen;
    }
    return commutative(table, op, a, b);
}

static bool holds(PtsSymOp op, int64_t difference)
{
    switch (op) {
    case PTS_SYM_EQ:
        return difference == 0;
    case PTS_SYM_NE:
        return difference != 0;
    case PTS_SYM_LT:
        return difference < 0;
    default:
        return difference <= 0;
    }
}

static bool is_comparison(const SymNode *node)
{
    return node->kind == SYM_NODE_BINARY && node->op >= PTS_SYM_EQ;
}

/* The opposite of a comparison node. */
static PtsSym opposite(PtsSymTable *table, PtsSym a)
{
    SymNode node = *sym_node(table, a);
    switch (node.op) {
    case PTS_SYM_EQ:
        return sym_binary_node(table, PTS_SYM_NE, node.binary.a, node.binary.b);
    case PTS_SYM_NE:
        return sym_binary_node(table, PTS_SYM_EQ, node.binary.a, node.binary.b);
    case PTS_SYM_LT:
        return sym_binary_node(table, PTS_SYM_LE, node.binary.b, node.binary.a);
    default:
        return sym_binary_node(table, PTS_SYM_LT, node.binary.b, node.binary.a);
    }
}

/* EQ and NE of a comparison with 0 or 1: the comparison or its opposite. */
static PtsSym compare_truth(PtsSymTable *table, PtsSymOp op, PtsSym a, PtsSym b)
{
    const SymNode *x = sym_node(table, a), *y = sym_node(table, b);
    if (y->kind != SYM_NODE_CONSTANT || !is_comparison(x) ||
        (op != PTS_SYM_EQ && op != PTS_SYM_NE)) {
        return PTS_SYM_NONE;
    }
    if (y->value != 0 && y->value != 1) {
        return sym_constant(table, op == PTS_SYM_NE);
    }
    return (y->value == 1) == (op == PTS_SYM_EQ) ? a : opposite(table, a);
}

/* What the bounds of unknown integers say of a < b or a <= b: 1, 0, or −1 for nothing. */
static int ordered_by_bounds(PtsSymOp op, const SymNode *a, const SymNode *b)
{
    bool open = (op != PTS_SYM_LT && op != PTS_SYM_LE) || !(a->is_unknown || b->is_unknown);
    bool strict = op == PTS_SYM_LT;
    if (open) {
        return -1;
    }
    if (strict ? a->high < b->low : a->high <= b->low) {
        return 1;
    }
    return (strict ? a->low >= b->high : a->low > b->high) ? 0 : -1;
}

static PtsSym compare(PtsSymTable *table, PtsSymOp op, PtsSym a, PtsSym b)
{
    if (op == PTS_SYM_GT || op == PTS_SYM_GE) {
        PtsSym swap = a;
        a = b;
        b = swap;
        op = op == PTS_SYM_GT ? PTS_SYM_LT : PTS_SYM_LE;
    }
    a = sym_resolve(table, a);
    b = sym_resolve(table, b);
    const SymNode *x = sym_node(table, a), *y = sym_node(table, b);
    if (x->kind == SYM_NODE_CONSTANT && y->kind == SYM_NODE_CONSTANT) {
        int order = (x->value > y->value) - (x->value < y->value);
        return sym_constant(table, holds(op, order));
    }
    int64_t difference;
    if (sym_known_difference(table, a, b, &difference)) {
        return sym_constant(table, holds(op, difference));
    }
    int ordered_so = ordered_by_bounds(op, sym_node(table, a), sym_node(table, b));
    if (ordered_so >= 0) {
        return sym_constant(table, ordered_so);
    }
    PtsSym truth = compare_truth(table, op, a, b);
    if (truth == PTS_SYM_NONE) {
        truth = compare_truth(table, op, b, a);
    }
    if (truth != PTS_SYM_NONE) {
        return truth;
    }
    bool ordered = op == PTS_SYM_LT || op == PTS_SYM_LE;
    return ordered ? sym_binary_node(table, op, a, b) : commutative(table, op, a, b);
}

PtsSym sym_binary(PtsSymTable *table, PtsSymOp op, PtsSym a, PtsSym b, PtsError *error)
{
    switch (op) {
    case PTS_SYM_ADD:
        return sym_add_scaled(table, a, b, 1, error);
    case PTS_SYM_SUB:
        return sym_add_scaled(table, a, b, -1, error);
    case PTS_SYM_MUL:
        return sym_multiply(table, a, b, error);
    case PTS_SYM_DIV:
    case PTS_SYM_MOD:
        return divide(table, op, a, b, error);
    case PTS_SYM_MIN:
    case PTS_SYM_MAX:
        return extreme(table, op, a, b);
    default:
        return compare(table, op, a, b);
    }
}

PtsSym sym_not(PtsSymTable *table, PtsSym a, PtsError *error)
{
    return sym_binary(table, PTS_SYM_EQ, a, sym_constant(table, 0), error);
}
