/* Lowering of subscripts and slices; also of what the parser calls types: `list[int]`, `A | B`. */
#include "python/lower.h"

void lower_slice(Lower *lower, Child child, Role role)
{
    Children parts = lower_children(lower, child.node);
    NodeId id = lower_open(lower, NODE_SLICE, role, child.start, child.end);
    Role part_role = ROLE_LOWER;
    for (uint32_t i = 0; i < parts.count; i++) {
        Child part = lower_child(lower, parts, i);
        if (part.symbol == SYMBOL_ANONYMOUS) {
            part_role = part_role == ROLE_LOWER ? ROLE_UPPER : ROLE_STEP;
        } else {
            lower_expression(lower, part, part_role, 0);
        }
    }
    lower_close(lower, id);
    lower_release(lower, parts);
}

static void lower_subscript_items(Lower *lower, Children children, uint32_t from, uint32_t to)
{
    bool tuple = false;
    Child first = lower_child(lower, children, from);
    Child last = first;
    for (uint32_t i = from; i < to; i++) {
        Child part = lower_child(lower, children, i);
        if (part.symbol == SYMBOL_ANONYMOUS) {
            tuple = tuple || child_is_token(lower, part, ",");
        } else {
            last = part;
        }
    }
    /* `x[*a]` is a tuple of one. */
    uint32_t start = lower_blanked_star(lower, first.start);
    tuple = tuple || lower->text[first.start] == '*' || start != first.start;
    NodeId id = NO_NODE;
    if (tuple) {
        id = lower_open(lower, NODE_TUPLE, ROLE_SLICE, start, last.end);
    }
    for (uint32_t i = from; i < to; i++) {
        Child part = lower_child(lower, children, i);
        if (part.symbol != SYMBOL_ANONYMOUS) {
            lower_expression(lower, part, tuple ? ROLE_ELT : ROLE_SLICE,
                             ALLOW_NAMED | ALLOW_STAR | ALLOW_STAR_CALL);
        }
    }
    if (tuple) {
        lower_close(lower, id);
    }
}

void lower_subscript(Lower *lower, Child child, Role role)
{
    Children parts = lower_children(lower, child.node);
    NodeId id = lower_open(lower, NODE_SUBSCRIPT, role, child.start, child.end);
    lower_expression(lower, lower_child(lower, parts, 0), ROLE_VALUE, 0);
    if (child.symbol == SYMBOL_GENERIC_TYPE) {
        Children inner = lower_children(lower, lower_child(lower, parts, 1).node);
        lower_subscript_items(lower, inner, 1, inner.count - 1);
        lower_release(lower, inner);
    } else {
        lower_subscript_items(lower, parts, 2, parts.count - 1);
    }
    lower_close(lower, id);
    lower_release(lower, parts);
}

void lower_type(Lower *lower, Child child, Role role, unsigned allow)
{
    if (child.symbol == SYMBOL_TYPE) {
        lower_expression(lower, lower_nth(lower, child, 0), role, allow);
        return;
    }
    Children parts = lower_children(lower, child.node);
    if (child.symbol == SYMBOL_CONSTRAINED_TYPE) {
        NodeId id = lower_open(lower, NODE_SLICE, role, child.start, child.end);
        lower_expression(lower, lower_child(lower, parts, 0), ROLE_LOWER, 0);
        lower_expression(lower, lower_child(lower, parts, 2), ROLE_UPPER, 0);
        lower_close(lower, id);
        if (role != ROLE_ELT && role != ROLE_SLICE) {
            lower_invalid(lower, child);
        }
    } else if (child.symbol == SYMBOL_MEMBER_TYPE) {
        Child name = lower_child(lower, parts, 2);
        NodeId id = lower_open(lower, NODE_ATTRIBUTE, role, child.start, child.end);
        lower_set_name(lower, id, name.start, name.end);
        lower->nodes.items[id].extra = name.start;
        lower_expression(lower, lower_child(lower, parts, 0), ROLE_VALUE, 0);
        lower_close(lower, id);
    } else { /* union_type */
        lower_bits(lower, child, role);
    }
    lower_release(lower, parts);
}
