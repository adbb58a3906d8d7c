/* Kernel values; see kernel_values.h. */
#include "rules/kernel_values.h"

#include "rules/edges.h"

/* Names that one function is looked through for; more are not taken for kernels. */
enum { MOST_LOCALS = 64 };

static void add_names(KernelValues *values, Arena *arena, const PyFile *file)
{
    const Module *module = values->module;
    Str name;
    NodeId value;
    bindings_add_functions(&values->names, arena, module, file->functions_m);
    for (NodeId id = node_child(module, 0, ROLE_BODY); id != NO_NODE; id = node_next(module, id)) {
        if (plain_assignment(module, id, &name, &value)) {
            bindings_add(&values->names, arena, module, name, 0, id, value);
        }
    }
    bindings_sort(&values->names);
}

/* The place of a name, or the number of names. */
static uint32_t place_of(const KernelValues *values, Str name)
{
    const Binding *found = bindings_last(&values->names, name, UINT32_MAX);
    return found == NULL ? values->names.count : (uint32_t)(found - values->names.items);
}

/* The name at `user` is made of all names below `root`. */
static void add_uses(const KernelValues *values, Arena *arena, uint32_t user, NodeId root,
                     Edges *edges)
{
    NodeList names = nodes_in(values->module, root, NODE_NAME);
    for (uint32_t i = 0; i < names.count; i++) {
        Edge edge = {place_of(values, node_name(values->module, names.ids[i])), user};
        if (edge.callee < values->names.count) {
            VEC_PUSH(arena, edges, edge);
        }
    }
}

/* `CACHE[key] = value` anywhere in the file puts the value into CACHE. */
static void add_items(const KernelValues *values, Arena *arena, Edges *edges)
{
    const Module *module = values->module;
    NodeList list = module_nodes(module, NODE_ASSIGN);
    for (uint32_t i = 0; i < list.count; i++) {
        NodeId target = node_child(module, list.ids[i], ROLE_TARGET);
        NodeId base = node_is(module, target, NODE_SUBSCRIPT)
                          ? node_child(module, target, ROLE_VALUE)
                          : NO_NODE;
        uint32_t place = node_is(module, base, NODE_NAME)
                             ? place_of(values, node_name(module, base))
                             : values->names.count;
        if (place < values->names.count) {
            add_uses(values, arena, place, node_child(module, list.ids[i], ROLE_VALUE), edges);
        }
    }
}

/* Marks the functions of the module that are a kernel or have one in them. */
static void mark_kernels(KernelValues *values, NodeList kernels)
{
    const Module *module = values->module;
    for (uint32_t i = 0; i < kernels.count; i++) {
        NodeId outer = kernels.ids[i];
        while (node_at(module, outer)->depth > 1) {
            outer = node_at(module, outer)->parent;
        }
        uint32_t place = place_of(values, node_name(module, outer));
        if (place < values->names.count && values->names.items[place].node == outer) {
            values->holds[place] = true;
        }
    }
}

void kernel_values_read(KernelValues *values, Arena *arena, const PyFile *file)
{
    *values = (KernelValues){.module = pyfile_module(file)};
    add_names(values, arena, file);
    uint32_t total = values->names.count;
    Edges edges = {0};
    values->holds = ARENA_ARRAY(arena, bool, total + 1);
    for (uint32_t i = 0; i < total; i++) {
        add_uses(values, arena, i, values->names.items[i].node, &edges);
    }
    mark_kernels(values, file->kernels);
    add_items(values, arena, &edges);
    edges_mark(arena, &edges, values->holds, total);
}

/* Does a name that holds kernels, of the module or of `locals`, occur below `root`? */
static bool mentions(const KernelValues *values, const Strs *locals, NodeId root)
{
    NodeList names = nodes_in(values->module, root, NODE_NAME);
    for (uint32_t i = 0; i < names.count; i++) {
        Str name = node_name(values->module, names.ids[i]);
        uint32_t place = place_of(values, name);
        if ((place < values->names.count && values->holds[place]) || strs_have(locals, name)) {
            return true;
        }
    }
    return false;
}

/* A function's own names that were assigned what may be a kernel. */
static Strs local_kernels(const KernelValues *values, Arena *arena, NodeId function)
{
    Strs locals = {0};
    NodeList list = nodes_in(values->module, function, NODE_ASSIGN);
    for (uint32_t i = 0; i < list.count && locals.count < MOST_LOCALS; i++) {
        Str name;
        NodeId value;
        if (plain_assignment(values->module, list.ids[i], &name, &value) &&
            !strs_have(&locals, name) && mentions(values, &locals, value)) {
            VEC_PUSH(arena, &locals, name);
        }
    }
    return locals;
}

bool kernel_values_launched(const KernelValues *values, Arena *arena, NodeId function)
{
    const Module *module = values->module;
    Strs locals = local_kernels(values, arena, function);
    NodeList calls = nodes_in(module, function, NODE_CALL);
    for (uint32_t i = 0; i < calls.count; i++) {
        NodeId callee = call_func(module, calls.ids[i]);
        bool gives = node_is(module, callee, NODE_CALL) || node_is(module, callee, NODE_SUBSCRIPT);
        if (node_is(module, callee, NODE_NAME)) {
            Str name = node_name(module, callee);
            uint32_t place = place_of(values, name);
            gives = strs_have(&locals, name) ||
                    (place < values->names.count &&
                     !node_is(module, values->names.items[place].node, NODE_FUNCTION_DEF));
        }
        if (gives && mentions(values, &locals, callee)) {
            return true;
        }
    }
    return false;
}
