/* Host tensors; see host_tensors.h. */
#include "rules/host_tensors.h"

#include "operator/text.h"
#include "rules/common.h"

enum { MAX_DEPTH = 16 }; /* of operators and calls in an expression */

/* Attributes of torch tensors that arrays and framework tensors do not have. */
static bool is_telling(Str attribute)
{
    static const char *const names[] = {
        "device", "contiguous", "is_contiguous", "new_empty", "new_zeros", "cpu", "npu"};
    return STR_IS_ANY(attribute, names);
}

static bool is_layout(Str method)
{
    static const char *const names[] = {
        "to",     "float",   "half",    "double", "bfloat16", "contiguous", "clone",
        "cpu",    "npu",     "reshape", "view",   "t",        "transpose",  "permute",
        "expand", "flatten", "squeeze", "detach", "unsqueeze"};
    return STR_IS_ANY(method, names);
}

static bool is_creation(const Module *module, NodeId call)
{
    static const char *const names[] = {"empty",      "empty_like", "zeros",
                                        "zeros_like", "ones",       "ones_like"};
    return is_torch_call(module, call, names, sizeof names / sizeof *names);
}

/* Arithmetic with these is the host's work. */
static bool holds_places(Str name)
{
    static const char *const parts[] = {"len", "idx",  "ind",  "pos",  "off",   "table", "slot",
                                        "seq", "perm", "mask", "page", "block", "ids",   "num"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (text_contains_folded(name, str_from(parts[i]))) {
            return true;
        }
    }
    return false;
}

static bool is_annotated(const Module *module, NodeId function, Str name)
{
    NodeList arguments = nodes_in(module, function, NODE_ARG);
    for (uint32_t i = 0; i < arguments.count; i++) {
        NodeId annotation = node_child(module, arguments.ids[i], ROLE_ANNOTATION);
        if (str_equal(node_name(module, arguments.ids[i]), name) &&
            node_is(module, annotation, NODE_ATTRIBUTE) &&
            str_is(node_name(module, annotation), "Tensor") &&
            node_is_name(module, attribute_value(module, annotation), STR("torch"))) {
            return true;
        }
    }
    return false;
}

/* Is the name used, or made, as only tensors are? What else is assigned to it leaves it open. */
static bool is_tensor_name(const Module *module, NodeId function, Str name)
{
    bool known = is_annotated(module, function, name);
    NodeList attributes = nodes_in(module, function, NODE_ATTRIBUTE);
    for (uint32_t i = 0; i < attributes.count && !known; i++) {
        known = is_telling(node_name(module, attributes.ids[i])) &&
                node_is_name(module, attribute_value(module, attributes.ids[i]), name);
    }
    NodeList assigned = nodes_in(module, function, NODE_ASSIGN);
    for (uint32_t i = 0; i < assigned.count; i++) {
        if (!node_is_name(module, node_child(module, assigned.ids[i], ROLE_TARGET), name)) {
            continue;
        }
        if (!is_creation(module, node_child(module, assigned.ids[i], ROLE_VALUE))) {
            return false;
        }
        known = true;
    }
    return known;
}

static HostTensor look(const Module *module, NodeId id, int depth)
{
    if (id == NO_NODE || depth > MAX_DEPTH) {
        return HOST_UNKNOWN;
    }
    NodeId function = node_function(module, id);
    switch (node_kind(module, id)) {
    case NODE_NAME:
        if (function == NO_NODE || !is_tensor_name(module, function, node_name(module, id))) {
            return HOST_UNKNOWN;
        }
        return holds_places(node_name(module, id)) ? HOST_PLACES : HOST_TENSOR;
    case NODE_SUBSCRIPT:
        return look(module, node_child(module, id, ROLE_VALUE), depth + 1);
    case NODE_UNARY_OP:
        return look(module, node_child(module, id, ROLE_OPERAND), depth + 1);
    case NODE_CALL: {
        NodeId callee = call_func(module, id);
        if (is_creation(module, id)) {
            return HOST_TENSOR;
        }
        bool moves =
            node_is(module, callee, NODE_ATTRIBUTE) && is_layout(node_name(module, callee));
        return moves ? look(module, attribute_value(module, callee), depth + 1) : HOST_UNKNOWN;
    }
    case NODE_BIN_OP: {
        HostTensor left = look(module, node_child(module, id, ROLE_LEFT), depth + 1);
        HostTensor right = look(module, node_child(module, id, ROLE_RIGHT), depth + 1);
        return left > right ? left : right;
    }
    default:
        return HOST_UNKNOWN;
    }
}

HostTensor host_tensor(const PyFile *file, NodeId expression)
{
    return look(pyfile_module(file), expression, 0);
}
