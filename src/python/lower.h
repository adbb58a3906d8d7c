/* Lowering: the parser's concrete tree -> Ast. Private to lower*.c and parse*.c; only these and
 * parser_language.h include tree_sitter/api.h. Lowering also finds the grammar errors that the
 * parser lets pass. */
#ifndef PYPTO_LINT_PYTHON_LOWER_H
#define PYPTO_LINT_PYTHON_LOWER_H

#include "python/lexer.h"
#include "python/parse.h"

#include <tree_sitter/api.h>

typedef enum Symbol {
    SYMBOL_OTHER,     /* hidden, unknown */
    SYMBOL_ANONYMOUS, /* a token: punctuation or a keyword */
#define SYMBOL(name, text) SYMBOL_##name,
#include "python/symbols.def"
#undef SYMBOL
    SYMBOL_COUNT,
} Symbol;

typedef enum GrammarField {
    FIELD_NONE,
#define FIELD(name, text) FIELD_##name,
#include "python/fields.def"
#undef FIELD
} GrammarField;

/* A child of a concrete node. */
typedef struct Child {
    TSNode node;
    uint32_t start, end;
    uint8_t symbol; /* Symbol */
    uint8_t field;  /* GrammarField */
} Child;

/* A level of the tree takes up to two walks: one for the node, one for what does not become a node
 * (`(x)`, the parser's "type"). */
enum { LOWER_MAX_WALKS = 2 * PARSE_MAX_DEPTH };

typedef struct Lower {
    Arena *arena;
    const Source *source;
    const char *text; /* cleaned text that was parsed, from offset 0 of the source */
    uint32_t base;    /* offset of what was parsed in it */
    const Lexed *lexed;
    uint32_t next_newline; /* index into lexed->newlines: those before have been passed */
    uint32_t previous_end; /* end of the simple statement before */
    bool *star_used;       /* which of lexed->stars have become Starred nodes */
    TSTreeCursor cursor;
    VEC(Child) stack; /* children of the nodes being lowered */
    VEC(Node) nodes;
    SyntaxErrors *errors;
    NodeId parent;  /* innermost open node */
    uint32_t depth; /* its distance from the module, plus 1 */
    uint32_t walks; /* expressions and patterns that are being lowered, one inside the other */
    uint32_t splat; /* offset of a `*` whose operand is being lowered (see lower_star.c) */
    uint32_t splat_operand; /* where that operand begins */
    uint32_t as_start;      /* offset of an `as_pattern` that stands for its value, or UINT32_MAX */
} Lower;

/* Children of a node (their fields only where lowering asks for them), on the stack from `first`;
 * lower_release gives the place back. */
typedef struct Children {
    uint32_t first, count;
} Children;

/* What may stand unparenthesised at a place. */
enum {
    ALLOW_NAMED = 1,
    ALLOW_STAR = 2, /* `*` and an operand of the precedence of `|` or higher */
    ALLOW_YIELD = 4,
    ALLOW_STAR_CALL = 8, /* `*` and any expression: in calls */
};

/* --- parse.c: the parser, in the present heap */
TSTree *parser_run(const char *text, uint32_t length);

/* --- lower.c: nodes and children */
/* Before the first parse of a run, and again at will. */
void lower_prepare(void);
Children lower_children(Lower *lower, TSNode node);
void lower_release(Lower *lower, Children children);
Child lower_child(const Lower *lower, Children children, uint32_t index);
/* First child in a field; its symbol is SYMBOL_OTHER and its node null if there is none. */
Child lower_field(const Lower *lower, Children children, GrammarField field);
static inline bool child_exists(Child child)
{
    return child.symbol != SYMBOL_OTHER;
}
/* A node as a child, with its field if that is known. */
Child lower_as_child(const Lower *lower, TSNode node, GrammarField field);
/* The nth child (from 0) without collecting the others; only where the grammar fixes its place. */
static inline Child lower_nth(const Lower *lower, Child parent, uint32_t n)
{
    return lower_as_child(lower, ts_node_child(parent.node, n), FIELD_NONE);
}
/* True for the token with this text. */
bool child_is_token(const Lower *lower, Child child, const char *text);
/* Around everything that recurses without opening a node, such as `(x)`: refuses the text when that
 * is too deep for the count or for this thread's stack. */
void lower_enter(Lower *lower, uint32_t at);
void lower_leave(Lower *lower);
/* Opens a node; as lower_enter, too deep a node is refused. */
NodeId lower_open(Lower *lower, NodeKind kind, Role role, uint32_t start, uint32_t end);
void lower_close(Lower *lower, NodeId id);
NodeId lower_leaf(Lower *lower, NodeKind kind, Role role, uint32_t start, uint32_t end);
void lower_set_name(Lower *lower, NodeId id, uint32_t start, uint32_t end);
Str lower_text(const Lower *lower, uint32_t start, uint32_t end);
void lower_error(Lower *lower, uint32_t start, uint32_t end, const char *en, const char *zh);
/* "invalid syntax" at a child. */
void lower_invalid(Lower *lower, Child child);
/* Reports a name that is missing (empty) or a reserved word. */
void lower_check_name(Lower *lower, Child name);

/* --- lower_as.c */

/* `value as alias` in a with item or an except clause. */
typedef struct AsPattern {
    Child value;       /* the expression; its node may be that of the whole */
    Child alias;       /* SYMBOL_OTHER when there is none */
    uint32_t as_start; /* for lower_as_value */
} AsPattern;
/* Reads an expression that may have an `as`. */
AsPattern lower_find_as(Lower *lower, Child child);
/* Lowers the value alone. */
void lower_as_value(Lower *lower, const AsPattern *pattern, Role role);

/* --- lower_statement.c */
void lower_statements(Lower *lower, TSNode parent, Role role);
void lower_block(Lower *lower, Child block, Role role);

/* --- lower_compound.c: any other statement, definitions included */
void lower_compound(Lower *lower, Child child, Role role);

/* --- lower_simple.c */
void lower_expression_statement(Lower *lower, Child child, Role role);
void lower_raise(Lower *lower, Child child, Role role);
void lower_assert(Lower *lower, Child child, Role role);
void lower_delete(Lower *lower, Child child, Role role);
void lower_return(Lower *lower, Child child, Role role);
void lower_scope_names(Lower *lower, Child child, NodeKind kind, Role role);
void lower_type_alias(Lower *lower, Child child, Role role);

/* --- lower_import.c */
void lower_import(Lower *lower, Child child, Role role);
void lower_import_from(Lower *lower, Child child, Role role);

/* --- lower_definition.c */
void lower_definition(Lower *lower, Child child, Role role);
void lower_parameters(Lower *lower, Child parameters, Role role, uint32_t at);
void lower_type_parameters(Lower *lower, Child parameters);

/* --- lower_expression.c */
void lower_expression(Lower *lower, Child child, Role role, unsigned allow);

/* --- lower_display.c */

/* A display, or something in parentheses; false when it is another expression. */
bool lower_display(Lower *lower, Child child, Role role);
/* One or more comma-separated expressions among `children` from index `from` to `to` (exclusive): a
 * Tuple when there is a comma. */
void lower_expressions(Lower *lower, Children children, uint32_t from, uint32_t to, Role role,
                       unsigned allow);

/* --- lower_star.c */

/* An expression with a star; false when it has none. */
bool lower_star(Lower *lower, Child child, Role role, unsigned allow);
/* Offset of the blanked `*` whose operand begins at `start`, or `start` itself when there is
 * none. */
uint32_t lower_blanked_star(const Lower *lower, uint32_t start);

/* --- lower_target.c */

/* An assignment target; reports what cannot be one. */
void lower_target(Lower *lower, Child child, Role role);
/* Reports an expression node that cannot be assigned to (or deleted). */
void lower_check_target(Lower *lower, NodeId id, bool deleting);

/* --- lower_call.c */
void lower_call_arguments(Lower *lower, Child arguments, Role positional);
void lower_comprehension(Lower *lower, Child child, Role role);

/* --- lower_subscript.c */
void lower_subscript(Lower *lower, Child child, Role role);
void lower_slice(Lower *lower, Child child, Role role);
void lower_type(Lower *lower, Child child, Role role, unsigned allow);

/* --- lower_operator.c */
void lower_binary(Lower *lower, Child child, Role role);
/* A chain of `&` `^` `|`, also the parser's union_type. */
void lower_bits(Lower *lower, Child child, Role role);
void lower_boolean(Lower *lower, Child child, Role role);
void lower_comparison(Lower *lower, Child child, Role role);
void lower_unary(Lower *lower, Child child, Role role);

/* --- lower_string.c */
void lower_string(Lower *lower, Child child, Role role, bool pattern);

/* --- lower_pattern.c, lower_match.c */
void lower_pattern(Lower *lower, Child child, Role role);
/* Does the pattern begin with a star? */
bool pattern_is_star(const Lower *lower, Child child);
void lower_match(Lower *lower, Child child, Role role);

#endif
