/* Ast: a compact syntax tree with the node kinds and fields of Python's own `ast` module.
 *
 * Nodes lie in one array in pre-order, the children of a node in the order of the fields of `ast`
 * (docs/internals/python-model.md, "Order"): a def's parameters, body, decorators, return
 * annotation; a dict's keys before its values; a conditional expression's test first. So the
 * subtree of node n is the id range [n, subtree_end), the first child is n + 1, and "level order"
 * is order by (depth, id). Source order is order by `start`. */
#ifndef PYPTO_LINT_PYTHON_AST_H
#define PYPTO_LINT_PYTHON_AST_H

#include "python/source.h"

typedef uint32_t NodeId;
#define NO_NODE UINT32_MAX

/* Kinds, named as in `ast`. ORDER NODE_KIND: node_kind_names[] in ast.c. */
typedef enum NodeKind {
    NODE_MODULE,
    /* statements */
    NODE_FUNCTION_DEF,
    NODE_ASYNC_FUNCTION_DEF,
    NODE_CLASS_DEF,
    NODE_RETURN,
    NODE_DELETE,
    NODE_ASSIGN,
    NODE_AUG_ASSIGN,
    NODE_ANN_ASSIGN,
    NODE_TYPE_ALIAS,
    NODE_FOR,
    NODE_ASYNC_FOR,
    NODE_WHILE,
    NODE_IF,
    NODE_WITH,
    NODE_ASYNC_WITH,
    NODE_MATCH,
    NODE_RAISE,
    NODE_TRY,
    NODE_TRY_STAR,
    NODE_ASSERT,
    NODE_IMPORT,
    NODE_IMPORT_FROM,
    NODE_GLOBAL,
    NODE_NONLOCAL,
    NODE_EXPR, /* expression statement */
    NODE_PASS,
    NODE_BREAK,
    NODE_CONTINUE,
    /* expressions */
    NODE_BOOL_OP,
    NODE_NAMED_EXPR,
    NODE_BIN_OP,
    NODE_UNARY_OP,
    NODE_LAMBDA,
    NODE_IF_EXP,
    NODE_DICT,
    NODE_SET,
    NODE_LIST_COMP,
    NODE_SET_COMP,
    NODE_DICT_COMP,
    NODE_GENERATOR_EXP,
    NODE_AWAIT,
    NODE_YIELD,
    NODE_YIELD_FROM,
    NODE_COMPARE,
    NODE_CALL,
    NODE_FORMATTED_VALUE,
    NODE_JOINED_STR,
    NODE_CONSTANT,
    NODE_ATTRIBUTE,
    NODE_SUBSCRIPT,
    NODE_STARRED,
    NODE_NAME,
    NODE_LIST,
    NODE_TUPLE,
    NODE_SLICE,
    /* the rest */
    NODE_COMPREHENSION,
    NODE_EXCEPT_HANDLER,
    NODE_ARGUMENTS,
    NODE_ARG,
    NODE_KEYWORD,
    NODE_ALIAS,
    NODE_WITHITEM,
    NODE_MATCH_CASE,
    NODE_MATCH_VALUE,
    NODE_MATCH_SINGLETON,
    NODE_MATCH_SEQUENCE,
    NODE_MATCH_MAPPING,
    NODE_MATCH_CLASS,
    NODE_MATCH_STAR,
    NODE_MATCH_AS,
    NODE_MATCH_OR,
    NODE_TYPE_VAR,
    NODE_PARAM_SPEC,
    NODE_TYPE_VAR_TUPLE,
    NODE_KIND_COUNT
} NodeKind;

/* The field of the parent that a node is in, named as in `ast`; list fields in the singular. */
typedef enum Role {
    ROLE_NONE, /* the module */
    ROLE_BODY,
    ROLE_ORELSE,
    ROLE_FINALBODY,
    ROLE_HANDLER,
    ROLE_DECORATOR,
    ROLE_RETURNS,
    ROLE_BASE,
    ROLE_KEYWORD,
    ROLE_TYPE_PARAM,
    ROLE_ARGUMENTS,  /* `args` of a def or lambda: the NODE_ARGUMENTS node */
    ROLE_POSONLYARG, /* parameters, in NODE_ARGUMENTS */
    ROLE_PARAM,      /* ordinary (positional-or-keyword) parameter: `args` of `arguments` */
    ROLE_VARARG,
    ROLE_KWONLYARG,
    ROLE_KW_DEFAULT,
    ROLE_KWARG,
    ROLE_DEFAULT,
    ROLE_ANNOTATION,
    ROLE_TARGET,
    ROLE_VALUE,
    ROLE_ITER,
    ROLE_TEST,
    ROLE_ITEM,         /* with: withitem */
    ROLE_CONTEXT_EXPR, /* withitem */
    ROLE_OPTIONAL_VARS,
    ROLE_SUBJECT,
    ROLE_CASE,
    ROLE_PATTERN,
    ROLE_GUARD,
    ROLE_EXC,
    ROLE_CAUSE,
    ROLE_MSG,
    ROLE_TYPE, /* except handler */
    ROLE_NAME, /* import: alias */
    ROLE_LEFT,
    ROLE_RIGHT,
    ROLE_COMPARATOR,
    ROLE_OPERAND,
    ROLE_FUNC,
    ROLE_ARG, /* positional argument of a call */
    ROLE_KEY,
    ROLE_ELT,
    ROLE_GENERATOR,
    ROLE_IF,
    ROLE_FORMAT_SPEC,
    ROLE_SLICE,
    ROLE_LOWER,
    ROLE_UPPER,
    ROLE_STEP,
    ROLE_CLS,
    ROLE_KWD_PATTERN,
    ROLE_BOUND,
} Role;

/* `op` of a Constant. */
typedef enum ConstantKind {
    CONSTANT_NONE,
    CONSTANT_TRUE,
    CONSTANT_FALSE,
    CONSTANT_ELLIPSIS,
    CONSTANT_INT,
    CONSTANT_FLOAT,
    CONSTANT_COMPLEX,
    CONSTANT_STR,
    CONSTANT_BYTES,
} ConstantKind;

/* `op` of BinOp and AugAssign, UnaryOp, BoolOp; of Compare the first operator. */
typedef enum ExprOperator {
    OPERATOR_NONE,
    OPERATOR_ADD,
    OPERATOR_SUB,
    OPERATOR_MULT,
    OPERATOR_MAT_MULT,
    OPERATOR_DIV,
    OPERATOR_MOD,
    OPERATOR_POW,
    OPERATOR_L_SHIFT,
    OPERATOR_R_SHIFT,
    OPERATOR_BIT_OR,
    OPERATOR_BIT_XOR,
    OPERATOR_BIT_AND,
    OPERATOR_FLOOR_DIV,
    OPERATOR_INVERT,
    OPERATOR_NOT,
    OPERATOR_U_ADD,
    OPERATOR_U_SUB,
    OPERATOR_AND,
    OPERATOR_OR,
    OPERATOR_COMPARE, /* any comparison */
} ExprOperator;

typedef struct Node {
    uint8_t kind;          /* NodeKind */
    uint8_t role;          /* Role: field of the parent */
    uint8_t op;            /* ExprOperator or ConstantKind */
    uint8_t parenthesized; /* the expression stands in redundant parentheses (not in its range) */
    uint16_t depth;        /* distance from the module */
    uint32_t start, end;   /* byte range, as lineno/col_offset … end_col_offset of `ast` */
    NodeId parent;         /* NO_NODE for the module */
    NodeId subtree_end;    /* one past the last descendant */
    /* A second offset. FunctionDef, ClassDef: start of the name token. Attribute: start of the
     * attribute token. For, AsyncFor, While: end of the header, the colon included. alias: start of
     * the `as` name, which then ends at `end`, else 0. ImportFrom: the number of leading dots.
     * ExceptHandler: start of the `as` name, else 0. */
    uint32_t extra;
    /* Name: id. Attribute: attr. FunctionDef, ClassDef: name. arg, keyword: arg (empty for `**k`).
     * alias: dotted name without white space. ImportFrom: module (empty in `from . import x`).
     * MatchAs, MatchStar, MatchMapping (rest), ExceptHandler, TypeVar…: name, may be empty. In
     * normal form NFKC, which is not always how it is written, nor as long. */
    uint32_t name_length;
    const char *name;
} Node;

/* Ids of one kind, ascending. */
typedef struct NodeList {
    const NodeId *ids;
    uint32_t count;
} NodeList;

typedef struct Module {
    const Source *source;
    Node *nodes;
    uint32_t node_count;
    NodeId *ids_by_kind;                      /* all ids, grouped by kind */
    uint32_t kind_start[NODE_KIND_COUNT + 1]; /* ids of kind k: [kind_start[k], kind_start[k+1]) */
} Module;

static inline const Node *node_at(const Module *module, NodeId id)
{
    return &module->nodes[id];
}
static inline NodeKind node_kind(const Module *module, NodeId id)
{
    return (NodeKind)module->nodes[id].kind;
}
static inline Str node_name(const Module *module, NodeId id)
{
    return (Str){module->nodes[id].name, module->nodes[id].name_length};
}
/* True for an existing node of this kind (`id` may be NO_NODE). */
static inline bool node_is(const Module *module, NodeId id, NodeKind kind)
{
    return id != NO_NODE && module->nodes[id].kind == kind;
}
/* True for a Name node with this id (`id` may be NO_NODE). */
bool node_is_name(const Module *module, NodeId id, Str name);

/* True for nodes whose own name is bound where they stand: definitions, parameters, `except … as`,
 * captures of patterns, type parameters; not for names that are assigned to. */
bool node_kind_binds(NodeKind kind);

/* Source text of a node's range; of a byte range see source_slice. */
Str node_text(const Module *module, NodeId id);
uint32_t node_line(const Module *module, NodeId id);

/* First child in the field `role`, or NO_NODE. */
NodeId node_child(const Module *module, NodeId parent, Role role);
/* Next sibling in the same field, or NO_NODE. `for (c = node_child(…); c != NO_NODE; c =
 * node_next(…))`. */
NodeId node_next(const Module *module, NodeId id);
/* The nth (from 0) child in the field `role`, or NO_NODE; how many there are. */
NodeId node_nth(const Module *module, NodeId parent, Role role, uint32_t n);
uint32_t node_count(const Module *module, NodeId parent, Role role);
/* First child whatever its field, or NO_NODE; the sibling after `id` whatever its field, or
 * NO_NODE. */
NodeId node_first(const Module *module, NodeId parent);
NodeId node_sibling(const Module *module, NodeId id);

/* All nodes of a kind in the module; those in the subtree of `root` (root included). Ascending
 * ids. */
NodeList module_nodes(const Module *module, NodeKind kind);
NodeList nodes_in(const Module *module, NodeId root, NodeKind kind);
/* True when `id` is `root` or below it. */
static inline bool node_within(const Module *module, NodeId id, NodeId root)
{
    return id >= root && id < module->nodes[root].subtree_end;
}
/* Order in a breadth-first walk: <0 when `a` comes before `b`. */
int node_level_compare(const Module *module, NodeId a, NodeId b);
/* The ids of `list` in level order, in the arena. */
NodeList nodes_level_order(const Module *module, Arena *arena, NodeList list);

/* The functions of both kinds (def and async def) in the subtree of `root`, ascending ids; in the
 * arena, or a list of the module itself. */
NodeList module_functions(const Module *module, Arena *arena, NodeId root);
/* The innermost def or async def around `id` (not `id` itself), or NO_NODE. Lambdas do not
 * count. */
NodeId node_function(const Module *module, NodeId id);
/* The innermost statement that is `id` or holds it. */
NodeId node_statement(const Module *module, NodeId id);

/* --- expressions */

/* Callee of a call. */
static inline NodeId call_func(const Module *module, NodeId call)
{
    (void)module;
    return call + 1;
}
/* The object of an attribute; of `a.b` that is `a`. */
static inline NodeId attribute_value(const Module *module, NodeId attribute)
{
    (void)module;
    return attribute + 1;
}
/* Offset at which the attribute's name token starts. */
static inline uint32_t attribute_token(const Module *module, NodeId attribute)
{
    return module->nodes[attribute].extra;
}
/* Name of the callee when it is a bare name (`f(…)`), else an empty Str; likewise the last name of
 * an attribute callee (`a.b.f(…)`). */
Str call_name(const Module *module, NodeId call);
Str call_attribute(const Module *module, NodeId call);
/* nth positional argument (a Starred counts as one), or NO_NODE. */
NodeId call_arg(const Module *module, NodeId call, uint32_t n);
/* Keyword node (its child is the value) with this name, or NO_NODE; its value, or NO_NODE. */
NodeId call_keyword(const Module *module, NodeId call, const char *name);
NodeId call_keyword_value(const Module *module, NodeId call, const char *name);
/* True and the value when `id` is an int literal; True/False count as 1/0 unless `strict`. A
 * literal beyond 63 bits gives INT64_MAX. */
bool node_int(const Module *module, NodeId id, bool strict, int64_t *value);
/* "+", "//", "and" of an operator with two operands; NULL for the others. */
const char *operator_sign(ExprOperator op);
/* Value of a string constant, parts joined and escapes decoded, in the arena; false for other
 * nodes. */
bool node_string(const Module *module, NodeId id, Arena *arena, Str *value);
/* The dotted text of a pure Name.attr.attr chain without white space, in the arena; empty
 * otherwise. */
Str node_dotted(const Module *module, NodeId id, Arena *arena);
/* `as` name of an alias, empty when there is none. */
Str alias_asname(const Module *module, NodeId alias);
/* Name that an alias of `import` or `from … import` binds: the `as` name, or for `import a.b` the
 * first component; "*" for a star. */
Str alias_bound_name(const Module *module, NodeId alias);
/* The module that an alias imports or imports from, without the dots of a relative import: "a.b"
 * for `import a.b` and `from a.b import c`, empty for `from . import c`. */
Str alias_module(const Module *module, NodeId alias);
/* The name that a top-level import gives a package: its own (`import a`, `import a.b`) where one of
 * several does, else that of the last `import a as b`; empty where none imports it. */
Str package_name(const Module *module, const char *package);

/* Name of a kind as in `ast` ("FunctionDef"). */
const char *node_kind_name(NodeKind kind);

#endif
