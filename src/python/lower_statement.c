/* Lowering of statements: dispatch by kind, and where one ends. */
#include "python/lower.h"

void lower_block(Lower *lower, Child block, Role role)
{
    if (!child_exists(block)) {
        return;
    }
    lower_statements(lower, block.node, role);
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
