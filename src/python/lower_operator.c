/* Lowering of operators: binary, boolean, comparison, unary. */
#include "python/lower.h"

static ExprOperator operator_of(Str text)
{
    for (int op = OPERATOR_ADD; op <= OPERATOR_OR; op++) {
        const char *sign = operator_sign((ExprOperator)op);
        if (sign != NULL && str_is(text, sign)) {
            return (ExprOperator)op;
        }
    }
    return OPERATOR_NONE;
}

/* --- `&` `^` `|`: the parser binds `^` tighter than `&`, and `A[b] | "c" | d` in annotations to
 * the right. Chains of them are flattened and built anew. */

typedef struct BitChain {
    VEC(Child) operands;
    VEC(Child) operators; /* one fewer */
} BitChain;

static bool is_bit_operator(const Lower *lower, Child token)
{
    char c = lower->text[token.start];
    return token.end - token.start == 1 && (c == '&' || c == '^' || c == '|');
}

/* Splits `child` at its operator if it is an unparenthesised bit operation. */
static bool split_bits(Lower *lower, Child child, Child *left, Child *token, Child *right)
{
    while (child.symbol == SYMBOL_TYPE) {
        Children inner = lower_children(lower, child.node);
        child = lower_child(lower, inner, 0);
        lower_release(lower, inner);
    }
    if (child.symbol != SYMBOL_BINARY_OPERATOR && child.symbol != SYMBOL_UNION_TYPE) {
        return false;
    }
    Children parts = lower_children(lower, child.node);
    *left = lower_child(lower, parts, 0);
    *token = lower_child(lower, parts, 1);
    *right = lower_child(lower, parts, 2);
    lower_release(lower, parts);
    return is_bit_operator(lower, *token);
}

static void flatten_bits(Lower *lower, Child child, BitChain *chain)
{
    /* In-order without recursion: what is still to be visited, the next on top. Operators are
     * tokens. */
    VEC(Child) work = {0};
    VEC_PUSH(lower->arena, &work, child);
    while (work.count > 0) {
        Child next = work.items[--work.count];
        Child left;
        Child token;
        Child right;
        if (next.symbol == SYMBOL_ANONYMOUS) {
            VEC_PUSH(lower->arena, &chain->operators, next);
        } else if (split_bits(lower, next, &left, &token, &right)) {
            VEC_PUSH(lower->arena, &work, right);
            VEC_PUSH(lower->arena, &work, token);
            VEC_PUSH(lower->arena, &work, left);
        } else {
            VEC_PUSH(lower->arena, &chain->operands, next);
        }
    }
}

static int bit_strength(char c)
{
    return c == '|' ? 0 : c == '^' ? 1 : 2;
}

/* Operands from..to (inclusive): the last of the weakest operators is the root. */
static void build_bits(Lower *lower, const BitChain *chain, uint32_t from, uint32_t to, Role role)
{
    if (from == to) {
        lower_expression(lower, chain->operands.items[from], role, 0);
        return;
    }
    uint32_t root = to - 1;
    for (uint32_t i = to; i-- > from;) {
        if (bit_strength(lower->text[chain->operators.items[i].start]) <
            bit_strength(lower->text[chain->operators.items[root].start])) {
            root = i;
        }
    }
    NodeId id = lower_open(lower, NODE_BIN_OP, role, chain->operands.items[from].start,
                           chain->operands.items[to].end);
    uint32_t token = chain->operators.items[root].start;
    lower->nodes.items[id].op = (uint8_t)operator_of(lower_text(lower, token, token + 1));
    lower->nodes.items[id].extra = token;
    build_bits(lower, chain, from, root, ROLE_LEFT);
    build_bits(lower, chain, root + 1, to, ROLE_RIGHT);
    lower_close(lower, id);
}

void lower_bits(Lower *lower, Child child, Role role)
{
    BitChain chain = {0};
    flatten_bits(lower, child, &chain);
    build_bits(lower, &chain, 0, chain.operands.count - 1, role);
}

void lower_binary(Lower *lower, Child child, Role role)
{
    Child token = lower_nth(lower, child, 1);
    if (is_bit_operator(lower, token)) {
        lower_bits(lower, child, role);
        return;
    }
    NodeId id = lower_open(lower, NODE_BIN_OP, role, child.start, child.end);
    lower->nodes.items[id].op = (uint8_t)operator_of(lower_text(lower, token.start, token.end));
    lower->nodes.items[id].extra = token.start;
    lower_expression(lower, lower_nth(lower, child, 0), ROLE_LEFT, 0);
    lower_expression(lower, lower_nth(lower, child, 2), ROLE_RIGHT, 0);
    lower_close(lower, id);
}

/* `a and b and c` is one BoolOp with three values; the parser nests it to the left. */
void lower_boolean(Lower *lower, Child child, Role role)
{
    uint32_t mark = lower->stack.count;
    VEC(Child) operands = {0};
    Child token = {.symbol = SYMBOL_OTHER};
    ExprOperator op = OPERATOR_NONE;
    Child left = child;
    for (;;) {
        Children parts = lower_children(lower, left.node);
        token = lower_child(lower, parts, 1);
        ExprOperator this_op = operator_of(lower_text(lower, token.start, token.end));
        if (op != OPERATOR_NONE && this_op != op) {
            lower_release(lower, parts);
            break;
        }
        op = this_op;
        Child right = lower_child(lower, parts, 2);
        VEC_PUSH(lower->arena, &operands, right);
        left = lower_child(lower, parts, 0);
        lower_release(lower, parts);
        if (left.symbol != SYMBOL_BOOLEAN_OPERATOR) {
            break;
        }
    }
    NodeId id = lower_open(lower, NODE_BOOL_OP, role, child.start, child.end);
    lower->nodes.items[id].op = (uint8_t)op;
    lower_expression(lower, left, ROLE_VALUE, 0);
    while (operands.count > 0) {
        lower_expression(lower, operands.items[--operands.count], ROLE_VALUE, 0);
    }
    lower_close(lower, id);
    lower->stack.count = mark;
}

void lower_comparison(Lower *lower, Child child, Role role)
{
    Children parts = lower_children(lower, child.node);
    NodeId id = lower_open(lower, NODE_COMPARE, role, child.start, child.end);
    lower->nodes.items[id].op = OPERATOR_COMPARE;
    Role part_role = ROLE_LEFT;
    for (uint32_t i = 0; i < parts.count; i++) {
        Child part = lower_child(lower, parts, i);
        if (part.symbol == SYMBOL_ANONYMOUS) {
            continue;
        }
        lower_expression(lower, part, part_role, 0);
        part_role = ROLE_COMPARATOR;
    }
    lower_close(lower, id);
    lower_release(lower, parts);
}

void lower_unary(Lower *lower, Child child, Role role)
{
    NodeId id = lower_open(lower, NODE_UNARY_OP, role, child.start, child.end);
    char c = lower->text[child.start];
    ExprOperator op = c == '-' ? OPERATOR_U_SUB : c == '+' ? OPERATOR_U_ADD : OPERATOR_INVERT;
    if (child.symbol == SYMBOL_NOT_OPERATOR) {
        op = OPERATOR_NOT;
    }
    lower->nodes.items[id].op = (uint8_t)op;
    lower_expression(lower, lower_nth(lower, child, 1), ROLE_OPERAND, 0);
    lower_close(lower, id);
}
