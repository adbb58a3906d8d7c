/* Lowering of the patterns of match statements; the statements are in lower_match.c. */
#include "python/lower.h"

/* A Name.attr.attr chain out of the parts (name . name . name) of a dotted_name. */
static void lower_dotted(Lower *lower, Children parts, uint32_t last, Role role)
{
    NodeId outer = lower->parent;
    Child first = lower_child(lower, parts, 0);
    for (uint32_t i = last; i > 0; i -= 2) {
        Child name = lower_child(lower, parts, i);
        lower_check_name(lower, name);
        NodeId id = lower_open(lower, NODE_ATTRIBUTE, role, first.start, name.end);
        lower_set_name(lower, id, name.start, name.end);
        lower->nodes.items[id].extra = name.start;
        role = ROLE_VALUE;
    }
    lower_check_name(lower, first);
    NodeId id = lower_leaf(lower, NODE_NAME, role, first.start, first.end);
    lower_set_name(lower, id, first.start, first.end);
    while (lower->parent != outer) {
        lower_close(lower, lower->parent);
    }
}

static void lower_dotted_expression(Lower *lower, Child child, Role role)
{
    Children parts = lower_children(lower, child.node);
    lower_dotted(lower, parts, parts.count - 1, role);
    lower_release(lower, parts);
}

/* `x` captures, `_` is a wildcard, `a.b` is a value. */
static void lower_name_pattern(Lower *lower, Child child, Role role)
{
    Children parts = lower_children(lower, child.node);
    if (parts.count > 1) {
        NodeId id = lower_open(lower, NODE_MATCH_VALUE, role, child.start, child.end);
        lower_dotted(lower, parts, parts.count - 1, ROLE_VALUE);
        lower_close(lower, id);
    } else {
        lower_check_name(lower, lower_child(lower, parts, 0));
        NodeId id = lower_leaf(lower, NODE_MATCH_AS, role, child.start, child.end);
        if (!str_is(lower_text(lower, child.start, child.end), "_")) {
            lower_set_name(lower, id, child.start, child.end);
        }
    }
    lower_release(lower, parts);
}

/* A number with an optional minus. Its value matters to no rule, but the node must be there. */
static void lower_number_pattern(Lower *lower, Child first, Child last, Role role)
{
    NodeId id = lower_open(lower, NODE_MATCH_VALUE, role, first.start, last.end);
    bool negative = child_is_token(lower, first, "-");
    NodeId sign = NO_NODE;
    if (negative) {
        sign = lower_open(lower, NODE_UNARY_OP, ROLE_VALUE, first.start, last.end);
        lower->nodes.items[sign].op = OPERATOR_U_SUB;
    }
    NodeId number = lower_leaf(lower, NODE_CONSTANT, negative ? ROLE_OPERAND : ROLE_VALUE,
                               last.start, last.end);
    lower->nodes.items[number].op = last.symbol == SYMBOL_FLOAT ? CONSTANT_FLOAT : CONSTANT_INT;
    if (negative) {
        lower_close(lower, sign);
    }
    lower_close(lower, id);
}

/* real ± imaginary. */
static void lower_complex(Lower *lower, Child child, Role role)
{
    Children parts = lower_children(lower, child.node);
    NodeId sum = lower_open(lower, NODE_BIN_OP, role, child.start, child.end);
    Child last = lower_child(lower, parts, parts.count - 1);
    char suffix = lower->text[last.end - 1];
    if (suffix != 'j' && suffix != 'J') {
        lower_error(lower, last.start, last.end, "imaginary number required in complex literal",
                    "复数字面量需要虚部");
    }
    Child first = lower_child(lower, parts, 0);
    bool negative = child_is_token(lower, first, "-");
    Child real = negative ? lower_child(lower, parts, 1) : first;
    NodeId sign = NO_NODE;
    if (negative) {
        sign = lower_open(lower, NODE_UNARY_OP, ROLE_LEFT, first.start, real.end);
        lower->nodes.items[sign].op = OPERATOR_U_SUB;
    }
    lower_expression(lower, real, negative ? ROLE_OPERAND : ROLE_LEFT, 0);
    if (negative) {
        lower_close(lower, sign);
    }
    NodeId imaginary = lower_leaf(lower, NODE_CONSTANT, ROLE_RIGHT, last.start, last.end);
    lower->nodes.items[imaginary].op = CONSTANT_COMPLEX;
    lower_close(lower, sum);
    lower_release(lower, parts);
}

static void lower_star_pattern(Lower *lower, Child child, Role role)
{
    Children parts = lower_children(lower, child.node);
    Child name = lower_child(lower, parts, 1);
    NodeId id = lower_leaf(lower, NODE_MATCH_STAR, role, child.start, child.end);
    if (name.symbol == SYMBOL_IDENTIFIER) {
        lower_check_name(lower, name);
        lower_set_name(lower, id, name.start, name.end);
    } else if (!child_is_token(lower, name, "_")) {
        lower_invalid(lower, child);
    }
    if (child_is_token(lower, lower_child(lower, parts, 0), "**")) {
        lower_invalid(lower, child);
    }
    lower_release(lower, parts);
}

/* Comma-separated patterns among `children[from, to)`; true if there was a comma. */
static bool lower_pattern_items(Lower *lower, Children children, uint32_t from, uint32_t to)
{
    bool comma = false;
    for (uint32_t i = from; i < to; i++) {
        Child part = lower_child(lower, children, i);
        if (part.symbol == SYMBOL_ANONYMOUS) {
            comma = comma || child_is_token(lower, part, ",");
        } else {
            lower_pattern(lower, part, ROLE_PATTERN);
        }
    }
    return comma;
}

bool pattern_is_star(const Lower *lower, Child child)
{
    if (child.symbol == SYMBOL_CASE_PATTERN) {
        return child.start < child.end && lower->text[child.start] == '*';
    }
    return child.symbol == SYMBOL_SPLAT_PATTERN;
}

static void lower_sequence_pattern(Lower *lower, Child child, Role role)
{
    Children parts = lower_children(lower, child.node);
    bool tuple = child.symbol == SYMBOL_TUPLE_PATTERN;
    bool comma = false;
    uint32_t items = 0;
    for (uint32_t i = 0; i < parts.count; i++) {
        comma = comma || child_is_token(lower, lower_child(lower, parts, i), ",");
        items += lower_child(lower, parts, i).symbol != SYMBOL_ANONYMOUS;
    }
    if (tuple && !comma && items == 1) {
        Child only = lower_child(lower, parts, 1);
        if (pattern_is_star(lower, only)) {
            lower_invalid(lower, only);
        }
        lower_pattern(lower, only, role);
    } else {
        NodeId id = lower_open(lower, NODE_MATCH_SEQUENCE, role, child.start, child.end);
        lower_pattern_items(lower, parts, 0, parts.count);
        lower_close(lower, id);
    }
    lower_release(lower, parts);
}

static void lower_as_pattern(Lower *lower, Child child, Role role)
{
    Children parts = lower_children(lower, child.node);
    NodeId id = lower_open(lower, NODE_MATCH_AS, role, child.start, child.end);
    Child name = lower_child(lower, parts, 2);
    lower_check_name(lower, name);
    if (name.symbol != SYMBOL_IDENTIFIER || str_is(lower_text(lower, name.start, name.end), "_")) {
        lower_error(lower, name.start, name.end, "cannot use '_' as a target",
                    "不能用 '_' 作为目标");
    }
    lower_set_name(lower, id, name.start, name.end);
    if (pattern_is_star(lower, lower_child(lower, parts, 0))) {
        lower_invalid(lower, child);
    }
    lower_pattern(lower, lower_child(lower, parts, 0), ROLE_PATTERN);
    lower_close(lower, id);
    lower_release(lower, parts);
}

static void lower_or_pattern(Lower *lower, Child child, Role role)
{
    Children parts = lower_children(lower, child.node);
    NodeId id = lower_open(lower, NODE_MATCH_OR, role, child.start, child.end);
    for (uint32_t i = 0; i < parts.count; i++) {
        Child part = lower_child(lower, parts, i);
        if (child_is_token(lower, part, "|")) {
            continue;
        }
        if (child_is_token(lower, part, "-")) {
            lower_number_pattern(lower, part, lower_child(lower, parts, ++i), ROLE_PATTERN);
            continue;
        }
        if (pattern_is_star(lower, part)) {
            lower_invalid(lower, part);
        }
        lower_pattern(lower, part, ROLE_PATTERN);
    }
    lower_close(lower, id);
    lower_release(lower, parts);
}

static void lower_mapping_pattern(Lower *lower, Child child, Role role)
{
    Children parts = lower_children(lower, child.node);
    NodeId id = lower_open(lower, NODE_MATCH_MAPPING, role, child.start, child.end);
    bool rest = false;
    for (uint32_t i = 0; i < parts.count; i++) {
        Child part = lower_child(lower, parts, i);
        if (part.field == FIELD_KEY && part.symbol == SYMBOL_DOTTED_NAME) {
            lower_dotted_expression(lower, part, ROLE_KEY);
            if (memchr(lower->text + part.start, '.', part.end - part.start) == NULL) {
                lower_invalid(lower, part);
            }
        } else if (part.field == FIELD_KEY && part.symbol != SYMBOL_ANONYMOUS) {
            bool literal =
                part.symbol == SYMBOL_STRING || part.symbol == SYMBOL_CONCATENATED_STRING;
            if (literal) {
                lower_string(lower, part, ROLE_KEY, true);
            } else if (part.symbol == SYMBOL_INTEGER || part.symbol == SYMBOL_FLOAT ||
                       part.symbol == SYMBOL_TRUE || part.symbol == SYMBOL_FALSE ||
                       part.symbol == SYMBOL_NONE) {
                lower_expression(lower, part, ROLE_KEY, 0);
            } else if (part.symbol == SYMBOL_COMPLEX_PATTERN) {
                lower_complex(lower, part, ROLE_KEY);
            } else {
                lower_invalid(lower, part);
            }
        }
        if (part.symbol == SYMBOL_SPLAT_PATTERN) {
            Children star = lower_children(lower, part.node);
            Child name = lower_child(lower, star, 1);
            if (!child_is_token(lower, lower_child(lower, star, 0), "**") || rest ||
                name.symbol != SYMBOL_IDENTIFIER) {
                lower_invalid(lower, part);
            }
            rest = true;
            lower_check_name(lower, name);
            lower_set_name(lower, id, name.start, name.end);
            lower_release(lower, star);
        } else if (rest && part.field == FIELD_KEY) {
            lower_invalid(lower, part);
        }
    }
    for (uint32_t i = 0; i < parts.count; i++) {
        Child part = lower_child(lower, parts, i);
        if (part.field == FIELD_VALUE) {
            if (pattern_is_star(lower, part)) {
                lower_invalid(lower, part);
            }
            lower_pattern(lower, part, ROLE_PATTERN);
        }
    }
    lower_close(lower, id);
    lower_release(lower, parts);
}

static Child unwrap_case(Lower *lower, Child child)
{
    Children inner = lower_children(lower, child.node);
    Child only = lower_child(lower, inner, 0);
    lower_release(lower, inner);
    return child.symbol == SYMBOL_CASE_PATTERN ? only : child;
}

static void lower_class_pattern(Lower *lower, Child child, Role role)
{
    Children parts = lower_children(lower, child.node);
    NodeId id = lower_open(lower, NODE_MATCH_CLASS, role, child.start, child.end);
    bool keyword = false;
    for (uint32_t i = 0; i < parts.count; i++) {
        Child part = lower_child(lower, parts, i);
        if (part.symbol == SYMBOL_DOTTED_NAME) {
            lower_dotted_expression(lower, part, ROLE_CLS);
        } else if (part.symbol == SYMBOL_CASE_PATTERN) {
            if (unwrap_case(lower, part).symbol == SYMBOL_KEYWORD_PATTERN) {
                keyword = true;
                continue;
            }
            if (keyword) {
                lower_error(lower, part.start, part.end,
                            "positional patterns follow keyword patterns",
                            "位置模式位于关键字模式之后");
            }
            if (pattern_is_star(lower, part)) {
                lower_invalid(lower, part);
            }
            lower_pattern(lower, part, ROLE_PATTERN);
        }
    }
    for (uint32_t i = 0; i < parts.count; i++) {
        Child part = unwrap_case(lower, lower_child(lower, parts, i));
        if (part.symbol != SYMBOL_KEYWORD_PATTERN) {
            continue;
        }
        Children pair = lower_children(lower, part.node);
        lower_check_name(lower, lower_child(lower, pair, 0));
        Child value = lower_child(lower, pair, 2);
        if (child_is_token(lower, value, "-")) {
            lower_number_pattern(lower, value, lower_child(lower, pair, 3), ROLE_KWD_PATTERN);
        } else {
            lower_pattern(lower, value, ROLE_KWD_PATTERN);
        }
        lower_release(lower, pair);
    }
    lower_close(lower, id);
    lower_release(lower, parts);
}

static void lower_case_pattern(Lower *lower, Child child, Role role)
{
    Children parts = lower_children(lower, child.node);
    Child first = lower_child(lower, parts, 0);
    if (child_is_token(lower, first, "-")) {
        lower_number_pattern(lower, first, lower_child(lower, parts, 1), role);
    } else if (child_is_token(lower, first, "_")) {
        lower_leaf(lower, NODE_MATCH_AS, role, first.start, first.end);
    } else if (first.symbol == SYMBOL_KEYWORD_PATTERN) {
        lower_invalid(lower, child);
    } else {
        lower_pattern(lower, first, role);
    }
    lower_release(lower, parts);
}

static void lower_literal_pattern(Lower *lower, Child child, Role role)
{
    bool single =
        child.symbol == SYMBOL_TRUE || child.symbol == SYMBOL_FALSE || child.symbol == SYMBOL_NONE;
    if (single) {
        lower_leaf(lower, NODE_MATCH_SINGLETON, role, child.start, child.end);
        return;
    }
    NodeId id = lower_open(lower, NODE_MATCH_VALUE, role, child.start, child.end);
    if (child.symbol == SYMBOL_STRING || child.symbol == SYMBOL_CONCATENATED_STRING) {
        lower_string(lower, child, ROLE_VALUE, true);
    } else if (child.symbol == SYMBOL_COMPLEX_PATTERN) {
        lower_complex(lower, child, ROLE_VALUE);
    } else {
        lower_expression(lower, child, ROLE_VALUE, 0);
    }
    lower_close(lower, id);
}

static void lower_any_pattern(Lower *lower, Child child, Role role)
{
    switch (child.symbol) {
    case SYMBOL_CASE_PATTERN:
        lower_case_pattern(lower, child, role);
        break;
    case SYMBOL_DOTTED_NAME:
        lower_name_pattern(lower, child, role);
        break;
    case SYMBOL_AS_PATTERN:
        lower_as_pattern(lower, child, role);
        break;
    case SYMBOL_UNION_PATTERN:
        lower_or_pattern(lower, child, role);
        break;
    case SYMBOL_LIST_PATTERN:
    case SYMBOL_TUPLE_PATTERN:
        lower_sequence_pattern(lower, child, role);
        break;
    case SYMBOL_DICT_PATTERN:
        lower_mapping_pattern(lower, child, role);
        break;
    case SYMBOL_CLASS_PATTERN:
        lower_class_pattern(lower, child, role);
        break;
    case SYMBOL_SPLAT_PATTERN:
        lower_star_pattern(lower, child, role);
        break;
    case SYMBOL_COMPLEX_PATTERN:
        lower_literal_pattern(lower, child, role);
        break;
    case SYMBOL_STRING:
    case SYMBOL_CONCATENATED_STRING:
    case SYMBOL_INTEGER:
    case SYMBOL_FLOAT:
    case SYMBOL_TRUE:
    case SYMBOL_FALSE:
    case SYMBOL_NONE:
        lower_literal_pattern(lower, child, role);
        break;
    default:
        if (child_is_token(lower, child, "_")) {
            lower_leaf(lower, NODE_MATCH_AS, role, child.start, child.end);
        } else {
            lower_invalid(lower, child);
        }
        break;
    }
}

void lower_pattern(Lower *lower, Child child, Role role)
{
    lower_enter(lower, child.start);
    lower_any_pattern(lower, child, role);
    lower_leave(lower);
}
