/* Lowering of simple statements: assignments, raise, assert, del, return, global, type aliases. */
#include "python/lower.h"

/* The value of an assignment; `a = b += 1` is not one. */
static void lower_assigned(Lower *lower, Child right)
{
    if (right.symbol == SYMBOL_AUGMENTED_ASSIGNMENT || right.symbol == SYMBOL_ASSIGNMENT) {
        lower_error(lower, right.start, right.end, "invalid syntax", "语法错误");
    } else {
        lower_expression(lower, right, ROLE_VALUE, ALLOW_YIELD | ALLOW_STAR);
    }
}

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

void lower_expression_statement(Lower *lower, Child child, Role role)
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

void lower_raise(Lower *lower, Child child, Role role)
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

void lower_assert(Lower *lower, Child child, Role role)
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

void lower_delete(Lower *lower, Child child, Role role)
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

void lower_return(Lower *lower, Child child, Role role)
{
    Children children = lower_children(lower, child.node);
    NodeId id = lower_open(lower, NODE_RETURN, role, child.start, child.end);
    if (children.count > 1) {
        lower_expressions(lower, children, 1, children.count, ROLE_VALUE, ALLOW_STAR);
    }
    lower_close(lower, id);
    lower_release(lower, children);
}

void lower_scope_names(Lower *lower, Child child, NodeKind kind, Role role)
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

void lower_type_alias(Lower *lower, Child child, Role role)
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
