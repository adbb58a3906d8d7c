/* Ceil division; see ceil_division.h. */
#include "rules/ceil_division.h"

/* Does `expression + 1` need no parentheses around the expression? */
static bool binds_tightly(const Module *module, NodeId expression)
{
    switch (node_kind(module, expression)) {
    case NODE_NAME:
    case NODE_ATTRIBUTE:
    case NODE_SUBSCRIPT:
    case NODE_CALL:
    case NODE_CONSTANT:
        return true;
    default:
        return false;
    }
}

static bool is_ceil_of(const Module *module, NodeId call, NodeId argument)
{
    return node_is(module, call, NODE_CALL) && call_arg(module, call, 0) == argument &&
           (str_is(call_name(module, call), "ceil") ||
            str_is(call_attribute(module, call), "ceil"));
}

Str ceil_division(Arena *arena, const Module *module, NodeId quotient)
{
    if (!node_is(module, quotient, NODE_BIN_OP) || node_at(module, quotient)->op != OPERATOR_DIV ||
        !is_ceil_of(module, node_at(module, quotient)->parent, quotient)) {
        return STR("");
    }
    NodeId left = node_child(module, quotient, ROLE_LEFT);
    NodeId right = node_child(module, quotient, ROLE_RIGHT);
    bool plain = binds_tightly(module, left);
    Str dividend = str_format(arena, "%s%.*s%s", plain ? "" : "(", STR_ARG(node_text(module, left)),
                              plain ? "" : ")");
    int64_t size;
    if (node_int(module, right, true, &size)) {
        return size < 1 ? STR("")
                        : str_format(arena, "(%.*s + %lld) // %lld", STR_ARG(dividend),
                                     (long long)(size - 1), (long long)size);
    }
    Str divisor = node_text(module, right);
    return binds_tightly(module, right)
               ? str_format(arena, "(%.*s + %.*s - 1) // %.*s", STR_ARG(dividend), STR_ARG(divisor),
                            STR_ARG(divisor))
               : STR("");
}
