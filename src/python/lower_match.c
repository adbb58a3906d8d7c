/* Lowering of match statements; their patterns are in lower_pattern.c. */
#include "python/lower.h"

/* One case: an open sequence (`case a, b:`) when there is a comma at the top. */
static void lower_case(Lower *lower, Child clause)
{
    Children parts = lower_children(lower, clause.node);
    NodeId id = lower_open(lower, NODE_MATCH_CASE, ROLE_CASE, clause.start, clause.end);
    uint32_t patterns = 0;
    bool comma = false;
    Child first = {.symbol = SYMBOL_OTHER};
    Child last = first;
    for (uint32_t i = 0; i < parts.count; i++) {
        Child part = lower_child(lower, parts, i);
        if (part.symbol == SYMBOL_CASE_PATTERN) {
            first = patterns++ == 0 ? part : first;
            last = part;
        }
        comma = comma || child_is_token(lower, part, ",");
    }
    if (comma) {
        NodeId sequence =
            lower_open(lower, NODE_MATCH_SEQUENCE, ROLE_PATTERN, first.start, last.end);
        for (uint32_t i = 0; i < parts.count; i++) {
            if (lower_child(lower, parts, i).symbol == SYMBOL_CASE_PATTERN) {
                lower_pattern(lower, lower_child(lower, parts, i), ROLE_PATTERN);
            }
        }
        lower_close(lower, sequence);
    } else {
        if (pattern_is_star(lower, first)) {
            lower_invalid(lower, first);
        }
        lower_pattern(lower, first, ROLE_PATTERN);
    }
    Child guard = lower_field(lower, parts, FIELD_GUARD);
    if (child_exists(guard)) {
        Children inner = lower_children(lower, guard.node);
        lower_expression(lower, lower_child(lower, inner, 1), ROLE_GUARD, ALLOW_NAMED);
        lower_release(lower, inner);
    }
    lower_block(lower, lower_field(lower, parts, FIELD_CONSEQUENCE), ROLE_BODY);
    lower_close(lower, id);
    lower_release(lower, parts);
}

void lower_match(Lower *lower, Child child, Role role)
{
    Children children = lower_children(lower, child.node);
    NodeId id = lower_open(lower, NODE_MATCH, role, child.start, child.end);
    uint32_t colon = 1;
    while (colon < children.count &&
           !child_is_token(lower, lower_child(lower, children, colon), ":")) {
        colon++;
    }
    lower_expressions(lower, children, 1, colon, ROLE_SUBJECT, ALLOW_NAMED | ALLOW_STAR);
    Children block = lower_children(lower, lower_field(lower, children, FIELD_BODY).node);
    uint32_t cases = 0;
    for (uint32_t i = 0; i < block.count; i++) {
        Child part = lower_child(lower, block, i);
        if (part.symbol == SYMBOL_CASE_CLAUSE) {
            lower_case(lower, part);
            cases++;
        }
    }
    if (cases == 0) {
        lower_invalid(lower, child);
    }
    lower_close(lower, id);
    lower_release(lower, block);
    lower_release(lower, children);
}
