/* Reach: a breadth-first walk over the call graph of one file; see reach.h. */
#include "rules/reach.h"

#include "base/search.h"

uint32_t function_place(const PyFile *file, NodeId function)
{
    uint32_t low;
    LOWER_BOUND(low, file->functions.count, file->functions.ids[low] < function);
    return low;
}

NodeId reach_callee(const Reach *reach, NodeId call)
{
    Str name = call_name(pyfile_module(reach->file), call);
    if (name.length == 0) {
        return NO_NODE;
    }
    const Binding *binding = bindings_last(&reach->names, name, UINT32_MAX);
    return binding == NULL ? NO_NODE : binding->node;
}

/* Puts a function into the queue once. The queue has a place for every function of the file. */
static uint32_t enqueue(Reach *reach, NodeId *queue, uint32_t count, NodeId function, NodeId call)
{
    uint32_t place = function_place(reach->file, function);
    if (reach->reached[place]) {
        return count;
    }
    reach->reached[place] = true;
    reach->by_call[place] = call;
    queue[count] = function;
    return count + 1;
}

NodeList reach_kernels(const PyFile *file, Arena *arena)
{
    VEC(NodeId) starts = {0};
    const Module *module = pyfile_module(file);
    for (uint32_t i = 0; i < file->functions_n.count; i++) {
        NodeId function = file->functions_n.ids[i];
        if (is_kernel_name(file, node_name(module, function))) {
            VEC_PUSH(arena, &starts, function);
        }
    }
    return (NodeList){starts.items, starts.count};
}

void reach_from(Reach *reach, Arena *arena, const PyFile *file, NodeList starts)
{
    const Module *module = pyfile_module(file);
    *reach = (Reach){.file = file};
    bindings_add_functions(&reach->names, arena, module, file->functions_n);
    bindings_sort(&reach->names);
    uint32_t total = file->functions.count;
    reach->reached = ARENA_ARRAY(arena, bool, total);
    reach->by_call = ARENA_ARRAY(arena, NodeId, total);
    NodeId *queue = ARENA_ARRAY(arena, NodeId, total);
    uint32_t count = 0;
    for (uint32_t i = 0; i < starts.count; i++) {
        count = enqueue(reach, queue, count, starts.ids[i], NO_NODE);
    }
    for (uint32_t at = 0; at < count; at++) {
        NodeList calls = nodes_in(module, queue[at], NODE_CALL);
        for (uint32_t i = 0; i < calls.count; i++) {
            NodeId callee = reach_callee(reach, calls.ids[i]);
            if (callee != NO_NODE) {
                count = enqueue(reach, queue, count, callee, calls.ids[i]);
            }
        }
    }
}

bool reach_has(const Reach *reach, NodeId function)
{
    return reach->reached[function_place(reach->file, function)];
}
