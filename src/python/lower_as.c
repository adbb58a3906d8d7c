/* Lowering of `value as alias` in with items and except clauses. The parser binds `as` tighter than
 * `if … else` and `lambda`: in `a if b else c as d` it sees a conditional that ends in `c as d`. */
#include "python/lower.h"

/* The part that ends where an expression of these kinds ends. */
static Child last_part(const Lower *lower, Child child)
{
    if (child.symbol == SYMBOL_CONDITIONAL_EXPRESSION || child.symbol == SYMBOL_LAMBDA) {
        return lower_nth(lower, child, ts_node_child_count(child.node) - 1);
    }
    return (Child){.symbol = SYMBOL_OTHER};
}

AsPattern lower_find_as(Lower *lower, Child child)
{
    AsPattern pattern = {.value = child, .as_start = UINT32_MAX};
    pattern.alias.symbol = SYMBOL_OTHER;
    Child inner = child;
    while (child_exists(inner) && inner.symbol != SYMBOL_AS_PATTERN) {
        inner = last_part(lower, inner);
    }
    if (!child_exists(inner)) {
        return pattern;
    }
    Children parts = lower_children(lower, inner.node);
    pattern.alias = lower_field(lower, parts, FIELD_ALIAS);
    pattern.as_start = inner.start;
    pattern.value.end = lower_child(lower, parts, 0).end;
    lower_release(lower, parts);
    return pattern;
}

void lower_as_value(Lower *lower, const AsPattern *pattern, Role role)
{
    NodeId id = lower->nodes.count;
    uint32_t outer = lower->as_start;
    lower->as_start = pattern->as_start;
    lower_expression(lower, pattern->value, role, 0);
    lower->as_start = outer;
    if (child_exists(pattern->alias)) {
        for (; id < lower->nodes.count; id++) {
            Node *node = &lower->nodes.items[id];
            node->end = node->end == pattern->alias.end ? pattern->value.end : node->end;
        }
    }
}
