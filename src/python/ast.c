/* Ast: navigation by pre-order ids, and what rules ask about expressions. */
#include "python/ast.h"

#include "base/ascii.h"
#include "base/search.h"

#include <stdlib.h>

/* ORDER NODE_KIND: ast.h. */
static const char *const node_kind_names[] = {"Module",
                                              "FunctionDef",
                                              "AsyncFunctionDef",
                                              "ClassDef",
                                              "Return",
                                              "Delete",
                                              "Assign",
                                              "AugAssign",
                                              "AnnAssign",
                                              "TypeAlias",
                                              "For",
                                              "AsyncFor",
                                              "While",
                                              "If",
                                              "With",
                                              "AsyncWith",
                                              "Match",
                                              "Raise",
                                              "Try",
                                              "TryStar",
                                              "Assert",
                                              "Import",
                                              "ImportFrom",
                                              "Global",
                                              "Nonlocal",
                                              "Expr",
                                              "Pass",
                                              "Break",
                                              "Continue",
                                              "BoolOp",
                                              "NamedExpr",
                                              "BinOp",
                                              "UnaryOp",
                                              "Lambda",
                                              "IfExp",
                                              "Dict",
                                              "Set",
                                              "ListComp",
                                              "SetComp",
                                              "DictComp",
                                              "GeneratorExp",
                                              "Await",
                                              "Yield",
                                              "YieldFrom",
                                              "Compare",
                                              "Call",
                                              "FormattedValue",
                                              "JoinedStr",
                                              "Constant",
                                              "Attribute",
                                              "Subscript",
                                              "Starred",
                                              "Name",
                                              "List",
                                              "Tuple",
                                              "Slice",
                                              "comprehension",
                                              "ExceptHandler",
                                              "arguments",
                                              "arg",
                                              "keyword",
                                              "alias",
                                              "withitem",
                                              "match_case",
                                              "MatchValue",
                                              "MatchSingleton",
                                              "MatchSequence",
                                              "MatchMapping",
                                              "MatchClass",
                                              "MatchStar",
                                              "MatchAs",
                                              "MatchOr",
                                              "TypeVar",
                                              "ParamSpec",
                                              "TypeVarTuple"};

_Static_assert(sizeof node_kind_names / sizeof *node_kind_names == NODE_KIND_COUNT,
               "one name for every kind");

const char *node_kind_name(NodeKind kind)
{
    return kind < NODE_KIND_COUNT ? node_kind_names[kind] : "?";
}

bool node_kind_binds(NodeKind kind)
{
    switch (kind) {
    case NODE_FUNCTION_DEF:
    case NODE_ASYNC_FUNCTION_DEF:
    case NODE_CLASS_DEF:
    case NODE_ARG:
    case NODE_EXCEPT_HANDLER:
    case NODE_MATCH_AS:
    case NODE_MATCH_STAR:
    case NODE_MATCH_MAPPING:
    case NODE_TYPE_VAR:
    case NODE_PARAM_SPEC:
    case NODE_TYPE_VAR_TUPLE:
        return true;
    default:
        return false;
    }
}

bool node_is_name(const Module *module, NodeId id, Str name)
{
    return node_is(module, id, NODE_NAME) && str_equal(node_name(module, id), name);
}

Str node_text(const Module *module, NodeId id)
{
    const Node *node = node_at(module, id);
    return source_slice(module->source, node->start, node->end);
}

uint32_t node_line(const Module *module, NodeId id)
{
    return source_line(module->source, node_at(module, id)->start);
}

/* --- navigation */

NodeId node_first(const Module *module, NodeId parent)
{
    return parent + 1 < module->nodes[parent].subtree_end ? parent + 1 : NO_NODE;
}

NodeId node_sibling(const Module *module, NodeId id)
{
    NodeId next = module->nodes[id].subtree_end;
    NodeId parent = module->nodes[id].parent;
    return parent != NO_NODE && next < module->nodes[parent].subtree_end ? next : NO_NODE;
}

NodeId node_child(const Module *module, NodeId parent, Role role)
{
    NodeId end = module->nodes[parent].subtree_end;
    for (NodeId id = parent + 1; id < end; id = module->nodes[id].subtree_end) {
        if (module->nodes[id].role == role) {
            return id;
        }
    }
    return NO_NODE;
}

NodeId node_next(const Module *module, NodeId id)
{
    uint8_t role = module->nodes[id].role;
    NodeId parent = module->nodes[id].parent;
    NodeId end = parent == NO_NODE ? 0 : module->nodes[parent].subtree_end;
    for (NodeId next = module->nodes[id].subtree_end; next < end;
         next = module->nodes[next].subtree_end) {
        if (module->nodes[next].role == role) {
            return next;
        }
    }
    return NO_NODE;
}

NodeId node_nth(const Module *module, NodeId parent, Role role, uint32_t n)
{
    NodeId id = node_child(module, parent, role);
    while (n > 0 && id != NO_NODE) {
        id = node_next(module, id);
        n--;
    }
    return id;
}

uint32_t node_count(const Module *module, NodeId parent, Role role)
{
    uint32_t count = 0;
    for (NodeId id = node_child(module, parent, role); id != NO_NODE; id = node_next(module, id)) {
        count++;
    }
    return count;
}

NodeList module_nodes(const Module *module, NodeKind kind)
{
    uint32_t start = module->kind_start[kind];
    return (NodeList){module->ids_by_kind + start, module->kind_start[kind + 1] - start};
}

/* First index of `list` whose id is at least `id`. */
static uint32_t lower_bound(NodeList list, NodeId id)
{
    uint32_t low;
    LOWER_BOUND(low, list.count, list.ids[low] < id);
    return low;
}

NodeList nodes_in(const Module *module, NodeId root, NodeKind kind)
{
    NodeList all = module_nodes(module, kind);
    uint32_t from = lower_bound(all, root);
    uint32_t to = lower_bound(all, module->nodes[root].subtree_end);
    return (NodeList){all.ids + from, to - from};
}

int node_level_compare(const Module *module, NodeId a, NodeId b)
{
    uint32_t depth_a = module->nodes[a].depth;
    uint32_t depth_b = module->nodes[b].depth;
    if (depth_a != depth_b) {
        return depth_a < depth_b ? -1 : 1;
    }
    return a < b ? -1 : a > b;
}

typedef struct LevelKey {
    uint32_t depth;
    NodeId id;
} LevelKey;

static int by_level(const void *a, const void *b)
{
    const LevelKey *x = a;
    const LevelKey *y = b;
    if (x->depth != y->depth) {
        return x->depth < y->depth ? -1 : 1;
    }
    return x->id < y->id ? -1 : x->id > y->id;
}

NodeList nodes_level_order(const Module *module, Arena *arena, NodeList list)
{
    if (list.count < 2) {
        return list;
    }
    LevelKey *keys = arena_alloc(arena, sizeof *keys * list.count);
    for (uint32_t i = 0; i < list.count; i++) {
        keys[i] = (LevelKey){module->nodes[list.ids[i]].depth, list.ids[i]};
    }
    qsort(keys, list.count, sizeof *keys, by_level);
    NodeId *ids = arena_alloc(arena, sizeof *ids * list.count);
    for (uint32_t i = 0; i < list.count; i++) {
        ids[i] = keys[i].id;
    }
    return (NodeList){ids, list.count};
}

NodeList module_functions(const Module *module, Arena *arena, NodeId root)
{
    NodeList plain = nodes_in(module, root, NODE_FUNCTION_DEF);
    NodeList async = nodes_in(module, root, NODE_ASYNC_FUNCTION_DEF);
    if (async.count == 0) {
        return plain;
    }
    NodeId *ids = arena_alloc(arena, sizeof *ids * (plain.count + async.count));
    uint32_t p = 0;
    uint32_t a = 0;
    while (p < plain.count || a < async.count) {
        bool take_plain = a == async.count || (p < plain.count && plain.ids[p] < async.ids[a]);
        ids[p + a] = take_plain ? plain.ids[p] : async.ids[a];
        p += take_plain;
        a += !take_plain;
    }
    return (NodeList){ids, plain.count + async.count};
}

NodeId node_function(const Module *module, NodeId id)
{
    for (NodeId up = module->nodes[id].parent; up != NO_NODE; up = module->nodes[up].parent) {
        NodeKind kind = node_kind(module, up);
        if (kind == NODE_FUNCTION_DEF || kind == NODE_ASYNC_FUNCTION_DEF) {
            return up;
        }
    }
    return NO_NODE;
}

NodeId node_statement(const Module *module, NodeId id)
{
    while (id != NO_NODE &&
           (module->nodes[id].kind < NODE_FUNCTION_DEF || module->nodes[id].kind > NODE_CONTINUE)) {
        id = module->nodes[id].parent;
    }
    return id;
}

/* --- expressions */

Str call_name(const Module *module, NodeId call)
{
    NodeId func = call_func(module, call);
    return node_is(module, func, NODE_NAME) ? node_name(module, func) : STR("");
}

Str call_attribute(const Module *module, NodeId call)
{
    NodeId func = call_func(module, call);
    return node_is(module, func, NODE_ATTRIBUTE) ? node_name(module, func) : STR("");
}

NodeId call_arg(const Module *module, NodeId call, uint32_t n)
{
    return node_nth(module, call, ROLE_ARG, n);
}

NodeId call_keyword(const Module *module, NodeId call, const char *name)
{
    for (NodeId id = node_child(module, call, ROLE_KEYWORD); id != NO_NODE;
         id = node_next(module, id)) {
        if (str_is(node_name(module, id), name)) {
            return id;
        }
    }
    return NO_NODE;
}

NodeId call_keyword_value(const Module *module, NodeId call, const char *name)
{
    NodeId keyword = call_keyword(module, call, name);
    return keyword == NO_NODE ? NO_NODE : keyword + 1;
}

static int64_t parse_int(Str text)
{
    int base = 10;
    size_t i = 0;
    if (text.length > 2 && text.at[0] == '0') {
        char mark = (char)(text.at[1] | 0x20);
        base = mark == 'x' ? 16 : mark == 'o' ? 8 : mark == 'b' ? 2 : 10;
        i = base == 10 ? 0 : 2;
    }
    int64_t value = 0;
    for (; i < text.length; i++) {
        int digit = hex_digit(text.at[i]);
        if (digit < 0) {
            continue; /* an underscore */
        }
        if (__builtin_mul_overflow(value, (int64_t)base, &value) ||
            __builtin_add_overflow(value, (int64_t)digit, &value)) {
            return INT64_MAX;
        }
    }
    return value;
}

bool node_int(const Module *module, NodeId id, bool strict, int64_t *value)
{
    if (!node_is(module, id, NODE_CONSTANT)) {
        return false;
    }
    ConstantKind kind = (ConstantKind)node_at(module, id)->op;
    if (kind == CONSTANT_INT) {
        *value = parse_int(node_text(module, id));
        return true;
    }
    if (!strict && (kind == CONSTANT_TRUE || kind == CONSTANT_FALSE)) {
        *value = kind == CONSTANT_TRUE;
        return true;
    }
    return false;
}

static void dotted_parts(const Module *module, NodeId id, Buf *out)
{
    /* The chain is nested to the left: collect it outermost first, then write it backwards. */
    NodeId chain[64];
    uint32_t count = 0;
    while (node_is(module, id, NODE_ATTRIBUTE) && count < 64) {
        chain[count++] = id;
        id = attribute_value(module, id);
    }
    if (!node_is(module, id, NODE_NAME)) {
        return;
    }
    buf_add(out, node_name(module, id));
    while (count > 0) {
        buf_add_char(out, '.');
        buf_add(out, node_name(module, chain[--count]));
    }
}

Str node_dotted(const Module *module, NodeId id, Arena *arena)
{
    if (id == NO_NODE) {
        return STR("");
    }
    Buf text = {.arena = arena};
    dotted_parts(module, id, &text);
    return buf_str(&text);
}

Str alias_asname(const Module *module, NodeId alias)
{
    const Node *node = node_at(module, alias);
    if (node->op != 0) {
        return str_from(node->name + node->name_length + 1);
    }
    return node->extra == 0 ? STR("") : source_slice(module->source, node->extra, node->end);
}

Str alias_bound_name(const Module *module, NodeId alias)
{
    Str as_name = alias_asname(module, alias);
    if (as_name.length > 0) {
        return as_name;
    }
    Str name = node_name(module, alias);
    if (node_is(module, node_at(module, alias)->parent, NODE_IMPORT)) {
        size_t dot = str_find(name, STR("."), 0);
        return dot == SIZE_MAX ? name : str_slice(name, 0, dot);
    }
    return name;
}

Str alias_module(const Module *module, NodeId alias)
{
    NodeId statement = node_at(module, alias)->parent;
    return node_name(module, node_is(module, statement, NODE_IMPORT) ? alias : statement);
}

Str package_name(const Module *module, const char *package)
{
    NodeList aliases = module_nodes(module, NODE_ALIAS);
    Str found = STR("");
    for (uint32_t i = 0; i < aliases.count && !str_is(found, package); i++) {
        NodeId alias = aliases.ids[i], statement = node_at(module, alias)->parent;
        bool renamed = alias_asname(module, alias).length > 0;
        Str bound = alias_bound_name(module, alias);
        if (node_is(module, statement, NODE_IMPORT) && node_at(module, statement)->parent == 0 &&
            str_is(renamed ? node_name(module, alias) : bound, package)) {
            found = bound;
        }
    }
    return found;
}

const char *operator_sign(ExprOperator op)
{
    static const char *const signs[] = {
        [OPERATOR_ADD] = "+",        [OPERATOR_SUB] = "-",      [OPERATOR_MULT] = "*",
        [OPERATOR_MAT_MULT] = "@",   [OPERATOR_DIV] = "/",      [OPERATOR_MOD] = "%",
        [OPERATOR_POW] = "**",       [OPERATOR_L_SHIFT] = "<<", [OPERATOR_R_SHIFT] = ">>",
        [OPERATOR_BIT_OR] = "|",     [OPERATOR_BIT_XOR] = "^",  [OPERATOR_BIT_AND] = "&",
        [OPERATOR_FLOOR_DIV] = "//", [OPERATOR_AND] = "and",    [OPERATOR_OR] = "or",
    };
    return (size_t)op < sizeof signs / sizeof *signs ? signs[op] : NULL;
}
