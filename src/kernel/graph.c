/* Same-file call graphs: bare-name calls between the functions of one file. */
#include "kernel/graph.h"

#include "base/search.h"

#include <stdlib.h>

/* Functions sorted by name, then in the order in which the later one wins. */
typedef struct Entry {
    Str name;
    uint32_t depth;
    NodeId id;
} Entry;

static int by_name(const void *a, const void *b)
{
    const Entry *x = a;
    const Entry *y = b;
    int order = str_compare(x->name, y->name);
    if (order != 0) {
        return order;
    }
    if (x->depth != y->depth) {
        return x->depth < y->depth ? -1 : 1;
    }
    return x->id < y->id ? -1 : x->id > y->id;
}

/* One function a name, the last in level order, sorted by name. */
static NodeList unique_by_name(const Module *module, Arena *arena, Entry *entries, uint32_t count)
{
    if (count > 1) {
        qsort(entries, count, sizeof *entries, by_name);
    }
    NodeId *ids = arena_alloc(arena, sizeof *ids * (count + 1));
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (i + 1 == count || !str_equal(entries[i].name, entries[i + 1].name)) {
            ids[kept++] = entries[i].id;
        }
    }
    (void)module;
    return (NodeList){ids, kept};
}

void graph_collect(PyFile *file)
{
    const Module *module = pyfile_module(file);
    uint32_t count = file->functions.count;
    Entry *all = arena_alloc(file->arena, sizeof *all * (count + 1));
    Entry *top = arena_alloc(file->arena, sizeof *top * (count + 1));
    uint32_t top_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        NodeId id = file->functions.ids[i];
        const Node *node = node_at(module, id);
        all[i] = (Entry){node_name(module, id), node->depth, id};
        if (node->parent == 0 && node->kind == NODE_FUNCTION_DEF) {
            top[top_count++] = all[i];
        }
    }
    file->functions_n = unique_by_name(module, file->arena, all, count);
    file->functions_m = unique_by_name(module, file->arena, top, top_count);
}

/* Index of the function with this name in a list sorted by name, or UINT32_MAX. */
static uint32_t find_index(const Module *module, NodeList nodes, Str name)
{
    uint32_t low;
    LOWER_BOUND(low, nodes.count, str_compare(name, node_name(module, nodes.ids[low])) > 0);
    return low < nodes.count && str_compare(name, node_name(module, nodes.ids[low])) == 0
               ? low
               : UINT32_MAX;
}

NodeId graph_find(const PyFile *file, NodeList nodes, Str name)
{
    uint32_t index = find_index(pyfile_module(file), nodes, name);
    return index == UINT32_MAX ? NO_NODE : nodes.ids[index];
}

NodeList graph_reach(const PyFile *file, Arena *arena, NodeList nodes, NodeId start)
{
    const Module *module = pyfile_module(file);
    bool *seen = ARENA_ARRAY(arena, bool, nodes.count + 1);
    NodeId *order = arena_alloc(arena, sizeof *order * (nodes.count + 2));
    uint32_t count = 0;
    order[count++] = start;
    /* Every name is visited once, the start's too, even when a later function has it. */
    uint32_t own = find_index(module, nodes, node_name(module, start));
    if (own != UINT32_MAX) {
        seen[own] = true;
    }
    for (uint32_t i = 0; i < count; i++) {
        NodeList calls = nodes_in(module, order[i], NODE_CALL);
        for (uint32_t j = 0; j < calls.count; j++) {
            Str name = call_name(module, calls.ids[j]);
            uint32_t index = name.length == 0 ? UINT32_MAX : find_index(module, nodes, name);
            if (index != UINT32_MAX && !seen[index]) {
                seen[index] = true;
                order[count++] = nodes.ids[index];
            }
        }
    }
    return (NodeList){order, count};
}
