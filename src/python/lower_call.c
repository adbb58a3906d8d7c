/* Lowering of call arguments and comprehensions. */
#include "python/lower.h"

/* Order of arguments: nothing positional after a keyword, no `*` after `**`. */
static void check_argument_order(Lower *lower, Children parts)
{
    bool keyword = false;
    bool double_star = false;
    for (uint32_t i = 0; i < parts.count; i++) {
        Child part = lower_child(lower, parts, i);
        if (part.symbol == SYMBOL_ANONYMOUS) {
            continue;
        }
        if (part.symbol == SYMBOL_KEYWORD_ARGUMENT) {
            keyword = true;
        } else if (part.symbol == SYMBOL_DICTIONARY_SPLAT) {
            double_star = true;
        } else if (lower->text[part.start] == '*') {
            if (double_star) {
                lower_error(lower, part.start, part.end,
                            "iterable argument unpacking follows keyword argument unpacking",
                            "可迭代解包位于关键字解包之后");
            }
        } else if (keyword || double_star) {
            lower_error(lower, part.start, part.end,
                        double_star ? "positional argument follows keyword argument unpacking"
                                    : "positional argument follows keyword argument",
                        "位置参数位于关键字参数之后");
        }
    }
}

static void lower_keyword(Lower *lower, Child child)
{
    NodeId id = lower_open(lower, NODE_KEYWORD, ROLE_KEYWORD, child.start, child.end);
    if (child.symbol == SYMBOL_KEYWORD_ARGUMENT) {
        Child name = lower_nth(lower, child, 0);
        lower_check_name(lower, name);
        lower_set_name(lower, id, name.start, name.end);
        lower_expression(lower, lower_nth(lower, child, 2), ROLE_VALUE, 0);
    } else {
        lower_expression(lower, lower_nth(lower, child, 1), ROLE_VALUE, 0);
    }
    lower_close(lower, id);
}

static bool is_keyword(Child child)
{
    return child.symbol == SYMBOL_KEYWORD_ARGUMENT || child.symbol == SYMBOL_DICTIONARY_SPLAT;
}

void lower_call_arguments(Lower *lower, Child arguments, Role positional)
{
    if (arguments.symbol == SYMBOL_GENERATOR_EXPRESSION) {
        lower_comprehension(lower, arguments, positional);
        return;
    }
    if (ts_node_child_count(arguments.node) == 2) {
        return; /* () */
    }
    Children parts = lower_children(lower, arguments.node);
    check_argument_order(lower, parts);
    bool comma_seen = true;
    for (uint32_t i = 1; i + 1 < parts.count; i++) {
        bool comma = child_is_token(lower, lower_child(lower, parts, i), ",");
        if (comma && comma_seen) {
            Child part = lower_child(lower, parts, i);
            lower_error(lower, part.start, part.end, "invalid syntax", "语法错误");
        }
        comma_seen = comma;
    }
    for (uint32_t i = 0; i < parts.count; i++) {
        Child part = lower_child(lower, parts, i);
        if (part.symbol != SYMBOL_ANONYMOUS && !is_keyword(part)) {
            lower_expression(lower, part, positional, ALLOW_NAMED | ALLOW_STAR | ALLOW_STAR_CALL);
        }
    }
    for (uint32_t i = 0; i < parts.count; i++) {
        if (is_keyword(lower_child(lower, parts, i))) {
            lower_keyword(lower, lower_child(lower, parts, i));
        }
    }
    lower_release(lower, parts);
}

/* --- comprehensions */

static void check_clause(Lower *lower, Child expression)
{
    if (expression.symbol == SYMBOL_CONDITIONAL_EXPRESSION || expression.symbol == SYMBOL_LAMBDA) {
        lower_error(lower, expression.start, expression.end, "invalid syntax", "语法错误");
    }
}

static void lower_for_clause(Lower *lower, Child clause, Children all, uint32_t index)
{
    Children parts = lower_children(lower, clause.node);
    NodeId id = lower_open(lower, NODE_COMPREHENSION, ROLE_GENERATOR, clause.start, clause.end);
    lower_target(lower, lower_field(lower, parts, FIELD_LEFT), ROLE_TARGET);
    uint32_t iterators = 0;
    for (uint32_t i = 0; i < parts.count; i++) {
        Child part = lower_child(lower, parts, i);
        if (part.field == FIELD_RIGHT && part.symbol != SYMBOL_ANONYMOUS && iterators++ == 0) {
            check_clause(lower, part);
            lower_expression(lower, part, ROLE_ITER, 0);
        }
    }
    if (iterators != 1) {
        lower_error(lower, clause.start, clause.end, "invalid syntax", "语法错误");
    }
    lower_release(lower, parts);
    for (uint32_t i = index + 1; i < all.count; i++) {
        Child next = lower_child(lower, all, i);
        if (next.symbol != SYMBOL_IF_CLAUSE) {
            break;
        }
        Children condition = lower_children(lower, next.node);
        Child test = lower_child(lower, condition, 1);
        if (test.symbol == SYMBOL_CONDITIONAL_EXPRESSION) {
            check_clause(lower, test);
        }
        lower_expression(lower, test, ROLE_IF, 0);
        lower_release(lower, condition);
    }
    lower_close(lower, id);
}

static void lower_element(Lower *lower, Child body, bool dictionary)
{
    if (!dictionary) {
        lower_expression(lower, body, ROLE_ELT, ALLOW_NAMED);
        return;
    }
    Children pair = lower_children(lower, body.node);
    lower_expression(lower, lower_child(lower, pair, 0), ROLE_KEY, 0);
    lower_expression(lower, lower_child(lower, pair, 2), ROLE_VALUE, 0);
    lower_release(lower, pair);
}

void lower_comprehension(Lower *lower, Child child, Role role)
{
    NodeKind kind = child.symbol == SYMBOL_LIST_COMPREHENSION         ? NODE_LIST_COMP
                    : child.symbol == SYMBOL_SET_COMPREHENSION        ? NODE_SET_COMP
                    : child.symbol == SYMBOL_DICTIONARY_COMPREHENSION ? NODE_DICT_COMP
                                                                      : NODE_GENERATOR_EXP;
    Children parts = lower_children(lower, child.node);
    NodeId id = lower_open(lower, kind, role, child.start, child.end);
    lower_element(lower, lower_field(lower, parts, FIELD_BODY), kind == NODE_DICT_COMP);
    for (uint32_t i = 0; i < parts.count; i++) {
        Child part = lower_child(lower, parts, i);
        if (part.symbol == SYMBOL_FOR_IN_CLAUSE) {
            lower_for_clause(lower, part, parts, i);
        }
    }
    lower_close(lower, id);
    lower_release(lower, parts);
}
