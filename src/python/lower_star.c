/* Lowering of starred expressions. The parser knows several forms of them, and one it is not shown:
 * the lexer blanks the stars that its grammar cannot place (lex_adapt.c). */
#include "base/search.h"
#include "python/lower.h"

static bool binds_loosely(Child child)
{
    switch (child.symbol) {
    case SYMBOL_BOOLEAN_OPERATOR:
    case SYMBOL_COMPARISON_OPERATOR:
    case SYMBOL_NOT_OPERATOR:
    case SYMBOL_LAMBDA:
    case SYMBOL_CONDITIONAL_EXPRESSION:
    case SYMBOL_NAMED_EXPRESSION:
        return true;
    default:
        return false;
    }
}

static void check_star_allowed(Lower *lower, Child child, Child operand, unsigned allow)
{
    if ((allow & (ALLOW_STAR | ALLOW_STAR_CALL)) == 0) {
        lower_error(lower, child.start, child.end, "cannot use starred expression here",
                    "此处不能使用带星号的表达式");
    } else if (operand.symbol == SYMBOL_SLICE ||
               ((allow & ALLOW_STAR_CALL) == 0 && binds_loosely(operand))) {
        lower_invalid(lower, child);
    }
}

static void lower_starred(Lower *lower, Child child, Role role, unsigned allow)
{
    Children parts = lower_children(lower, child.node);
    Child operand = lower_child(lower, parts, 1);
    if (child.start == lower->splat) {
        lower_expression(lower, operand, role, 0);
    } else {
        check_star_allowed(lower, child, operand, allow);
        NodeId id = lower_open(lower, NODE_STARRED, role, child.start, child.end);
        lower_expression(lower, operand, ROLE_VALUE, 0);
        lower_close(lower, id);
    }
    lower_release(lower, parts);
}

/* The parser takes `*a + b` for a sum whose left operand is `*a`. It is a Starred of the sum: the
 * node begins after the star, and the inner list_splat stands for its operand alone. */
static void lower_leading_star(Lower *lower, Child child, Role role, unsigned allow)
{
    check_star_allowed(lower, child, child, allow);
    NodeId id = lower_open(lower, NODE_STARRED, role, child.start, child.end);
    uint32_t outer = lower->splat;
    uint32_t outer_operand = lower->splat_operand;
    uint32_t at = child.start + 1;
    while (at < child.end && strchr(" \t\n\f", lower->text[at]) != NULL) {
        at++;
    }
    lower->splat = child.start;
    lower->splat_operand = at;
    lower_expression(lower, child, ROLE_VALUE, 0);
    lower->splat = outer;
    lower->splat_operand = outer_operand;
    lower_close(lower, id);
}

static bool is_star_symbol(Child child)
{
    return child.symbol == SYMBOL_LIST_SPLAT || child.symbol == SYMBOL_LIST_SPLAT_PATTERN ||
           child.symbol == SYMBOL_SPLAT_TYPE;
}

/* Index of the last blanked star before an offset, or UINT32_MAX. */
static uint32_t star_before(const Lower *lower, uint32_t offset)
{
    uint32_t low;
    LOWER_BOUND(low, lower->lexed->stars.count, lower->lexed->stars.items[low] < offset);
    return low == 0 ? UINT32_MAX : low - 1;
}

uint32_t lower_blanked_star(const Lower *lower, uint32_t start)
{
    uint32_t index = lower->lexed->stars.count == 0 ? UINT32_MAX : star_before(lower, start);
    if (index == UINT32_MAX) {
        return start;
    }
    uint32_t star = lower->lexed->stars.items[index];
    for (uint32_t at = star; at < start; at++) {
        if (strchr(" \t\n\f", lower->text[at]) == NULL) {
            return start;
        }
    }
    return star;
}

/* An element after a blanked star. A list begins there, too, but the star is its first
 * element's. */
static bool lower_after_star(Lower *lower, Child child, Role role, unsigned allow)
{
    bool list = child.symbol == SYMBOL_EXPRESSION_LIST || child.symbol == SYMBOL_PATTERN_LIST ||
                child.symbol == SYMBOL_TYPE || child.symbol == SYMBOL_YIELD;
    if (list || (allow & ALLOW_STAR) == 0 || child.start == lower->splat) {
        return false;
    }
    uint32_t star = lower_blanked_star(lower, child.start);
    if (star == child.start) {
        return false;
    }
    lower->star_used[star_before(lower, child.start)] = true;
    check_star_allowed(lower, child, child, allow);
    NodeId id = lower_open(lower, NODE_STARRED, role, star, child.end);
    lower_expression(lower, child, ROLE_VALUE, 0);
    lower_close(lower, id);
    return true;
}

bool lower_star(Lower *lower, Child child, Role role, unsigned allow)
{
    if (lower_after_star(lower, child, role, allow)) {
        return true;
    }
    if (is_star_symbol(child)) {
        lower_starred(lower, child, role, allow);
        return true;
    }
    if (child.start == child.end || lower->text[child.start] != '*' ||
        child.start == lower->splat) {
        return false;
    }
    if (child.symbol == SYMBOL_TYPE || child.symbol == SYMBOL_EXPRESSION_LIST ||
        child.symbol == SYMBOL_PATTERN_LIST || child.symbol == SYMBOL_DICTIONARY_SPLAT) {
        return false; /* the star belongs to the first element */
    }
    lower_leading_star(lower, child, role, allow);
    return true;
}
