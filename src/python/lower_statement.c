/* Lowering of statements. */
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

void lower_block(Lower *lower, Child block, Role role)
{
    if (!child_exists(block)) {
        return;
    }
    lower_statements(lower, block.node, role);
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

/* End of a compound statement's header: behind the first colon that is a child. */
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

/* `with (f() as x):` is one item in parentheses; the parser sees a parenthesised expression. */
static Child unwrap_item(Lower *lower, Child value)
{
    if (value.symbol != SYMBOL_PARENTHESIZED_EXPRESSION) {
        return value;
    }
    Children parts = lower_children(lower, value.node);
    Child inner = lower_child(lower, parts, 1);
    lower_release(lower, parts);
    return inner.symbol == SYMBOL_AS_PATTERN ? inner : value;
}

static void lower_with_item(Lower *lower, Child item)
{
    Children children = lower_children(lower, item.node);
    Child value = unwrap_item(lower, lower_field(lower, children, FIELD_VALUE));
    NodeId id = lower_open(lower, NODE_WITHITEM, ROLE_ITEM, item.start, item.end);
    if (value.symbol == SYMBOL_AS_PATTERN) {
        Children parts = lower_children(lower, value.node);
        lower_expression(lower, lower_child(lower, parts, 0), ROLE_CONTEXT_EXPR, 0);
        Child alias = lower_field(lower, parts, FIELD_ALIAS);
        Children inner = lower_children(lower, alias.node);
        lower_target(lower, lower_child(lower, inner, 0), ROLE_OPTIONAL_VARS);
        lower_release(lower, inner);
        lower_release(lower, parts);
    } else {
        lower_expression(lower, value, ROLE_CONTEXT_EXPR, 0);
    }
    lower_close(lower, id);
    lower_release(lower, children);
}

static void lower_with(Lower *lower, Child child, Role role)
{
    Children children = lower_children(lower, child.node);
    bool async = child_is_token(lower, lower_child(lower, children, 0), "async");
    NodeId id =
        lower_open(lower, async ? NODE_ASYNC_WITH : NODE_WITH, role, child.start, child.end);
    for (uint32_t i = 0; i < children.count; i++) {
        Child clause = lower_child(lower, children, i);
        if (clause.symbol != SYMBOL_WITH_CLAUSE) {
            continue;
        }
        Children items = lower_children(lower, clause.node);
        for (uint32_t j = 0; j < items.count; j++) {
            Child item = lower_child(lower, items, j);
            if (item.symbol == SYMBOL_WITH_ITEM) {
                lower_with_item(lower, item);
            } else if (j + 1 == items.count && child_is_token(lower, item, ",")) {
                lower_error(lower, item.start, item.end, "invalid syntax", "语法错误");
            }
        }
        lower_release(lower, items);
    }
    lower_block(lower, lower_field(lower, children, FIELD_BODY), ROLE_BODY);
    lower_close(lower, id);
    lower_release(lower, children);
}

/* What was seen of the handlers of one try statement. */
typedef struct Handlers {
    uint32_t count, plain, star;
} Handlers;

static void lower_handler_type(Lower *lower, Children children, Child value)
{
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
    lower_expression(lower, value, ROLE_TYPE, 0);
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
    } else if (value.symbol == SYMBOL_AS_PATTERN) {
        Children parts = lower_children(lower, value.node);
        lower_handler_type(lower, children, lower_child(lower, parts, 0));
        alias = lower_field(lower, parts, FIELD_ALIAS);
        lower_release(lower, parts);
    } else {
        lower_handler_type(lower, children, value);
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

/* --- simple statements */

static void lower_assigned(Lower *lower, Child right);

static void lower_aug_assign(Lower *lower, Child child, Role role)
{
    Children children = lower_children(lower, child.node);
    NodeId id = lower_open(lower, NODE_AUG_ASSIGN, role, child.start, child.end);
    Str op = STR("");
    Child token = lower_field(lower, children, FIELD_OPERATOR);
    op = lower_text(lower, token.start, token.end);
    static const struct {
        const char *text;
        ExprOperator op;
    } operators[] = {
        {"+=", OPERATOR_ADD},       {"-=", OPERATOR_SUB},      {"*=", OPERATOR_MULT},
        {"@=", OPERATOR_MAT_MULT},  {"/=", OPERATOR_DIV},      {"%=", OPERATOR_MOD},
        {"**=", OPERATOR_POW},      {"<<=", OPERATOR_L_SHIFT}, {">>=", OPERATOR_R_SHIFT},
        {"|=", OPERATOR_BIT_OR},    {"^=", OPERATOR_BIT_XOR},  {"&=", OPERATOR_BIT_AND},
        {"//=", OPERATOR_FLOOR_DIV}};
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        if (str_is(op, operators[i].text)) {
            lower->nodes.items[id].op = (uint8_t)operators[i].op;
        }
    }
    lower->nodes.items[id].extra = token.start;
    Child left = lower_field(lower, children, FIELD_LEFT);
    NodeId target = lower->nodes.count;
    lower_expression(lower, left, ROLE_TARGET, 0);
    NodeKind kind = (NodeKind)lower->nodes.items[target].kind;
    if (kind != NODE_NAME && kind != NODE_ATTRIBUTE && kind != NODE_SUBSCRIPT) {
        lower_error(lower, left.start, left.end, "illegal expression for augmented assignment",
                    "该表达式不能用于增量赋值");
    }
    Child right = lower_field(lower, children, FIELD_RIGHT);
    lower_assigned(lower, right);
    lower_close(lower, id);
    lower_release(lower, children);
}

static void lower_ann_assign(Lower *lower, Child child, Children children, Role role)
{
    NodeId id = lower_open(lower, NODE_ANN_ASSIGN, role, child.start, child.end);
    Child left = lower_field(lower, children, FIELD_LEFT);
    NodeId target = lower->nodes.count;
    lower_expression(lower, left, ROLE_TARGET, 0);
    NodeKind kind = (NodeKind)lower->nodes.items[target].kind;
    if (kind != NODE_NAME && kind != NODE_ATTRIBUTE && kind != NODE_SUBSCRIPT) {
        lower_error(lower, left.start, left.end, "illegal target for annotation",
                    "该表达式不能带类型标注");
    }
    lower_expression(lower, lower_field(lower, children, FIELD_TYPE), ROLE_ANNOTATION, 0);
    Child right = lower_field(lower, children, FIELD_RIGHT);
    if (child_exists(right)) {
        lower_assigned(lower, right);
    }
    lower_close(lower, id);
}

/* The value of an assignment; `a = b += 1` is none. */
static void lower_assigned(Lower *lower, Child right)
{
    if (right.symbol == SYMBOL_AUGMENTED_ASSIGNMENT || right.symbol == SYMBOL_ASSIGNMENT) {
        lower_error(lower, right.start, right.end, "invalid syntax", "语法错误");
    } else {
        lower_expression(lower, right, ROLE_VALUE, ALLOW_YIELD | ALLOW_STAR);
    }
}

/* Has `x: T` or `x: T = v` the form of an annotated assignment? A plain one is target, `=`,
 * value. */
static bool is_annotated(const Lower *lower, Child assignment)
{
    Child token = lower_nth(lower, assignment, 1);
    return lower->text[token.start] == ':';
}

/* `a = b = c` is one Assign with two targets; the parser nests it to the right. */
static void lower_assign(Lower *lower, Child child, Role role)
{
    if (is_annotated(lower, child)) {
        Children children = lower_children(lower, child.node);
        lower_ann_assign(lower, child, children, role);
        lower_release(lower, children);
        return;
    }
    NodeId id = lower_open(lower, NODE_ASSIGN, role, child.start, child.end);
    lower_target(lower, lower_nth(lower, child, 0), ROLE_TARGET);
    Child right = lower_nth(lower, child, 2);
    while (right.symbol == SYMBOL_ASSIGNMENT && !is_annotated(lower, right)) {
        lower_target(lower, lower_nth(lower, right, 0), ROLE_TARGET);
        right = lower_nth(lower, right, 2);
    }
    lower_assigned(lower, right);
    lower_close(lower, id);
}

static void lower_expression_statement(Lower *lower, Child child, Role role)
{
    Child first = lower_nth(lower, child, 0);
    child.start = lower_blanked_star(lower, child.start);
    if (first.symbol == SYMBOL_ASSIGNMENT) {
        first.start = child.start;
        lower_assign(lower, first, role);
        return;
    }
    if (first.symbol == SYMBOL_AUGMENTED_ASSIGNMENT) {
        lower_aug_assign(lower, first, role);
        return;
    }
    NodeId id = lower_open(lower, NODE_EXPR, role, child.start, child.end);
    if (ts_node_child_count(child.node) == 1) {
        lower_expression(lower, first, ROLE_VALUE, ALLOW_STAR | ALLOW_YIELD);
    } else {
        Children children = lower_children(lower, child.node);
        lower_expressions(lower, children, 0, children.count, ROLE_VALUE, ALLOW_STAR | ALLOW_YIELD);
        lower_release(lower, children);
    }
    lower_close(lower, id);
}

static void lower_raise(Lower *lower, Child child, Role role)
{
    Children children = lower_children(lower, child.node);
    NodeId id = lower_open(lower, NODE_RAISE, role, child.start, child.end);
    Child cause = lower_field(lower, children, FIELD_CAUSE);
    Child first = lower_child(lower, children, 1);
    if (first.symbol == SYMBOL_EXPRESSION_LIST) {
        lower_error(lower, first.start, first.end, "invalid syntax", "语法错误");
    } else if (child_exists(first) && first.symbol != SYMBOL_ANONYMOUS) {
        lower_expression(lower, first, ROLE_EXC, 0);
    }
    if (child_exists(cause)) {
        if (first.symbol == SYMBOL_ANONYMOUS) {
            lower_error(lower, first.start, first.end, "invalid syntax", "语法错误");
        }
        lower_expression(lower, cause, ROLE_CAUSE, 0);
    }
    lower_close(lower, id);
    lower_release(lower, children);
}

static void lower_assert(Lower *lower, Child child, Role role)
{
    Children children = lower_children(lower, child.node);
    NodeId id = lower_open(lower, NODE_ASSERT, role, child.start, child.end);
    Role part_role = ROLE_TEST;
    uint32_t parts = 0;
    for (uint32_t i = 1; i < children.count; i++) {
        Child part = lower_child(lower, children, i);
        if (part.symbol != SYMBOL_ANONYMOUS) {
            lower_expression(lower, part, part_role, 0);
            part_role = ROLE_MSG;
            parts++;
        }
    }
    if (parts > 2) {
        lower_error(lower, child.start, child.end, "invalid syntax", "语法错误");
    }
    lower_close(lower, id);
    lower_release(lower, children);
}

static void lower_delete(Lower *lower, Child child, Role role)
{
    Children children = lower_children(lower, child.node);
    NodeId id = lower_open(lower, NODE_DELETE, role, child.start, child.end);
    Child list = lower_child(lower, children, 1);
    if (list.symbol == SYMBOL_EXPRESSION_LIST) {
        Children parts = lower_children(lower, list.node);
        for (uint32_t i = 0; i < parts.count; i++) {
            if (lower_child(lower, parts, i).symbol != SYMBOL_ANONYMOUS) {
                NodeId target = lower->nodes.count;
                lower_expression(lower, lower_child(lower, parts, i), ROLE_TARGET, 0);
                lower_check_target(lower, target, true);
            }
        }
        lower_release(lower, parts);
    } else {
        NodeId target = lower->nodes.count;
        lower_expression(lower, list, ROLE_TARGET, 0);
        lower_check_target(lower, target, true);
    }
    lower_close(lower, id);
    lower_release(lower, children);
}

static void lower_return(Lower *lower, Child child, Role role)
{
    Children children = lower_children(lower, child.node);
    NodeId id = lower_open(lower, NODE_RETURN, role, child.start, child.end);
    if (children.count > 1) {
        lower_expressions(lower, children, 1, children.count, ROLE_VALUE, ALLOW_STAR);
    }
    lower_close(lower, id);
    lower_release(lower, children);
}

static void lower_scope_names(Lower *lower, Child child, NodeKind kind, Role role)
{
    Children children = lower_children(lower, child.node);
    lower_leaf(lower, kind, role, child.start, child.end);
    for (uint32_t i = 1; i < children.count; i++) {
        Child name = lower_child(lower, children, i);
        if (name.symbol == SYMBOL_IDENTIFIER) {
            lower_check_name(lower, name);
        }
    }
    lower_release(lower, children);
}

static void lower_type_alias(Lower *lower, Child child, Role role)
{
    Children children = lower_children(lower, child.node);
    NodeId id = lower_open(lower, NODE_TYPE_ALIAS, role, child.start, child.end);
    Child left = lower_field(lower, children, FIELD_LEFT);
    Children inner = lower_children(lower, left.node);
    Child name = lower_child(lower, inner, 0);
    Child parameters = {.symbol = SYMBOL_OTHER};
    Children generic = {lower->stack.count, 0};
    if (name.symbol == SYMBOL_GENERIC_TYPE) {
        generic = lower_children(lower, name.node);
        parameters = lower_child(lower, generic, 1);
        name = lower_child(lower, generic, 0);
    }
    if (name.symbol != SYMBOL_IDENTIFIER) {
        lower_error(lower, left.start, left.end, "invalid syntax", "语法错误");
    }
    lower_expression(lower, name, ROLE_NAME, 0);
    if (child_exists(parameters)) {
        lower_type_parameters(lower, parameters);
    }
    lower_release(lower, generic);
    lower_release(lower, inner);
    lower_expression(lower, lower_field(lower, children, FIELD_RIGHT), ROLE_VALUE, 0);
    lower_close(lower, id);
    lower_release(lower, children);
}

static void lower_compound(Lower *lower, Child child, Role role)
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

static void lower_statement(Lower *lower, Child child, Role role)
{
    switch (child.symbol) {
    case SYMBOL_EXPRESSION_STATEMENT:
        lower_expression_statement(lower, child, role);
        break;
    case SYMBOL_RETURN_STATEMENT:
        lower_return(lower, child, role);
        break;
    case SYMBOL_IMPORT_STATEMENT:
        lower_import(lower, child, role);
        break;
    case SYMBOL_IMPORT_FROM_STATEMENT:
    case SYMBOL_FUTURE_IMPORT_STATEMENT:
        lower_import_from(lower, child, role);
        break;
    case SYMBOL_PASS_STATEMENT:
        lower_leaf(lower, NODE_PASS, role, child.start, child.end);
        break;
    case SYMBOL_BREAK_STATEMENT:
        lower_leaf(lower, NODE_BREAK, role, child.start, child.end);
        break;
    case SYMBOL_CONTINUE_STATEMENT:
        lower_leaf(lower, NODE_CONTINUE, role, child.start, child.end);
        break;
    case SYMBOL_RAISE_STATEMENT:
        lower_raise(lower, child, role);
        break;
    case SYMBOL_ASSERT_STATEMENT:
        lower_assert(lower, child, role);
        break;
    case SYMBOL_DELETE_STATEMENT:
        lower_delete(lower, child, role);
        break;
    case SYMBOL_GLOBAL_STATEMENT:
        lower_scope_names(lower, child, NODE_GLOBAL, role);
        break;
    case SYMBOL_NONLOCAL_STATEMENT:
        lower_scope_names(lower, child, NODE_NONLOCAL, role);
        break;
    case SYMBOL_TYPE_ALIAS_STATEMENT:
        lower_type_alias(lower, child, role);
        break;
    case SYMBOL_ANONYMOUS: /* semicolons */
    case SYMBOL_OTHER:
    case SYMBOL_COMMENT:
        break;
    default:
        lower_compound(lower, child, role);
        break;
    }
}

static bool is_simple(Child child)
{
    switch (child.symbol) {
    case SYMBOL_IF_STATEMENT:
    case SYMBOL_FOR_STATEMENT:
    case SYMBOL_WHILE_STATEMENT:
    case SYMBOL_WITH_STATEMENT:
    case SYMBOL_TRY_STATEMENT:
    case SYMBOL_MATCH_STATEMENT:
    case SYMBOL_FUNCTION_DEFINITION:
    case SYMBOL_CLASS_DEFINITION:
    case SYMBOL_DECORATED_DEFINITION:
        return false;
    default:
        return true;
    }
}

/* First end of a logical line at or after an offset; offsets come in ascending order. */
static uint32_t next_newline(Lower *lower, uint32_t offset)
{
    while (lower->next_newline < lower->lexed->newlines.count &&
           lower->lexed->newlines.items[lower->next_newline] < offset) {
        lower->next_newline++;
    }
    return lower->next_newline < lower->lexed->newlines.count
               ? lower->lexed->newlines.items[lower->next_newline]
               : UINT32_MAX;
}

/* The parser is careless about line ends: it takes `x = a.` and the next line for one statement,
 * and `import a import b` for two. A simple statement lies within a logical line, and only `;` or a
 * line end separates two. */
static void check_line_ends(Lower *lower, Child child, bool separated)
{
    if (!separated && next_newline(lower, lower->previous_end) >= child.start) {
        lower_error(lower, child.start, child.start, "invalid syntax", "语法错误");
    }
    uint32_t newline = next_newline(lower, child.start);
    if (newline < child.end) {
        lower_error(lower, newline, newline, "invalid syntax", "语法错误");
    }
}

void lower_statements(Lower *lower, TSNode parent, Role role)
{
    Children children = lower_children(lower, parent);
    bool separated = true; /* by a semicolon, or nothing stands before */
    for (uint32_t i = 0; i < children.count; i++) {
        Child child = lower_child(lower, children, i);
        if (child.symbol == SYMBOL_ANONYMOUS) {
            separated = true;
            continue;
        }
        if (is_simple(child)) {
            check_line_ends(lower, child, separated);
            lower->previous_end = child.end;
            separated = false;
        } else {
            separated = true; /* check_line_start sees to it */
        }
        lower_statement(lower, child, role);
    }
    lower_release(lower, children);
}
