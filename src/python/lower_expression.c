/* Lowering of expressions: names, constants, and forms that have no file of their own; and dispatch
 * to those files. */
#include "python/lower.h"

#include "base/ascii.h"

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
    lower_parameters(lower, lower_field(lower, parts, FIELD_PARAMETERS), ROLE_ARGUMENTS,
                     child.start);
    lower_expression(lower, lower_field(lower, parts, FIELD_BODY), ROLE_BODY, 0);
    lower_close(lower, id);
    lower_release(lower, parts);
}

/* `name := a if b else c` is for the parser a conditional of `name := a`. */
static void lower_conditional(Lower *lower, Child child, Role role, unsigned allow)
{
    Children parts = lower_children(lower, child.node);
    Child body = lower_child(lower, parts, 0);
    bool named = body.symbol == SYMBOL_NAMED_EXPRESSION && (allow & ALLOW_NAMED) != 0;
    NodeId outer = NO_NODE;
    if (named) {
        outer = lower_open(lower, NODE_NAMED_EXPR, role, child.start, child.end);
        lower_name(lower, lower_nth(lower, body, 0), ROLE_TARGET);
        body = lower_nth(lower, body, 2);
        role = ROLE_VALUE;
    }
    NodeId id = lower_open(lower, NODE_IF_EXP, role, body.start, child.end);
    lower_expression(lower, lower_child(lower, parts, 2), ROLE_TEST, 0);
    lower_expression(lower, body, ROLE_BODY, 0);
    lower_expression(lower, lower_child(lower, parts, 4), ROLE_ORELSE, 0);
    lower_close(lower, id);
    if (named) {
        lower_close(lower, outer);
    }
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

/* `await x ** y` is `(await x) ** y`; the parser reads `await (x ** y)`. */
static void lower_await(Lower *lower, Child child, Role role)
{
    Child operand = lower_nth(lower, child, 1);
    Child power = {.symbol = SYMBOL_OTHER};
    NodeId outer = NO_NODE;
    if (operand.symbol == SYMBOL_BINARY_OPERATOR) {
        power = operand;
        operand = lower_nth(lower, power, 0);
        outer = lower_open(lower, NODE_BIN_OP, role, child.start, child.end);
        lower->nodes.items[outer].op = OPERATOR_POW;
        lower->nodes.items[outer].extra = lower_nth(lower, power, 1).start;
        role = ROLE_LEFT;
    }
    if (operand.symbol == SYMBOL_UNARY_OPERATOR || operand.symbol == SYMBOL_AWAIT) {
        lower_invalid(lower, operand);
    }
    NodeId id = lower_open(lower, NODE_AWAIT, role, child.start, operand.end);
    lower_expression(lower, operand, ROLE_VALUE, 0);
    lower_close(lower, id);
    if (child_exists(power)) {
        lower_expression(lower, lower_nth(lower, power, 2), ROLE_RIGHT, 0);
        lower_close(lower, outer);
    }
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
        char c = lower->text[end - 1];
        if (!is_word_char(c) && (unsigned char)c < 0x80) {
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

/* --- dispatch */

/* A number that is a name in the source: see lex_adapt_subscript. */
static bool is_altered_name(const Lower *lower, Child number)
{
    char first = lower->source->text.at[number.start];
    return !is_digit(first);
}

static bool lower_atom(Lower *lower, Child child, Role role)
{
    switch (child.symbol) {
    case SYMBOL_IDENTIFIER:
        lower_name(lower, child, role);
        return true;
    case SYMBOL_INTEGER:
        if (is_altered_name(lower, child)) {
            lower_name(lower, child, role);
        } else {
            lower_constant(lower, child, role, CONSTANT_INT);
        }
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
    default:
        return lower_display(lower, child, role);
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
    } else if (child.symbol == SYMBOL_AS_PATTERN && child.start == lower->as_start) {
        lower_expression(lower, lower_nth(lower, child, 0), role, 0);
    } else {
        lower_invalid(lower, child);
        lower_leaf(lower, NODE_CONSTANT, role, child.start, child.end);
    }
}

static void lower_operation(Lower *lower, Child child, Role role, unsigned allow)
{
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
        lower_conditional(lower, child, role, allow);
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

void lower_expression(Lower *lower, Child child, Role role, unsigned allow)
{
    lower_enter(lower, child.start);
    if (!lower_star(lower, child, role, allow) && !lower_atom(lower, child, role)) {
        lower_operation(lower, child, role, allow);
    }
    lower_leave(lower);
}
