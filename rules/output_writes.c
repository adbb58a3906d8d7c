/* OutputWrites: reading the forms that write to a name; see output_writes.h. */
#include "rules/output_writes.h"

#include "base/search.h"

#include <stdlib.h>

typedef const char *const Words[];

static Words in_place = {"index_add_", "index_add__ub", "index_put_", "scatter_", "axpy_", NULL};
static Words writing_methods = {"move", "assemble", "index_add_", "scatter_", "axpy_", NULL};
static Words target_keywords = {"target", "dst", "out", NULL};
static Words in_place_keywords = {"input", "y", NULL};
static Words buffer_makers = {"zeros",      "ones",       "empty",     "full", "tensor",
                              "zeros_like", "empty_like", "ones_like", NULL};
static Words layout_functions = {"view", "reshape", NULL};
static Words layout_methods = {"reshape", "view", "contiguous", "clone", "detach", NULL};

/* A call `owner.method(…)` with a plain name as owner; `owner` is empty for any other call. */
typedef struct Method {
    Str owner, name;
    bool of_pypto;
} Method;

static Method method_of(const Module *module, NodeId call)
{
    NodeId callee = call_func(module, call);
    if (!node_is(module, callee, NODE_ATTRIBUTE)) {
        return (Method){.of_pypto = false};
    }
    NodeId owner = attribute_value(module, callee);
    if (!node_is(module, owner, NODE_NAME)) {
        return (Method){.of_pypto = false};
    }
    Method method = {.owner = node_name(module, owner), .name = node_name(module, callee)};
    method.of_pypto = str_is(method.owner, "pypto");
    return method;
}

/* The plain name that an expression is, else empty. */
static Str plain_name(const Module *module, NodeId id)
{
    return node_is(module, id, NODE_NAME) ? node_name(module, id) : STR("");
}

/* The plain name before the brackets of `name[…]`, else empty. */
static Str subscripted_name(const Module *module, NodeId id)
{
    return node_is(module, id, NODE_SUBSCRIPT)
               ? plain_name(module, node_child(module, id, ROLE_VALUE))
               : STR("");
}

static bool is_sequence(const Module *module, NodeId id)
{
    return node_is(module, id, NODE_LIST) || node_is(module, id, NODE_TUPLE);
}

/* --- names that are written */

static void name_set_add(NameSet *set, Str name)
{
    uint32_t before = set->table.uses.count;
    if (name.length == 0) {
        return;
    }
    name_table_add(&set->table, name);
    if (set->table.uses.count > before) {
        VEC_PUSH(set->table.arena, &set->order, name);
    }
}

static void add_keywords(NameSet *set, const Module *module, NodeId call, const char *const *words,
                         size_t count)
{
    NodeId keyword = node_child(module, call, ROLE_KEYWORD);
    for (; keyword != NO_NODE; keyword = node_next(module, keyword)) {
        if (str_is_any(node_name(module, keyword), words, count)) {
            name_set_add(set, plain_name(module, node_child(module, keyword, ROLE_VALUE)));
        }
    }
}

static void add_pypto_call(NameSet *set, const Module *module, NodeId call, Str function)
{
    if (str_is(function, "assemble")) {
        bool two = call_arg(module, call, 1) != NO_NODE && call_arg(module, call, 2) == NO_NODE;
        name_set_add(set, plain_name(module, call_arg(module, call, 2)));
        if (two && is_sequence(module, call_arg(module, call, 0))) {
            name_set_add(set, plain_name(module, call_arg(module, call, 1)));
        }
        add_keywords(set, module, call, target_keywords,
                     sizeof target_keywords / sizeof *target_keywords);
    } else if (str_is(function, "move")) {
        name_set_add(set, plain_name(module, call_arg(module, call, 1)));
        add_keywords(set, module, call, target_keywords,
                     sizeof target_keywords / sizeof *target_keywords);
    } else if (STR_IS_ANY(function, in_place)) {
        name_set_add(set, plain_name(module, call_arg(module, call, 0)));
        add_keywords(set, module, call, in_place_keywords,
                     sizeof in_place_keywords / sizeof *in_place_keywords);
    }
}

static void add_statements(NameSet *set, const Module *module, NodeId root, NodeKind kind)
{
    NodeList statements = nodes_in(module, root, kind);
    for (uint32_t i = 0; i < statements.count; i++) {
        NodeId target = node_child(module, statements.ids[i], ROLE_TARGET);
        for (; target != NO_NODE; target = node_next(module, target)) {
            name_set_add(set, subscripted_name(module, target));
        }
    }
}

void written_names(NameSet *set, const Module *module, NodeId root)
{
    NodeList calls = nodes_in(module, root, NODE_CALL);
    for (uint32_t i = 0; i < calls.count; i++) {
        Method method = method_of(module, calls.ids[i]);
        if (method.of_pypto) {
            add_pypto_call(set, module, calls.ids[i], method.name);
        } else if (STR_IS_ANY(method.name, writing_methods)) {
            name_set_add(set, method.owner);
        }
    }
    add_statements(set, module, root, NODE_ASSIGN);
    add_statements(set, module, root, NODE_AUG_ASSIGN);
}

static void add_arguments(NameSet *set, const Module *module, NodeId call)
{
    NodeId argument = node_child(module, call, ROLE_ARG);
    for (; argument != NO_NODE; argument = node_next(module, argument)) {
        name_set_add(set, plain_name(module, argument));
    }
    NodeId keyword = node_child(module, call, ROLE_KEYWORD);
    for (; keyword != NO_NODE; keyword = node_next(module, keyword)) {
        name_set_add(set, plain_name(module, node_child(module, keyword, ROLE_VALUE)));
    }
}

void modified_names(NameSet *set, const PyFile *file, NodeId root)
{
    const Module *module = pyfile_module(file);
    written_names(set, module, root);
    NodeList statements = nodes_in(module, root, NODE_AUG_ASSIGN);
    for (uint32_t i = 0; i < statements.count; i++) {
        name_set_add(set, plain_name(module, node_child(module, statements.ids[i], ROLE_TARGET)));
    }
    NodeList calls = nodes_in(module, root, NODE_CALL);
    for (uint32_t i = 0; i < calls.count; i++) {
        Method method = method_of(module, calls.ids[i]);
        Str function = call_name(module, calls.ids[i]);
        if (!method.of_pypto && STR_IS_ANY(method.name, in_place)) {
            name_set_add(set, method.owner);
        } else if (function.length > 0 &&
                   graph_find(file, file->functions_n, function) != NO_NODE) {
            add_arguments(set, module, calls.ids[i]);
        }
    }
}

/* --- what is written */

static Origin origin_of_call(const Module *module, NodeId call)
{
    Method method = method_of(module, call);
    Str argument = plain_name(module, call_arg(module, call, 0));
    if (method.of_pypto && STR_IS_ANY(method.name, buffer_makers)) {
        return (Origin){.kind = ORIGIN_BUFFER};
    }
    if (method.of_pypto && argument.length > 0 && STR_IS_ANY(method.name, layout_functions)) {
        return (Origin){ORIGIN_LAYOUT, argument};
    }
    if (!method.of_pypto && STR_IS_ANY(method.name, layout_methods)) {
        return (Origin){ORIGIN_LAYOUT, method.owner};
    }
    return (Origin){.kind = ORIGIN_COMPUTED};
}

Origin origin_of(const Module *module, NodeId expression)
{
    switch (node_kind(module, expression)) {
    case NODE_NAME:
        return (Origin){ORIGIN_NAME, node_name(module, expression)};
    case NODE_SUBSCRIPT: {
        Str name = subscripted_name(module, expression);
        return name.length > 0 ? (Origin){ORIGIN_PART, name} : (Origin){.kind = ORIGIN_COMPUTED};
    }
    case NODE_CALL:
        return origin_of_call(module, expression);
    default:
        return (Origin){.kind = ORIGIN_COMPUTED};
    }
}

typedef VEC(Write) Writes;

typedef struct Collector {
    const PyFile *file;
    const Module *module;
    Arena *arena;
    Writes writes;
} Collector;

static void add_write(Collector *collector, Str target, NodeId place, NodeId source)
{
    if (target.length == 0) {
        return;
    }
    Write write = {.target = target, .place = place, .source = source};
    write.level = (uint64_t)node_at(collector->module, place)->depth << 32 | place;
    if (source != NO_NODE) {
        write.origin = origin_of(collector->module, source);
    }
    VEC_PUSH(collector->arena, &collector->writes, write);
}

/* `pypto.assemble(source, offsets, name)` or `pypto.assemble([(source, offsets), …], name)`. */
static void add_assemble(Collector *collector, NodeId call)
{
    const Module *module = collector->module;
    NodeId first = call_arg(module, call, 0);
    Str third = plain_name(module, call_arg(module, call, 2));
    if (third.length > 0) {
        add_write(collector, third, call, first);
        return;
    }
    Str second = plain_name(module, call_arg(module, call, 1));
    if (second.length == 0 || !is_sequence(module, first)) {
        return;
    }
    NodeId element = node_child(module, first, ROLE_ELT);
    for (; element != NO_NODE; element = node_next(module, element)) {
        NodeId source =
            is_sequence(module, element) ? node_child(module, element, ROLE_ELT) : NO_NODE;
        if (source != NO_NODE) {
            add_write(collector, second, call, source);
        }
    }
}

static void add_accumulating(Collector *collector, NodeId call)
{
    const Module *module = collector->module;
    NameSet names = {.table = {.arena = collector->arena}};
    name_set_add(&names, plain_name(module, call_arg(module, call, 0)));
    add_keywords(&names, module, call, in_place_keywords,
                 sizeof in_place_keywords / sizeof *in_place_keywords);
    for (uint32_t i = 0; i < names.order.count; i++) {
        add_write(collector, names.order.items[i], call, NO_NODE);
    }
}

static void collect_call(Collector *collector, NodeId call)
{
    const Module *module = collector->module;
    Method method = method_of(module, call);
    bool accumulates = STR_IS_ANY(method.name, in_place);
    if (method.of_pypto && accumulates) {
        add_accumulating(collector, call);
    } else if (method.of_pypto) {
        if (str_is(method.name, "assemble")) {
            add_assemble(collector, call);
        }
    } else if (accumulates) {
        add_write(collector, method.owner, call, NO_NODE);
    } else if (str_is(method.name, "move") || str_is(method.name, "assemble")) {
        NodeId source = call_arg(module, call, 0);
        if (source != NO_NODE) {
            add_write(collector, method.owner, call, source);
        }
    }
}

static void collect_statements(Collector *collector, NodeId function, NodeKind kind)
{
    const Module *module = collector->module;
    NodeList statements = nodes_in(module, function, kind);
    for (uint32_t i = 0; i < statements.count; i++) {
        NodeId target = node_child(module, statements.ids[i], ROLE_TARGET);
        if (node_next(module, target) == NO_NODE) {
            add_write(collector, subscripted_name(module, target), statements.ids[i],
                      node_child(module, statements.ids[i], ROLE_VALUE));
        }
    }
}

static int compare_origins(const Write *a, const Write *b)
{
    int order = str_compare(a->target, b->target);
    if (order != 0) {
        return order;
    }
    if (a->origin.kind != b->origin.kind) {
        return a->origin.kind < b->origin.kind ? -1 : 1;
    }
    return str_compare(a->origin.name, b->origin.name);
}

static int compare_writes(const void *left, const void *right)
{
    const Write *a = left, *b = right;
    int order = compare_origins(a, b);
    order = order != 0 ? order : (a->level > b->level) - (a->level < b->level);
    return order != 0 ? order : (a->source > b->source) - (a->source < b->source);
}

/* The callees of the last calls in level order, each once. */
static void collect_callees(const Collector *collector, NodeId function, FunctionWrites *result)
{
    const PyFile *file = collector->file;
    NodeList calls = nodes_in(collector->module, function, NODE_CALL);
    calls = nodes_level_order(collector->module, collector->arena, calls);
    for (uint32_t i = calls.count; i-- > 0 && result->callee_count < MAX_FOLLOWED;) {
        Str name = call_name(collector->module, calls.ids[i]);
        NodeId callee = name.length == 0 ? NO_NODE : graph_find(file, file->functions_m, name);
        bool known = callee == NO_NODE;
        for (uint32_t k = 0; k < result->callee_count && !known; k++) {
            known = result->callees[k] == callee;
        }
        if (!known) {
            result->callees[result->callee_count++] = callee;
        }
    }
}

FunctionWrites function_writes(const PyFile *file, Arena *arena, NodeId function)
{
    FunctionWrites result = {.callee_count = 0};
    Collector collector = {.file = file, .module = pyfile_module(file), .arena = arena};
    NodeList calls = nodes_in(collector.module, function, NODE_CALL);
    for (uint32_t i = 0; i < calls.count; i++) {
        collect_call(&collector, calls.ids[i]);
    }
    collect_statements(&collector, function, NODE_ASSIGN);
    collect_statements(&collector, function, NODE_AUG_ASSIGN);
    result.items = collector.writes.items;
    result.count = collector.writes.count;
    if (result.count > 1) {
        qsort(result.items, result.count, sizeof *result.items, compare_writes);
    }
    for (uint32_t i = result.count; i-- > 0;) {
        bool same =
            i + 1 < result.count && compare_origins(&result.items[i], &result.items[i + 1]) == 0;
        result.items[i].next = same ? result.items[i + 1].next : i + 1;
    }
    collect_callees(&collector, function, &result);
    return result;
}

uint32_t writes_find(const FunctionWrites *writes, Str target)
{
    uint32_t low;
    LOWER_BOUND(low, writes->count, str_compare(writes->items[low].target, target) < 0);
    return low;
}
