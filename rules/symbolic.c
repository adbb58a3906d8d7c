/* Symbolic; see symbolic.h. */
#include "rules/symbolic.h"

enum {
    MAX_DEPTH = 12, /* of names and operators that are followed */
    MAX_UNPACKED = 64,
    MAX_STEPS = 200, /* expressions and bindings looked at for one question */
};

static bool look(Symbolic *at, NodeId expression, int depth);

void symbolic_begin(Symbolic *symbolic, Arena *arena, const PyFile *file, NodeId kernel)
{
    *symbolic = (Symbolic){.file = file, .kernel = kernel};
    bindings_add_targets(&symbolic->bound, arena, pyfile_module(file), kernel);
    bindings_sort(&symbolic->bound);
}

/* --- shapes */

/* Is the axis of the tensor parameter surely dynamic? A negative axis counts from the end. */
static bool is_dynamic_axis(const Symbolic *at, NodeId parameter, int64_t axis)
{
    const Module *module = pyfile_module(at->file);
    TensorAnnotation annotation = annotation_read(at->file, parameter);
    NodeId shape = annotation_has_arguments(annotation) ? annotation.shape : NO_NODE;
    if (!node_is(module, shape, NODE_LIST) && !node_is(module, shape, NODE_TUPLE)) {
        return false;
    }
    uint32_t count = node_count(module, shape, ROLE_ELT);
    for (uint32_t i = 0; i < count; i++) {
        NodeId element = node_nth(module, shape, ROLE_ELT, i);
        bool rest = node_is(module, element, NODE_CONSTANT) &&
                    node_at(module, element)->op == CONSTANT_ELLIPSIS;
        if (rest || node_is(module, element, NODE_STARRED)) {
            return false; /* which axis it is is not known */
        }
    }
    axis = axis < 0 ? axis + count : axis;
    return axis >= 0 && axis < count &&
           is_dynamic_shape(at->file, node_nth(module, shape, ROLE_ELT, (uint32_t)axis));
}

/* The parameter whose shape the expression is (`x.shape`), or NO_NODE. */
static NodeId shape_of(const Symbolic *at, NodeId expression)
{
    const Module *module = pyfile_module(at->file);
    if (!node_is(module, expression, NODE_ATTRIBUTE) ||
        !str_is(node_name(module, expression), "shape")) {
        return NO_NODE;
    }
    NodeId owner = attribute_value(module, expression);
    /* A parameter that the kernel binds anew need not be the same any more. */
    return node_is(module, owner, NODE_NAME) &&
                   bindings_first(&at->bound, node_name(module, owner)) == at->bound.count
               ? function_parameter(module, at->kernel, node_name(module, owner))
               : NO_NODE;
}

static bool is_axis_length(const Symbolic *at, NodeId subscript)
{
    const Module *module = pyfile_module(at->file);
    NodeId parameter = shape_of(at, node_child(module, subscript, ROLE_VALUE));
    NodeId index = node_child(module, subscript, ROLE_SLICE);
    bool minus =
        node_is(module, index, NODE_UNARY_OP) && node_at(module, index)->op == OPERATOR_U_SUB;
    int64_t axis = 0;
    return parameter != NO_NODE && node_int(module, minus ? index + 1 : index, true, &axis) &&
           is_dynamic_axis(at, parameter, minus ? -axis : axis);
}

/* --- names */

/* What one binding of a name (a Name node that is assigned to) makes of it. */
static bool is_bound_to_symbol(Symbolic *at, NodeId target, int depth)
{
    const Module *module = pyfile_module(at->file);
    NodeId statement = node_at(module, target)->parent;
    uint32_t place = 0;
    bool unpacked = node_is(module, statement, NODE_TUPLE) || node_is(module, statement, NODE_LIST);
    if (unpacked) {
        for (NodeId id = node_child(module, statement, ROLE_ELT); id != target;
             id = node_next(module, id)) {
            if (++place == MAX_UNPACKED) {
                return false;
            }
        }
        statement = node_at(module, statement)->parent;
    }
    if (node_is(module, statement, NODE_FOR)) {
        NodeId loop = node_child(module, statement, ROLE_ITER);
        return is_graph_iterator(at->file, loop) &&
               unpacked == str_is(pypto_call(at->file, loop), "loop_unroll") && place == 0;
    }
    if (!node_is(module, statement, NODE_ASSIGN) && !node_is(module, statement, NODE_ANN_ASSIGN)) {
        return false;
    }
    NodeId value = node_child(module, statement, ROLE_VALUE);
    if (!unpacked) {
        return value != NO_NODE && look(at, value, depth + 1);
    }
    NodeId parameter = shape_of(at, value);
    if (parameter != NO_NODE) {
        return is_dynamic_axis(at, parameter, place);
    }
    bool pairwise = node_is(module, value, NODE_TUPLE) || node_is(module, value, NODE_LIST);
    NodeId item = pairwise ? node_nth(module, value, ROLE_ELT, place) : NO_NODE;
    return item != NO_NODE && look(at, item, depth + 1);
}

static bool is_symbol_annotation(const PyFile *file, NodeId parameter)
{
    NodeId annotation = parameter_annotation(pyfile_module(file), parameter);
    Str name = pypto_attribute(file, annotation);
    return str_is(name, "SymbolicScalar") || str_is(name, "SymInt");
}

static bool is_symbolic_name(Symbolic *at, NodeId use, int depth)
{
    const Module *module = pyfile_module(at->file);
    Str name = node_name(module, use);
    NodeId parameter = function_parameter(module, at->kernel, name);
    uint32_t first = bindings_first(&at->bound, name);
    if (parameter != NO_NODE) {
        return first == at->bound.count && is_symbol_annotation(at->file, parameter);
    }
    for (uint32_t i = first; i < at->bound.count && str_equal(at->bound.items[i].name, name); i++) {
        if (--at->steps < 0 || !is_bound_to_symbol(at, at->bound.items[i].node, depth)) {
            return false;
        }
    }
    return first < at->bound.count;
}

/* --- expressions */

static bool is_symbolic_call(Symbolic *at, NodeId call, int depth)
{
    const Module *module = pyfile_module(at->file);
    Str name = call_name(module, call), api = pypto_call(at->file, call);
    if (!str_is(name, "min") && !str_is(name, "max") && !str_is(api, "min") &&
        !str_is(api, "max")) {
        return false;
    }
    for (NodeId arg = node_child(module, call, ROLE_ARG); arg != NO_NODE;
         arg = node_next(module, arg)) {
        if (look(at, arg, depth + 1)) {
            return true;
        }
    }
    return false;
}

static bool look(Symbolic *at, NodeId id, int depth)
{
    const Module *module = pyfile_module(at->file);
    if (depth > MAX_DEPTH || --at->steps < 0) {
        return false;
    }
    switch (node_kind(module, id)) {
    case NODE_NAME:
        return is_symbolic_name(at, id, depth);
    case NODE_SUBSCRIPT:
        return is_axis_length(at, id);
    case NODE_UNARY_OP:
        return look(at, node_child(module, id, ROLE_OPERAND), depth + 1);
    case NODE_BIN_OP:
        return look(at, node_child(module, id, ROLE_LEFT), depth + 1) ||
               look(at, node_child(module, id, ROLE_RIGHT), depth + 1);
    case NODE_IF_EXP:
        return look(at, node_child(module, id, ROLE_BODY), depth + 1) &&
               look(at, node_child(module, id, ROLE_ORELSE), depth + 1);
    case NODE_CALL:
        return is_symbolic_call(at, id, depth);
    default:
        return false;
    }
}

bool is_surely_symbolic(Symbolic *symbolic, NodeId expression)
{
    symbolic->steps = MAX_STEPS;
    return look(symbolic, expression, 0);
}
