/* Operands; see operands.h. */
#include "rules/operands.h"

#include "base/search.h"

enum {
    MAX_DEPTH = 12,  /* of names and operators that are followed */
    MAX_STEPS = 200, /* expressions and bindings looked at for one question */
};

bool api_makes_tensor(Str name)
{
    static const char *const makers[] = {
        "abs",     "add",        "amax",    "amin",    "cast",  "ceil",   "clip",      "concat",
        "cos",     "div",        "erf",     "exp",     "floor", "full",   "gather",    "gelu",
        "log",     "matmul",     "maximum", "minimum", "mul",   "neg",    "ones",      "permute",
        "pow",     "reciprocal", "relu",    "reshape", "round", "rsqrt",  "sigmoid",   "sin",
        "softmax", "sqrt",       "sub",     "sum",     "tanh",  "tensor", "transpose", "unsqueeze",
        "view",    "where",      "zeros"};
    return STR_IS_ANY(name, makers);
}

/* Operations that hand the elements on as they are. */
static bool is_layout(Str name)
{
    static const char *const names[] = {"view",      "reshape",   "transpose", "permute",
                                        "unsqueeze", "squeeze",   "clone",     "expand_clone",
                                        "flatten",   "contiguous"};
    return STR_IS_ANY(name, names);
}

void operands_begin(Operands *operands, Arena *arena, const PyFile *file, NodeId function)
{
    *operands = (Operands){.file = file, .function = function};
    bindings_add_targets(&operands->bound, arena, pyfile_module(file), function);
    bindings_sort(&operands->bound);
}

/* The value of a binding that is a plain assignment, or NO_NODE. */
static NodeId assigned_value(const Module *module, NodeId target)
{
    NodeId statement = node_at(module, target)->parent;
    bool plain =
        node_at(module, target)->role == ROLE_TARGET &&
        (node_is(module, statement, NODE_ASSIGN) || node_is(module, statement, NODE_ANN_ASSIGN));
    return plain ? node_child(module, statement, ROLE_VALUE) : NO_NODE;
}

/* --- tensors */

static bool look(Operands *at, NodeId id, int depth);

static bool is_tensor_name(Operands *at, Str name, int depth)
{
    const Module *module = pyfile_module(at->file);
    NodeId parameter = function_parameter(module, at->function, name);
    uint32_t first = bindings_first(&at->bound, name);
    bool tensor =
        parameter != NO_NODE && annotation_is_tensor(annotation_read(at->file, parameter));
    if (parameter != NO_NODE && !tensor) {
        return false;
    }
    for (uint32_t i = first; i < at->bound.count && str_equal(at->bound.items[i].name, name); i++) {
        NodeId value = assigned_value(module, at->bound.items[i].node);
        if (--at->steps < 0 || value == NO_NODE || !look(at, value, depth + 1)) {
            return false;
        }
        tensor = true;
    }
    return tensor;
}

static bool look(Operands *at, NodeId id, int depth)
{
    const Module *module = pyfile_module(at->file);
    if (depth > MAX_DEPTH || --at->steps < 0) {
        return false;
    }
    switch (node_kind(module, id)) {
    case NODE_NAME:
        return is_tensor_name(at, node_name(module, id), depth);
    case NODE_SUBSCRIPT:
        return look(at, node_child(module, id, ROLE_VALUE), depth + 1);
    case NODE_UNARY_OP:
        return look(at, node_child(module, id, ROLE_OPERAND), depth + 1);
    case NODE_BIN_OP:
        return look(at, node_child(module, id, ROLE_LEFT), depth + 1) ||
               look(at, node_child(module, id, ROLE_RIGHT), depth + 1);
    case NODE_CALL:
        return api_makes_tensor(pypto_call(at->file, id));
    default:
        return false;
    }
}

bool is_surely_tensor(Operands *operands, NodeId expression)
{
    operands->steps = MAX_STEPS;
    return look(operands, expression, 0);
}

/* --- what reaches an operation */

/* The expression that a name stands for when it is bound once, or NO_NODE. */
static NodeId only_value(const Operands *at, Str name)
{
    const Module *module = pyfile_module(at->file);
    uint32_t first = bindings_first(&at->bound, name);
    bool once = first < at->bound.count &&
                (first + 1 == at->bound.count || !str_equal(at->bound.items[first + 1].name, name));
    return once ? assigned_value(module, at->bound.items[first].node) : NO_NODE;
}

/* The tensor that a call of layout takes: `pypto.view(x, …)`, `x.reshape(…)`; else NO_NODE. */
static NodeId layout_operand(const Operands *at, NodeId call)
{
    const Module *module = pyfile_module(at->file);
    Str api = pypto_call(at->file, call);
    if (api.length > 0) {
        return is_layout(api) ? call_arg(module, call, 0) : NO_NODE;
    }
    NodeId callee = call_func(module, call);
    return node_is(module, callee, NODE_ATTRIBUTE) && is_layout(node_name(module, callee))
               ? attribute_value(module, callee)
               : NO_NODE;
}

NodeId parameter_reaching(Operands *operands, NodeId expression)
{
    const Module *module = pyfile_module(operands->file);
    NodeId id = expression;
    for (int depth = 0; id != NO_NODE && depth < MAX_DEPTH; depth++) {
        if (node_is(module, id, NODE_SUBSCRIPT)) {
            id = node_child(module, id, ROLE_VALUE);
        } else if (node_is(module, id, NODE_CALL)) {
            id = layout_operand(operands, id);
        } else if (!node_is(module, id, NODE_NAME)) {
            return NO_NODE;
        } else {
            Str name = node_name(module, id);
            NodeId parameter = function_parameter(module, operands->function, name);
            if (parameter != NO_NODE) {
                bool same = bindings_first(&operands->bound, name) == operands->bound.count;
                return same ? parameter : NO_NODE;
            }
            id = only_value(operands, name);
        }
    }
    return NO_NODE;
}
