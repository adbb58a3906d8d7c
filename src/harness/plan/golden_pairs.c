/* Golden pairs: subtractions of two accumulations in a golden (docs/kernel-authors/scaffolding.md,
 * "Subtractive pairs"). A side is an accumulation if it is a sum or a matrix product, apart from
 * casts, changes of shape, factors and further summands; it may also be a local name to which one
 * is assigned once. */
#include "harness/plan/golden_source.h"

enum {
    /* These three limit the work for a file that is not a golden. */
    MOST_SUBTRACTIONS = 256,
    MOST_STEPS = 32,   /* expressions examined for one side */
    MOST_NAMES = 4096, /* in a function whose names are followed */
    MOST_TEXT = 200,   /* bytes of an expression; a longer one cannot name a case */
};

/* Functions of torch that add up many products or elements. */
static const char *const accumulating[] = {"matmul", "mm",      "bmm",   "einsum",    "sum",
                                           "mean",   "dot",     "mv",    "linear",    "addmm",
                                           "cumsum", "baddbmm", "inner", "tensordot", "nansum"};

/* Functions and methods whose result has almost the values of their first operand. */
static const char *const passing[] = {"to",        "float",      "double",    "half",    "bfloat16",
                                      "type",      "contiguous", "clone",     "reshape", "view",
                                      "squeeze",   "unsqueeze",  "transpose", "permute", "expand",
                                      "expand_as", "flatten",    "unflatten", "mul",     "neg",
                                      "div",       "swapaxes",   "movedim",   "detach"};

typedef struct Search {
    const Module *module;
    NodeId function; /* whose names are followed */
    NodeId waiting[MOST_STEPS];
    uint32_t count, steps;
} Search;

static void look_at(Search *search, NodeId expression)
{
    if (expression != NO_NODE && search->count < MOST_STEPS) {
        search->waiting[search->count++] = expression;
    }
}

static bool is_in_function(const Search *search, NodeId id)
{
    return node_function(search->module, id) == search->function;
}

/* Follows assignments to a name in the function. `*value` is the assigned value if there is only
 * one assignment. True when something is added to the name in place. */
static bool follow_name(const Search *search, Str name, NodeId *value)
{
    const Module *module = search->module;
    NodeList names = nodes_in(module, search->function, NODE_NAME);
    uint32_t bound = 0;
    *value = NO_NODE;
    for (uint32_t i = 0; i < names.count && names.count <= MOST_NAMES; i++) {
        NodeId id = names.ids[i], statement = node_at(module, id)->parent;
        if (node_at(module, id)->role != ROLE_TARGET || !str_equal(node_name(module, id), name) ||
            !is_in_function(search, id)) {
            continue;
        }
        uint8_t sign = node_at(module, statement)->op;
        if (node_is(module, statement, NODE_AUG_ASSIGN) &&
            (sign == OPERATOR_ADD || sign == OPERATOR_SUB)) {
            return true;
        }
        bound++;
        bool plain =
            node_is(module, statement, NODE_ASSIGN) || node_is(module, statement, NODE_ANN_ASSIGN);
        *value = plain ? node_child(module, statement, ROLE_VALUE) : NO_NODE;
    }
    *value = bound == 1 ? *value : NO_NODE;
    return false;
}

/* `torch.sum(x)`: the operand is an argument; `x.sum()`: it is the object. */
static NodeId operand_of_call(const Module *module, NodeId call)
{
    NodeId func = call_func(module, call);
    NodeId object = node_is(module, func, NODE_ATTRIBUTE) ? attribute_value(module, func) : NO_NODE;
    bool is_module = object == NO_NODE || node_is_name(module, object, STR("torch")) ||
                     node_is_name(module, object, STR("F"));
    return is_module ? call_arg(module, call, 0) : object;
}

static Str callee_name(const Module *module, NodeId call)
{
    Str name = call_attribute(module, call);
    return name.length > 0 ? name : call_name(module, call);
}

/* True when the expression is an accumulation; else its parts are examined later. */
static bool examine(Search *search, NodeId id)
{
    const Module *module = search->module;
    const Node *node = node_at(module, id);
    NodeId value = NO_NODE;
    switch ((NodeKind)node->kind) {
    case NODE_NAME:
        if (follow_name(search, node_name(module, id), &value)) {
            return true;
        }
        look_at(search, value);
        return false;
    case NODE_CALL:
        if (STR_IS_ANY(callee_name(module, id), accumulating)) {
            return true;
        }
        if (STR_IS_ANY(callee_name(module, id), passing)) {
            look_at(search, operand_of_call(module, id));
        }
        return false;
    case NODE_BIN_OP:
        if (node->op == OPERATOR_MAT_MULT) {
            return true;
        }
        if (node->op == OPERATOR_ADD || node->op == OPERATOR_SUB || node->op == OPERATOR_MULT ||
            node->op == OPERATOR_DIV || node->op == OPERATOR_POW) {
            bool left_only = node->op == OPERATOR_DIV || node->op == OPERATOR_POW;
            look_at(search, node_child(module, id, ROLE_LEFT));
            look_at(search, left_only ? NO_NODE : node_child(module, id, ROLE_RIGHT));
        }
        return false;
    case NODE_UNARY_OP:
        look_at(search, node_child(module, id, ROLE_OPERAND));
        return false;
    case NODE_SUBSCRIPT:
        look_at(search, node_child(module, id, ROLE_VALUE));
        return false;
    default:
        return false;
    }
}

static bool is_accumulation(const Module *module, NodeId function, NodeId expression)
{
    Search search = {.module = module, .function = function};
    look_at(&search, expression);
    while (search.count > 0 && search.steps++ < MOST_STEPS) {
        if (examine(&search, search.waiting[--search.count])) {
            return true;
        }
    }
    return false;
}

/* The text of a node on one line, with single blanks. */
static Str one_line(Arena *arena, Str text)
{
    Buf out = {.arena = arena};
    buf_add(&out, STR(""));
    for (size_t i = 0; i < text.length; i++) {
        bool space = (unsigned char)text.at[i] <= ' ' || text.at[i] == '\\';
        if (!space) {
            buf_add_char(&out, text.at[i]);
        } else if (out.length > 0 && out.at[out.length - 1] != ' ') {
            buf_add_char(&out, ' ');
        }
    }
    return buf_str(&out);
}

/* The tree has no parentheses, so they are added again. */
static Str side_text(Arena *arena, const Module *module, NodeId side)
{
    Str text = one_line(arena, node_text(module, side));
    return node_at(module, side)->parenthesized ? str_format(arena, "(%.*s)", STR_ARG(text)) : text;
}

static bool is_known(const GoldenPairs *pairs, Str expression)
{
    for (uint32_t i = 0; i < pairs->count; i++) {
        if (str_equal(pairs->items[i].expression, expression)) {
            return true;
        }
    }
    return false;
}

static Str assigned_name(const Module *module, NodeId id)
{
    NodeId statement = node_statement(module, id);
    NodeId target = node_is(module, statement, NODE_ASSIGN)
                        ? node_child(module, statement, ROLE_TARGET)
                        : NO_NODE;
    return node_is(module, target, NODE_NAME) ? node_name(module, target) : STR("");
}

/* Can it be put on one line? Not with a string or a comment in it. */
static bool is_simple(Str text)
{
    return text.length <= MOST_TEXT && !str_contains(text, STR("\"")) &&
           !str_contains(text, STR("'")) && !str_contains(text, STR("#"));
}

GoldenPairs golden_pairs(Arena *arena, const PyFile *file)
{
    const Module *module = pyfile_module(file);
    GoldenPairs pairs = {0};
    NodeList list = module_nodes(module, NODE_BIN_OP);
    uint32_t left_to_do = MOST_SUBTRACTIONS;
    for (uint32_t i = 0; i < list.count && pairs.count < GOLDEN_MAX_PAIRS; i++) {
        NodeId id = list.ids[i], function = node_function(module, id);
        if (node_at(module, id)->op != OPERATOR_SUB || function == NO_NODE || left_to_do == 0) {
            continue;
        }
        left_to_do--;
        NodeId left = node_child(module, id, ROLE_LEFT);
        NodeId right = node_child(module, id, ROLE_RIGHT);
        if (!is_accumulation(module, function, left) || !is_accumulation(module, function, right)) {
            continue;
        }
        Str text = str_format(arena, "%.*s - %.*s", STR_ARG(side_text(arena, module, left)),
                              STR_ARG(side_text(arena, module, right)));
        if (is_simple(text) && !is_known(&pairs, text)) {
            GoldenPair pair = {text, assigned_name(module, id), node_line(module, id)};
            VEC_PUSH(arena, &pairs, pair);
        }
    }
    return pairs;
}
