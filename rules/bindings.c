/* Bindings: a sorted array of names; see bindings.h. */
#include "rules/bindings.h"

#include "base/search.h"

#include <stdlib.h>

void bindings_add(Bindings *bindings, Arena *arena, const Module *module, Str name, uint32_t line,
                  NodeId place, NodeId node)
{
    uint64_t level = (uint64_t)node_at(module, place)->depth << 32 | place;
    Binding binding = {.name = name, .line = line, .level = level, .node = node};
    VEC_PUSH(arena, bindings, binding);
}

void bindings_add_functions(Bindings *bindings, Arena *arena, const Module *module,
                            NodeList functions)
{
    for (uint32_t i = 0; i < functions.count; i++) {
        NodeId function = functions.ids[i];
        bindings_add(bindings, arena, module, node_name(module, function), 0, function, function);
    }
}

/* Is it assigned to: as it is, or as part of a tuple or list? */
static bool is_target(const Module *module, NodeId id)
{
    NodeId parent = node_at(module, id)->parent;
    Role role = (Role)node_at(module, id)->role;
    return role == ROLE_TARGET ||
           (role == ROLE_ELT && node_at(module, parent)->role == ROLE_TARGET &&
            (node_is(module, parent, NODE_TUPLE) || node_is(module, parent, NODE_LIST)));
}

void bindings_add_targets(Bindings *bindings, Arena *arena, const Module *module, NodeId root)
{
    NodeList names = nodes_in(module, root, NODE_NAME);
    for (uint32_t i = 0; i < names.count; i++) {
        NodeId id = names.ids[i];
        if (is_target(module, id)) {
            bindings_add(bindings, arena, module, node_name(module, id), 0, id, id);
        }
    }
}

static int compare(const void *left, const void *right)
{
    const Binding *a = left, *b = right;
    int order = str_compare(a->name, b->name);
    if (order != 0) {
        return order;
    }
    if (a->line != b->line) {
        return a->line < b->line ? -1 : 1;
    }
    return (a->level > b->level) - (a->level < b->level);
}

void bindings_sort(Bindings *bindings)
{
    if (bindings->count > 1) {
        qsort(bindings->items, bindings->count, sizeof *bindings->items, compare);
    }
}

static bool is_before(const Binding *binding, Str name, uint32_t line)
{
    int order = str_compare(binding->name, name);
    return order < 0 || (order == 0 && binding->line < line);
}

const Binding *bindings_last(const Bindings *bindings, Str name, uint32_t before)
{
    uint32_t low; /* the first binding that is not before (name, before) */
    LOWER_BOUND(low, bindings->count, is_before(&bindings->items[low], name, before));
    if (low == 0 || !str_equal(bindings->items[low - 1].name, name)) {
        return NULL;
    }
    return &bindings->items[low - 1];
}

uint32_t bindings_first(const Bindings *bindings, Str name)
{
    uint32_t low;
    LOWER_BOUND(low, bindings->count, is_before(&bindings->items[low], name, 0));
    return low < bindings->count && str_equal(bindings->items[low].name, name) ? low
                                                                               : bindings->count;
}

bool plain_assignment(const Module *module, NodeId statement, Str *name, NodeId *value)
{
    NodeKind kind = node_kind(module, statement);
    if (kind != NODE_ASSIGN && kind != NODE_ANN_ASSIGN) {
        return false;
    }
    NodeId target = node_child(module, statement, ROLE_TARGET);
    if (!node_is(module, target, NODE_NAME) || node_next(module, target) != NO_NODE) {
        return false;
    }
    *name = node_name(module, target);
    *value = node_child(module, statement, ROLE_VALUE);
    return *value != NO_NODE;
}
