/* Lowering of expressions other than strings, comprehensions and calls (lower_call.c). */
#include "python/lower.h"

static void wrong(Lower *lower, Child child)
{
    lower_error(lower, child.start, child.end, "invalid syntax", "语法错误");
}

static void lower_name(Lower *lower, Child child, Role role)
{
    lower_check_name(lower, child);
    NodeId id = lower_leaf(lower, NODE_NAME, role, child.start, child.end);
    lower_set_name(lower, id, child.start, child.end);
}

static void lower_constant(Lower *lower, Child child, Role role, ConstantKind kind)
{
    char last = lower->text[child.end - 1];
    bool hex = child.end - child.start > 1 && strchr("xX", lower->text[child.start + 1]) != NULL;
    if (kind <= CONSTANT_FLOAT && kind >= CONSTANT_INT && (last == 'j' || last == 'J') && !hex) {
        kind = CONSTANT_COMPLEX;
    }
    NodeId id = lower_leaf(lower, NODE_CONSTANT, role, child.start, child.end);
    lower->nodes.items[id].op = (uint8_t)kind;
}

static void lower_lambda(Lower *lower, Child child, Role role)
{
    Children parts = lower_children(lower, child.node);
    NodeId id = lower_open(lower, NODE_LAMBDA, role, child.start, child.end);
    lower_parameters(lower, lower_field(lower, parts, FIELD_PARAMETERS), ROLE_ARGUMENTS, true,
                     child.start);
    lower_expression(lower, lower_field(lower, parts, FIELD_BODY), ROLE_BODY, 0);
    lower_close(lower, id);
    lower_release(lower, parts);
}

static void lower_conditional(Lower *lower, Child child, Role role)
{
    Children parts = lower_children(lower, child.node);
    NodeId id = lower_open(lower, NODE_IF_EXP, role, child.start, child.end);
    lower_expression(lower, lower_child(lower, parts, 2), ROLE_TEST, 0);
    lower_expression(lower, lower_child(lower, parts, 0), ROLE_BODY, 0);
    lower_expression(lower, lower_child(lower, parts, 4), ROLE_ORELSE, 0);
    lower_close(lower, id);
    lower_release(lower, parts);
}

static void lower_named(Lower *lower, Child child, Role role)
{
    Children parts = lower_children(lower, child.node);
    NodeId id = lower_open(lower, NODE_NAMED_EXPR, role, child.start, child.end);
    lower_name(lower, lower_child(lower, parts, 0), ROLE_TARGET);
    lower_expression(lower, lower_child(lower, parts, 2), ROLE_VALUE, 0);
    lower_close(lower, id);
    lower_release(lower, parts);
}

static void lower_await(Lower *lower, Child child, Role role)
{
    Children parts = lower_children(lower, child.node);
    NodeId id = lower_open(lower, NODE_AWAIT, role, child.start, child.end);
    lower_expression(lower, lower_child(lower, parts, 1), ROLE_VALUE, 0);
    lower_close(lower, id);
    lower_release(lower, parts);
}

static void lower_yield(Lower *lower, Child child, Role role)
{
    Children parts = lower_children(lower, child.node);
    bool from = child_is_token(lower, lower_child(lower, parts, 1), "from");
    NodeId id =
        lower_open(lower, from ? NODE_YIELD_FROM : NODE_YIELD, role, child.start, child.end);
    if (from) {
        lower_expression(lower, lower_child(lower, parts, 2), ROLE_VALUE, 0);
    } else if (parts.count > 1) {
        lower_expressions(lower, parts, 1, parts.count, ROLE_VALUE, ALLOW_STAR);
    }
    lower_close(lower, id);
    lower_release(lower, parts);
}

/* Start of the name that ends at `end`. */
static uint32_t name_start(const Lower *lower, uint32_t end)
{
    while (end > lower->base) {
        unsigned char c = (unsigned char)lower->text[end - 1];
        bool in_name = c == '_' || c >= 0x80 || (c >= '0' && c <= '9') ||
                       ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
        if (!in_name) {
            break;
        }
        end--;
    }
    return end;
}

static void lower_attribute(Lower *lower, Child child, Role role)
{
    Child name = {.start = name_start(lower, child.end), .end = child.end};
    NodeId id = lower_open(lower, NODE_ATTRIBUTE, role, child.start, child.end);
    lower_check_name(lower, name);
    lower_set_name(lower, id, name.start, name.end);
    lower->nodes.items[id].extra = name.start;
    lower_expression(lower, lower_nth(lower, child, 0), ROLE_VALUE, 0);
    lower_close(lower, id);
}

/* --- subscripts; also those that the parser calls types: `list[int]`, `A | B`, `A[b].c` */

static void lower_slice(Lower *lower, Child child, Role role)
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

void lower_subscript_items(Lower *lower, Children children, uint32_t from, uint32_t to)
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
            lower_expression(lower, part, tuple ? ROLE_ELT : ROLE_SLICE, ALLOW_NAMED | ALLOW_STAR);
        }
    }
    if (tuple) {
        lower_close(lower, id);
    }
}

static void lower_subscript(Lower *lower, Child child, Role role)
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

static void lower_type(Lower *lower, Child child, Role role, unsigned allow)
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
            wrong(lower, child);
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

/* --- displays */

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

/* --- starred expressions */

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
    } else if ((allow & ALLOW_STAR_CALL) == 0 && binds_loosely(operand)) {
        wrong(lower, child);
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
 * node begins behind the star, and the inner list_splat stands for its operand alone. */
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

/* --- targets */

/* Checks one target; tuples and lists put their elements on the list instead of recursing. */
static void check_target_node(Lower *lower, NodeId id, bool deleting)
{
    const Node *node = &lower->nodes.items[id];
    const char *en = NULL;
    switch ((NodeKind)node->kind) {
    case NODE_NAME:
    case NODE_ATTRIBUTE:
    case NODE_SUBSCRIPT:
    case NODE_TUPLE:
    case NODE_LIST:
        return;
    case NODE_STARRED:
        en = deleting ? "cannot delete starred" : NULL;
        if (id + 1 < lower->nodes.count && lower->nodes.items[id + 1].kind == NODE_STARRED) {
            en = "cannot assign to starred";
        }
        break;
    case NODE_CALL:
        en = deleting ? "cannot delete function call" : "cannot assign to function call";
        break;
    case NODE_CONSTANT:
        en = deleting ? "cannot delete literal" : "cannot assign to literal";
        break;
    default:
        en = deleting ? "cannot delete expression" : "cannot assign to expression";
        break;
    }
    if (en != NULL) {
        lower_error(lower, node->start, node->end, en,
                    deleting ? "该表达式不能删除" : "该表达式不能被赋值");
    }
}

void lower_check_target(Lower *lower, NodeId id, bool deleting)
{
    if (id >= lower->nodes.count) {
        return;
    }
    NodeId end = lower->nodes.items[id].subtree_end;
    while (id < end) {
        check_target_node(lower, id, deleting);
        uint8_t kind = lower->nodes.items[id].kind;
        bool descend = kind == NODE_TUPLE || kind == NODE_LIST || kind == NODE_STARRED;
        id = descend ? id + 1 : lower->nodes.items[id].subtree_end;
    }
}

void lower_target(Lower *lower, Child child, Role role)
{
    NodeId id = lower->nodes.count;
    lower_expression(lower, child, role, ALLOW_STAR);
    lower_check_target(lower, id, false);
}

/* --- dispatch */

static bool lower_atom(Lower *lower, Child child, Role role)
{
    switch (child.symbol) {
    case SYMBOL_IDENTIFIER:
        lower_name(lower, child, role);
        return true;
    case SYMBOL_INTEGER:
        lower_constant(lower, child, role, CONSTANT_INT);
        return true;
    case SYMBOL_FLOAT:
        lower_constant(lower, child, role, CONSTANT_FLOAT);
        return true;
    case SYMBOL_TRUE:
        lower_constant(lower, child, role, CONSTANT_TRUE);
        return true;
    case SYMBOL_FALSE:
        lower_constant(lower, child, role, CONSTANT_FALSE);
        return true;
    case SYMBOL_NONE:
        lower_constant(lower, child, role, CONSTANT_NONE);
        return true;
    case SYMBOL_ELLIPSIS:
        lower_constant(lower, child, role, CONSTANT_ELLIPSIS);
        return true;
    case SYMBOL_STRING:
    case SYMBOL_CONCATENATED_STRING:
        lower_string(lower, child, role, false);
        return true;
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

static void lower_call(Lower *lower, Child child, Role role)
{
    NodeId id = lower_open(lower, NODE_CALL, role, child.start, child.end);
    lower_expression(lower, lower_nth(lower, child, 0), ROLE_FUNC, 0);
    lower_call_arguments(lower, lower_nth(lower, child, 1), ROLE_ARG);
    lower_close(lower, id);
}

static void lower_list(Lower *lower, Child child, Role role, unsigned allow)
{
    Children parts = lower_children(lower, child.node);
    lower_expressions(lower, parts, 0, parts.count, role, allow);
    lower_release(lower, parts);
}

static void lower_restricted(Lower *lower, Child child, Role role, unsigned allow)
{
    if (child.symbol == SYMBOL_NAMED_EXPRESSION && (allow & ALLOW_NAMED) != 0) {
        lower_named(lower, child, role);
    } else if (child.symbol == SYMBOL_YIELD && (allow & ALLOW_YIELD) != 0) {
        lower_yield(lower, child, role);
    } else {
        wrong(lower, child);
        lower_leaf(lower, NODE_CONSTANT, role, child.start, child.end);
    }
}

/* Index of the last blanked star before an offset, or UINT32_MAX. */
static uint32_t star_before(const Lower *lower, uint32_t offset)
{
    uint32_t low = 0;
    uint32_t high = lower->lexed->stars.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (lower->lexed->stars.items[middle] < offset) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
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

/* An element that stands behind a blanked star. A list begins there, too, but the star is its first
 * element's. */
static bool lower_behind_star(Lower *lower, Child child, Role role, unsigned allow)
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

void lower_expression(Lower *lower, Child child, Role role, unsigned allow)
{
    if (lower_behind_star(lower, child, role, allow)) {
        return;
    }
    if (is_star_symbol(child)) {
        lower_starred(lower, child, role, allow);
        return;
    }
    if (child.start < child.end && lower->text[child.start] == '*' && child.start != lower->splat) {
        if (child.symbol == SYMBOL_TYPE || child.symbol == SYMBOL_EXPRESSION_LIST ||
            child.symbol == SYMBOL_PATTERN_LIST) {
            /* the star belongs to the first element */
        } else if (child.symbol != SYMBOL_DICTIONARY_SPLAT) {
            lower_leading_star(lower, child, role, allow);
            return;
        }
    }
    if (lower_atom(lower, child, role)) {
        return;
    }
    switch (child.symbol) {
    case SYMBOL_ATTRIBUTE:
        lower_attribute(lower, child, role);
        break;
    case SYMBOL_CALL:
        lower_call(lower, child, role);
        break;
    case SYMBOL_SUBSCRIPT:
    case SYMBOL_GENERIC_TYPE:
        lower_subscript(lower, child, role);
        break;
    case SYMBOL_BINARY_OPERATOR:
        lower_binary(lower, child, role);
        break;
    case SYMBOL_BOOLEAN_OPERATOR:
        lower_boolean(lower, child, role);
        break;
    case SYMBOL_COMPARISON_OPERATOR:
        lower_comparison(lower, child, role);
        break;
    case SYMBOL_UNARY_OPERATOR:
    case SYMBOL_NOT_OPERATOR:
        lower_unary(lower, child, role);
        break;
    case SYMBOL_CONDITIONAL_EXPRESSION:
        lower_conditional(lower, child, role);
        break;
    case SYMBOL_LAMBDA:
        lower_lambda(lower, child, role);
        break;
    case SYMBOL_AWAIT:
        lower_await(lower, child, role);
        break;
    case SYMBOL_SLICE:
        lower_slice(lower, child, role);
        break;
    case SYMBOL_EXPRESSION_LIST:
    case SYMBOL_PATTERN_LIST:
        lower_list(lower, child, role, allow);
        break;
    case SYMBOL_TYPE:
    case SYMBOL_UNION_TYPE:
    case SYMBOL_CONSTRAINED_TYPE:
    case SYMBOL_MEMBER_TYPE:
        lower_type(lower, child, role, allow);
        break;
    default: /* named expression, yield; and what cannot stand here: `a as b`, `**x` */
        lower_restricted(lower, child, role, allow);
        break;
    }
}
