/* Lowering of compound statements: if, loops, with, try. */
#include "python/lower.h"

/* A compound statement must be the first thing on its line; the parser lets `if x: if y: pass`
 * pass. */
static void check_line_start(Lower *lower, uint32_t start)
{
    for (uint32_t i = start; i > lower->base; i--) {
        char c = lower->text[i - 1];
        if (c == '\n') {
            return;
        }
        if (c != ' ' && c != '\t' && c != '\f') {
            lower_error(lower, start, start, "invalid syntax", "语法错误");
            return;
        }
    }
}

static void lower_else(Lower *lower, Child clause)
{
    if (!child_exists(clause)) {
        return;
    }
    Children children = lower_children(lower, clause.node);
    lower_block(lower, lower_field(lower, children, FIELD_BODY), ROLE_ORELSE);
    lower_release(lower, children);
}

/* elif chains are nested Ifs in `ast`; a long chain must not recurse. */
static void lower_if(Lower *lower, Child child, Role role)
{
    uint32_t outer_depth = lower->depth;
    NodeId outer_parent = lower->parent;
    Children children = lower_children(lower, child.node);
    NodeId first = lower_open(lower, NODE_IF, role, child.start, child.end);
    lower_expression(lower, lower_field(lower, children, FIELD_CONDITION), ROLE_TEST, ALLOW_NAMED);
    lower_block(lower, lower_field(lower, children, FIELD_CONSEQUENCE), ROLE_BODY);
    for (uint32_t i = 0; i < children.count; i++) {
        Child part = lower_child(lower, children, i);
        if (part.field != FIELD_ALTERNATIVE) {
            continue;
        }
        if (part.symbol == SYMBOL_ELSE_CLAUSE) {
            lower_else(lower, part);
            continue;
        }
        Children inner = lower_children(lower, part.node);
        lower_open(lower, NODE_IF, ROLE_ORELSE, part.start, child.end);
        lower_expression(lower, lower_field(lower, inner, FIELD_CONDITION), ROLE_TEST, ALLOW_NAMED);
        lower_block(lower, lower_field(lower, inner, FIELD_CONSEQUENCE), ROLE_BODY);
        lower_release(lower, inner);
    }
    lower_release(lower, children);
    for (NodeId id = lower->parent; id != first; id = lower->parent) {
        lower_close(lower, id);
    }
    lower_close(lower, first);
    lower->depth = outer_depth;
    lower->parent = outer_parent;
}

/* End of a compound statement's header: after the first colon that is a child. */
static uint32_t header_end(const Lower *lower, Children children, uint32_t otherwise)
{
    for (uint32_t i = 0; i < children.count; i++) {
        Child child = lower_child(lower, children, i);
        if (child.field == FIELD_NONE && child_is_token(lower, child, ":")) {
            return child.end;
        }
    }
    return otherwise;
}

static void lower_while(Lower *lower, Child child, Role role)
{
    Children children = lower_children(lower, child.node);
    NodeId id = lower_open(lower, NODE_WHILE, role, child.start, child.end);
    lower->nodes.items[id].extra = header_end(lower, children, child.end);
    lower_expression(lower, lower_field(lower, children, FIELD_CONDITION), ROLE_TEST, ALLOW_NAMED);
    lower_block(lower, lower_field(lower, children, FIELD_BODY), ROLE_BODY);
    lower_else(lower, lower_field(lower, children, FIELD_ALTERNATIVE));
    lower_close(lower, id);
    lower_release(lower, children);
}

static void lower_for(Lower *lower, Child child, Role role)
{
    Children children = lower_children(lower, child.node);
    bool async = child_is_token(lower, lower_child(lower, children, 0), "async");
    NodeId id = lower_open(lower, async ? NODE_ASYNC_FOR : NODE_FOR, role, child.start, child.end);
    lower->nodes.items[id].extra = header_end(lower, children, child.end);
    lower_target(lower, lower_field(lower, children, FIELD_LEFT), ROLE_TARGET);
    lower_expression(lower, lower_field(lower, children, FIELD_RIGHT), ROLE_ITER, ALLOW_STAR);
    lower_block(lower, lower_field(lower, children, FIELD_BODY), ROLE_BODY);
    lower_else(lower, lower_field(lower, children, FIELD_ALTERNATIVE));
    lower_close(lower, id);
    lower_release(lower, children);
}

/* `with (f() as x):` and `with (f() as x,):` have one item; the parser sees an expression in
 * parentheses. */
static AsPattern find_item(Lower *lower, Child value, bool alone)
{
    uint32_t count = ts_node_child_count(value.node);
    if (alone && (value.symbol == SYMBOL_PARENTHESIZED_EXPRESSION ||
                  (value.symbol == SYMBOL_TUPLE && count == 4))) {
        AsPattern inner = lower_find_as(lower, lower_nth(lower, value, 1));
        if (child_exists(inner.alias)) {
            return inner;
        }
    }
    return lower_find_as(lower, value);
}

static void lower_with_item(Lower *lower, Child item, bool alone)
{
    Children children = lower_children(lower, item.node);
    AsPattern pattern = find_item(lower, lower_field(lower, children, FIELD_VALUE), alone);
    NodeId id = lower_open(lower, NODE_WITHITEM, ROLE_ITEM, item.start, item.end);
    lower_as_value(lower, &pattern, ROLE_CONTEXT_EXPR);
    if (child_exists(pattern.alias)) {
        lower_target(lower, lower_nth(lower, pattern.alias, 0), ROLE_OPTIONAL_VARS);
    }
    lower_close(lower, id);
    lower_release(lower, children);
}

static void lower_with_clause(Lower *lower, Child clause)
{
    Children items = lower_children(lower, clause.node);
    for (uint32_t i = 0; i < items.count; i++) {
        Child item = lower_child(lower, items, i);
        if (item.symbol == SYMBOL_WITH_ITEM) {
            lower_with_item(lower, item, items.count == 1);
        } else if (i + 1 == items.count && child_is_token(lower, item, ",")) {
            lower_error(lower, item.start, item.end, "invalid syntax", "语法错误");
        }
    }
    lower_release(lower, items);
}

static void lower_with(Lower *lower, Child child, Role role)
{
    Children children = lower_children(lower, child.node);
    bool async = child_is_token(lower, lower_child(lower, children, 0), "async");
    NodeId id =
        lower_open(lower, async ? NODE_ASYNC_WITH : NODE_WITH, role, child.start, child.end);
    for (uint32_t i = 0; i < children.count; i++) {
        Child clause = lower_child(lower, children, i);
        if (clause.symbol == SYMBOL_WITH_CLAUSE) {
            lower_with_clause(lower, clause);
        }
    }
    lower_block(lower, lower_field(lower, children, FIELD_BODY), ROLE_BODY);
    lower_close(lower, id);
    lower_release(lower, children);
}

/* What was seen of the handlers of one try statement. */
typedef struct Handlers {
    uint32_t count, plain, star;
} Handlers;

static void lower_handler_type(Lower *lower, Children children, const AsPattern *pattern)
{
    Child value = pattern->value;
    Child next = lower_child(lower, children, 0);
    for (uint32_t i = 0; i < children.count; i++) {
        Child part = lower_child(lower, children, i);
        if (part.field == FIELD_VALUE && part.start != value.start) {
            next = part;
            lower_error(lower, value.start, next.end,
                        "multiple exception types must be parenthesized", "多个异常类型必须加括号");
            break;
        }
    }
    lower_as_value(lower, pattern, ROLE_TYPE);
}

static void lower_handler(Lower *lower, Child clause, Handlers *seen)
{
    Children children = lower_children(lower, clause.node);
    Child value = lower_field(lower, children, FIELD_VALUE);
    bool star = child_is_token(lower, lower_child(lower, children, 1), "*");
    seen->count++;
    seen->star += star;
    seen->plain += !star;
    NodeId id = lower_open(lower, NODE_EXCEPT_HANDLER, ROLE_HANDLER, clause.start, clause.end);
    Child alias = lower_field(lower, children, FIELD_ALIAS);
    if (!child_exists(value)) {
        if (star) {
            lower_error(lower, clause.start, clause.start, "expected one or more exception types",
                        "此处应为一个或多个异常类型");
        }
    } else {
        AsPattern pattern = lower_find_as(lower, value);
        lower_handler_type(lower, children, &pattern);
        alias = child_exists(pattern.alias) ? pattern.alias : alias;
    }
    if (child_exists(alias) || alias.start < alias.end) {
        Children name = lower_children(lower, alias.node);
        Child inner = name.count > 0 ? lower_child(lower, name, 0) : alias;
        lower_release(lower, name);
        if (inner.symbol != SYMBOL_IDENTIFIER) {
            lower_error(lower, alias.start, alias.end, "invalid syntax", "语法错误");
        }
        lower_check_name(lower, inner);
        lower_set_name(lower, id, alias.start, alias.end);
        lower->nodes.items[id].extra = alias.start;
    }
    for (uint32_t i = 0; i < children.count; i++) {
        if (lower_child(lower, children, i).symbol == SYMBOL_BLOCK) {
            lower_block(lower, lower_child(lower, children, i), ROLE_BODY);
        }
    }
    lower_close(lower, id);
    lower_release(lower, children);
}

static void lower_try(Lower *lower, Child child, Role role)
{
    Children children = lower_children(lower, child.node);
    NodeId id = lower_open(lower, NODE_TRY, role, child.start, child.end);
    Handlers seen = {0};
    bool has_finally = false;
    lower_block(lower, lower_field(lower, children, FIELD_BODY), ROLE_BODY);
    for (uint32_t i = 0; i < children.count; i++) {
        Child part = lower_child(lower, children, i);
        if (part.symbol == SYMBOL_EXCEPT_CLAUSE) {
            lower_handler(lower, part, &seen);
        } else if (part.symbol == SYMBOL_ELSE_CLAUSE) {
            if (seen.count == 0) {
                lower_error(lower, part.start, part.start, "expected 'except' or 'finally' block",
                            "此处应为 'except' 或 'finally' 块");
            }
            lower_else(lower, part);
        } else if (part.symbol == SYMBOL_FINALLY_CLAUSE) {
            has_finally = true;
            Children inner = lower_children(lower, part.node);
            for (uint32_t j = 0; j < inner.count; j++) {
                if (lower_child(lower, inner, j).symbol == SYMBOL_BLOCK) {
                    lower_block(lower, lower_child(lower, inner, j), ROLE_FINALBODY);
                }
            }
            lower_release(lower, inner);
        }
    }
    if (seen.count == 0 && !has_finally) {
        lower_error(lower, child.start, child.start, "expected 'except' or 'finally' block",
                    "此处应为 'except' 或 'finally' 块");
    }
    if (seen.plain > 0 && seen.star > 0) {
        lower_error(lower, child.start, child.start,
                    "cannot have both 'except' and 'except*' on the same 'try'",
                    "同一个 'try' 不能同时有 'except' 和 'except*'");
    }
    if (seen.star > 0) {
        lower->nodes.items[id].kind = NODE_TRY_STAR;
    }
    lower_close(lower, id);
    lower_release(lower, children);
}

void lower_compound(Lower *lower, Child child, Role role)
{
    check_line_start(lower, child.start);
    switch (child.symbol) {
    case SYMBOL_IF_STATEMENT:
        lower_if(lower, child, role);
        break;
    case SYMBOL_FOR_STATEMENT:
        lower_for(lower, child, role);
        break;
    case SYMBOL_WHILE_STATEMENT:
        lower_while(lower, child, role);
        break;
    case SYMBOL_WITH_STATEMENT:
        lower_with(lower, child, role);
        break;
    case SYMBOL_TRY_STATEMENT:
        lower_try(lower, child, role);
        break;
    case SYMBOL_MATCH_STATEMENT:
        lower_match(lower, child, role);
        break;
    default:
        lower_definition(lower, child, role);
        break;
    }
}
