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

static bool is_torch_tensor(const Module *module, NodeId annotation)
{
    return node_is(module, annotation, NODE_ATTRIBUTE) &&
           str_is(node_name(module, annotation), "Tensor") &&
           node_is_name(module, attribute_value(module, annotation), STR("torch"));
}

/* The uses of a name in a function; the entry of the empty name says whether the function was
 * read. */
static NameUses *uses_of(HostTensors *tensors, NodeId function, Str name)
{
    tensors->key.arena = tensors->arena;
    tensors->key.length = 0;
    buf_add(&tensors->key, (Str){(const char *)&function, sizeof function});
    buf_add(&tensors->key, name);
    Str key = buf_str(&tensors->key);
    uint32_t known = map_find(&tensors->names, key);
    if (known == MAP_NONE) {
        key = str_copy(tensors->arena, key);
        known = map_add(&tensors->names, tensors->arena, key);
        VEC_PUSH(tensors->arena, &tensors->uses, (NameUses){0});
    }
    return &tensors->uses.items[known];
}

/* Which names of the function are used, or made, as only tensors are, and which also otherwise. */
static void read_function(HostTensors *tensors, NodeId function)
{
    const Module *module = tensors->module;
    NodeList arguments = nodes_in(module, function, NODE_ARG);
    for (uint32_t i = 0; i < arguments.count; i++) {
        NodeId id = arguments.ids[i];
        if (is_torch_tensor(module, node_child(module, id, ROLE_ANNOTATION))) {
            uses_of(tensors, function, node_name(module, id))->as_tensor = true;
        }
    }
    NodeList attributes = nodes_in(module, function, NODE_ATTRIBUTE);
    for (uint32_t i = 0; i < attributes.count; i++) {
        NodeId value = attribute_value(module, attributes.ids[i]);
        if (node_is(module, value, NODE_NAME) && is_telling(node_name(module, attributes.ids[i]))) {
            uses_of(tensors, function, node_name(module, value))->as_tensor = true;
        }
    }
    NodeList assigned = nodes_in(module, function, NODE_ASSIGN);
    for (uint32_t i = 0; i < assigned.count; i++) {
        NodeId target = node_child(module, assigned.ids[i], ROLE_TARGET);
        if (node_is(module, target, NODE_NAME)) {
            NameUses *uses = uses_of(tensors, function, node_name(module, target));
            bool made = is_creation(module, node_child(module, assigned.ids[i], ROLE_VALUE));
            uses->as_tensor = uses->as_tensor || made;
            uses->as_other = uses->as_other || !made;
        }
    }
}

static HostTensor name_kind(HostTensors *tensors, NodeId function, Str name)
{
    NameUses *read = uses_of(tensors, function, STR(""));
    if (!read->as_other) {
        read->as_other = true;
        read_function(tensors, function);
    }
    const NameUses *uses = uses_of(tensors, function, name);
    if (!uses->as_tensor || uses->as_other) {
        return HOST_UNKNOWN;
    }
    return holds_places(name) ? HOST_PLACES : HOST_TENSOR;
}

static HostTensor look(HostTensors *tensors, NodeId id, int depth)
{
    const Module *module = tensors->module;
    if (id == NO_NODE || depth > MAX_DEPTH) {
        return HOST_UNKNOWN;
    }
    NodeId function = node_function(module, id);
    switch (node_kind(module, id)) {
    case NODE_NAME:
        return function == NO_NODE ? HOST_UNKNOWN
                                   : name_kind(tensors, function, node_name(module, id));
    case NODE_SUBSCRIPT:
        return look(tensors, node_child(module, id, ROLE_VALUE), depth + 1);
    case NODE_UNARY_OP:
        return look(tensors, node_child(module, id, ROLE_OPERAND), depth + 1);
    case NODE_CALL: {
        NodeId callee = call_func(module, id);
        if (is_creation(module, id)) {
            return HOST_TENSOR;
        }
        bool moves =
            node_is(module, callee, NODE_ATTRIBUTE) && is_layout(node_name(module, callee));
        return moves ? look(tensors, attribute_value(module, callee), depth + 1) : HOST_UNKNOWN;
    }
    case NODE_BIN_OP: {
        HostTensor left = look(tensors, node_child(module, id, ROLE_LEFT), depth + 1);
        HostTensor right = look(tensors, node_child(module, id, ROLE_RIGHT), depth + 1);
        return left > right ? left : right;
    }
    default:
        return HOST_UNKNOWN;
    }
}

HostTensor host_tensor(HostTensors *tensors, NodeId expression)
{
    return look(tensors, expression, 0);
}
