/* Roles that functions and calls have by their names, and loops. */
#include "kernel/kernel.h"

bool is_layer_k_name(Str op, Str name)
{
    if (str_is(name, "host_wrapper") || str_starts(name, STR("launch_")) ||
        str_starts(name, STR("run_"))) {
        return true;
    }
    if (!str_starts(name, op) || !str_ends(name, STR("_wrapper"))) {
        return false;
    }
    Str rest = str_slice(name, op.length, name.length);
    return str_is(rest, "_wrapper") || str_starts(rest, STR("_module"));
}

bool is_layer_i_name(Str name)
{
    return str_contains(name, STR("_kernel_impl")) || str_ends(name, STR("_impl"));
}

bool is_layer_h_call(const Module *module, NodeId call)
{
    return node_is(module, call, NODE_CALL) && str_starts(call_name(module, call), STR("pypto_"));
}

typedef VEC(NodeId) Ids;

NodeList layer_k_functions(const PyFile *file, Arena *arena, Str op)
{
    const Module *module = pyfile_module(file);
    Ids ids = {0};
    for (uint32_t i = 0; i < file->functions.count; i++) {
        if (is_layer_k_name(op, node_name(module, file->functions.ids[i]))) {
            VEC_PUSH(arena, &ids, file->functions.ids[i]);
        }
    }
    return (NodeList){ids.items, ids.count};
}

NodeList layer_i_functions(const PyFile *file, Arena *arena)
{
    const Module *module = pyfile_module(file);
    Ids ids = {0};
    for (uint32_t i = 0; i < file->functions.count; i++) {
        if (is_layer_i_name(node_name(module, file->functions.ids[i]))) {
            VEC_PUSH(arena, &ids, file->functions.ids[i]);
        }
    }
    return (NodeList){ids.items, ids.count};
}

/* --- loops */

bool is_loop_call(const PyFile *file, NodeId id)
{
    return node_is(pyfile_module(file), id, NODE_CALL) && str_is(pypto_call(file, id), "loop");
}

NodeId loop_statement_call(const PyFile *file, NodeId statement)
{
    const Module *module = pyfile_module(file);
    if (!node_is(module, statement, NODE_FOR)) {
        return NO_NODE;
    }
    NodeId iterator = node_child(module, statement, ROLE_ITER);
    return is_loop_call(file, iterator) ? iterator : NO_NODE;
}

bool is_graph_iterator(const PyFile *file, NodeId id)
{
    if (!node_is(pyfile_module(file), id, NODE_CALL)) {
        return false;
    }
    Str name = pypto_call(file, id);
    return str_is(name, "loop") || str_is(name, "loop_unroll");
}

bool is_range_iterator(const Module *module, NodeId id)
{
    return node_is(module, id, NODE_CALL) && str_is(call_name(module, id), "range");
}
