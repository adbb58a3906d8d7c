/* Lowering of tuples, lists, sets, dictionaries, parentheses, and lists of expressions. */
#include "python/lower.h"

static void lower_elements(Lower *lower, Child child, NodeKind kind, Role role, unsigned allow)
{
    Children parts = lower_children(lower, child.node);
    if (kind == NODE_TUPLE && parts.count == 3) { /* `(*x)`: no comma, no tuple */
        lower_error(lower, child.start, child.end, "cannot use starred expression here",
                    "此处不能使用带星号的表达式");
    }
    NodeId id = lower_open(lower, kind, role, child.start, child.end);
    for (uint32_t i = 0; i < parts.count; i++) {
        Child part = lower_child(lower, parts, i);
        if (part.symbol != SYMBOL_ANONYMOUS) {
            lower_expression(lower, part, ROLE_ELT, allow);
        }
    }
    lower_close(lower, id);
    lower_release(lower, parts);
}

static void lower_pair(Lower *lower, Child part, bool key)
{
    Children pair = lower_children(lower, part.node);
    if (part.symbol == SYMBOL_PAIR) {
        lower_expression(lower, lower_child(lower, pair, key ? 0 : 2), key ? ROLE_KEY : ROLE_VALUE,
                         0);
    } else if (!key) {
        lower_expression(lower, lower_child(lower, pair, 1), ROLE_VALUE, 0);
    }
    lower_release(lower, pair);
}

static void lower_dictionary(Lower *lower, Child child, Role role)
{
    Children parts = lower_children(lower, child.node);
    if (parts.count == 3 && lower_child(lower, parts, 1).symbol == SYMBOL_ANONYMOUS) {
        lower_invalid(lower, lower_child(lower, parts, 1)); /* `{,}`, which the parser takes */
    }
    NodeId id = lower_open(lower, NODE_DICT, role, child.start, child.end);
    for (int key = 1; key >= 0; key--) {
        for (uint32_t i = 0; i < parts.count; i++) {
            Child part = lower_child(lower, parts, i);
            if (part.symbol != SYMBOL_ANONYMOUS) {
                lower_pair(lower, part, key == 1);
            }
        }
    }
    lower_close(lower, id);
    lower_release(lower, parts);
}

/* `(x)`, and the parser's `(x)` without a comma in a target, is x itself. */
static void lower_parenthesized(Lower *lower, Child child, Role role)
{
    if (child.symbol == SYMBOL_TUPLE_PATTERN && ts_node_child_count(child.node) != 3) {
        lower_elements(lower, child, NODE_TUPLE, role, ALLOW_STAR);
        return;
    }
    NodeId id = lower->nodes.count;
    lower_expression(lower, lower_nth(lower, child, 1), role, ALLOW_NAMED | ALLOW_YIELD);
    if (id < lower->nodes.count) {
        lower->nodes.items[id].parenthesized = 1;
    }
}

void lower_expressions(Lower *lower, Children children, uint32_t from, uint32_t to, Role role,
                       unsigned allow)
{
    bool comma = false;
    Child last = lower_child(lower, children, from);
    for (uint32_t i = from; i < to; i++) {
        Child part = lower_child(lower, children, i);
        if (child_is_token(lower, part, ",")) {
            comma = true;
        }
        last = part;
    }
    if (!comma) {
        lower_expression(lower, lower_child(lower, children, from), role, allow);
        return;
    }
    Child first = lower_child(lower, children, from);
    uint32_t start =
        (allow & ALLOW_STAR) == 0 ? first.start : lower_blanked_star(lower, first.start);
    NodeId id = lower_open(lower, NODE_TUPLE, role, start, last.end);
    for (uint32_t i = from; i < to; i++) {
        Child part = lower_child(lower, children, i);
        if (part.symbol != SYMBOL_ANONYMOUS) {
            lower_expression(lower, part, ROLE_ELT, allow & (ALLOW_NAMED | ALLOW_STAR));
        }
    }
    lower_close(lower, id);
}

bool lower_display(Lower *lower, Child child, Role role)
{
    switch (child.symbol) {
    case SYMBOL_LIST_PATTERN:
        lower_elements(lower, child, NODE_LIST, role, ALLOW_STAR);
        return true;
    case SYMBOL_LIST:
        lower_elements(lower, child, NODE_LIST, role, ALLOW_STAR | ALLOW_NAMED);
        return true;
    case SYMBOL_SET:
        lower_elements(lower, child, NODE_SET, role, ALLOW_STAR | ALLOW_NAMED);
        return true;
    case SYMBOL_TUPLE:
        lower_elements(lower, child, NODE_TUPLE, role, ALLOW_STAR | ALLOW_NAMED);
        return true;
    case SYMBOL_DICTIONARY:
        lower_dictionary(lower, child, role);
        return true;
    case SYMBOL_TUPLE_PATTERN:
    case SYMBOL_PARENTHESIZED_EXPRESSION:
        lower_parenthesized(lower, child, role);
        return true;
    case SYMBOL_LIST_COMPREHENSION:
    case SYMBOL_SET_COMPREHENSION:
    case SYMBOL_DICTIONARY_COMPREHENSION:
    case SYMBOL_GENERATOR_EXPRESSION:
        lower_comprehension(lower, child, role);
        return true;
    default:
        return false;
    }
}
