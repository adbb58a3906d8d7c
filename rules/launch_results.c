/* Launch results; see launch_results.h. */
#include "rules/launch_results.h"

#include "base/search.h"

/* More is not followed, and then nothing is bypassing. */
enum { MAX_NODES = 20000, MAX_VALUES = 64, MAX_ROUNDS = 64 };

static bool is_output(const LaunchResults *results, Str name)
{
    return strs_sorted_have(&results->outputs, name);
}

static void add_output(LaunchResults *results, Str name)
{
    if (!is_output(results, name)) {
        VEC_PUSH(results->arena, &results->outputs, name);
        strs_sort_unique(&results->outputs);
    }
}

static bool has_launch(const PyFile *file, NodeId root)
{
    NodeList calls = nodes_in(pyfile_module(file), root, NODE_CALL);
    for (uint32_t i = 0; i < calls.count; i++) {
        if (kernel_launched(file, calls.ids[i]).length > 0) {
            return true;
        }
    }
    return false;
}

static bool mentions_output(const LaunchResults *results, NodeId root)
{
    const Module *module = pyfile_module(results->file);
    NodeList names = nodes_in(module, root, NODE_NAME);
    for (uint32_t i = 0; i < names.count; i++) {
        if (is_output(results, node_name(module, names.ids[i]))) {
            return true;
        }
    }
    return false;
}

static void add_names(LaunchResults *results, NodeId root)
{
    const Module *module = pyfile_module(results->file);
    NodeList names = nodes_in(module, root, NODE_NAME);
    for (uint32_t i = 0; i < names.count && i < MAX_VALUES; i++) {
        Str name = node_name(module, names.ids[i]);
        if (bindings_first(&results->bound, name) < results->bound.count ||
            function_parameter(module, results->function, name) != NO_NODE) {
            add_output(results, name); /* not a module or function */
        }
    }
}

/* --- what a launch writes */

/* Was the name made in this function as an empty buffer? */
static bool is_made_here(const LaunchResults *results, Str name)
{
    static const char *const makers[] = {"empty",     "empty_like", "zeros",    "zeros_like",
                                         "ones",      "ones_like",  "full",     "full_like",
                                         "new_empty", "new_zeros",  "new_full", "empty_strided"};
    const Module *module = pyfile_module(results->file);
    uint32_t i = bindings_first(&results->bound, name);
    uint32_t end = i + MAX_VALUES < results->bound.count ? i + MAX_VALUES : results->bound.count;
    for (; i < end && str_equal(results->bound.items[i].name, name); i++) {
        NodeId statement = node_statement(module, results->bound.items[i].node);
        NodeList calls = nodes_in(module, statement, NODE_CALL);
        for (uint32_t k = 0; k < calls.count && k < MAX_VALUES; k++) {
            if (STR_IS_ANY(call_attribute(module, calls.ids[k]), makers)) {
                return true;
            }
        }
    }
    return false;
}

/* Adds the names among the arguments of a launch that are buffers made here; false when there is
 * none. */
static bool add_buffers(LaunchResults *results, NodeId launch)
{
    const Module *module = pyfile_module(results->file);
    NodeList names = nodes_in(module, launch, NODE_NAME);
    bool any = false;
    for (uint32_t i = 0; i < names.count && i < MAX_VALUES; i++) {
        Str name = node_name(module, names.ids[i]);
        if (names.ids[i] != call_func(module, launch) && is_made_here(results, name)) {
            add_output(results, name);
            any = true;
        }
    }
    return any;
}

/* `y = kernel(x)`: adds the names that are assigned to. False when the launch is not the value of
 * an assignment. */
static bool add_assigned(LaunchResults *results, NodeId launch)
{
    const Module *module = pyfile_module(results->file);
    NodeId statement = node_statement(module, launch);
    bool assigns =
        node_is(module, statement, NODE_ASSIGN) || node_is(module, statement, NODE_ANN_ASSIGN);
    NodeId target = assigns ? node_child(module, statement, ROLE_TARGET) : NO_NODE;
    for (; target != NO_NODE; target = node_next(module, target)) {
        add_names(results, target);
    }
    return assigns;
}

/* Adds what the launches write. False without a launch, or when it is unclear what one writes. */
static bool find_outputs(LaunchResults *results)
{
    const Module *module = pyfile_module(results->file);
    NodeList calls = nodes_in(module, results->function, NODE_CALL);
    int launches = 0;
    for (uint32_t i = 0; i < calls.count; i++) {
        NodeId call = calls.ids[i];
        if (kernel_launched(results->file, call).length == 0) {
            continue;
        }
        bool buffers = add_buffers(results, call);
        if ((!add_assigned(results, call) && !buffers) || ++launches > MAX_VALUES) {
            return false;
        }
    }
    return launches > 0;
}

/* Adds the names that take part in a statement with an output: `res.copy_(y)`, `res[:] = y`,
 * `z = y * 2`. */
static void spread(LaunchResults *results)
{
    static const NodeKind kinds[] = {NODE_EXPR, NODE_ASSIGN, NODE_ANN_ASSIGN, NODE_AUG_ASSIGN};
    const Module *module = pyfile_module(results->file);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        NodeList list = nodes_in(module, results->function, kinds[k]);
        for (uint32_t i = 0; i < list.count; i++) {
            NodeId statement = list.ids[i];
            NodeId target = node_child(module, statement, ROLE_TARGET);
            if (!mentions_output(results, statement) || has_launch(results->file, statement)) {
                continue;
            }
            /* Of an assignment only the target gets something. */
            for (; kinds[k] != NODE_EXPR && target != NO_NODE; target = node_next(module, target)) {
                add_names(results, target);
            }
            if (kinds[k] == NODE_EXPR) {
                add_names(results, statement);
            }
        }
    }
}

/* --- what is returned */

/* Adds the expression and the values of the names in it. False when some of it is an output, a
 * launch, or too much to follow. */
static bool collect(LaunchResults *results, NodeId value)
{
    const Module *module = pyfile_module(results->file);
    uint32_t first = results->bypassing.count;
    VEC_PUSH(results->arena, &results->bypassing, value);
    for (uint32_t at = first; at < results->bypassing.count; at++) {
        NodeId expression = results->bypassing.items[at];
        if (results->bypassing.count - first > MAX_VALUES || mentions_output(results, expression) ||
            has_launch(results->file, expression)) {
            results->bypassing.count = first;
            return false;
        }
        NodeList names = nodes_in(module, expression, NODE_NAME);
        for (uint32_t i = 0; i < names.count; i++) {
            uint32_t place = bindings_first(&results->bound, node_name(module, names.ids[i]));
            bool once = place < results->bound.count;
            NodeId statement =
                once ? node_statement(module, results->bound.items[place].node) : NO_NODE;
            NodeId bound =
                statement == NO_NODE ? NO_NODE : node_child(module, statement, ROLE_VALUE);
            bool known = bound == NO_NODE;
            for (uint32_t k = first; k < results->bypassing.count && !known; k++) {
                known = results->bypassing.items[k] == bound;
            }
            if (!known) {
                VEC_PUSH(results->arena, &results->bypassing, bound);
            }
        }
    }
    return true;
}

void launch_results_read(LaunchResults *results, Arena *arena, const PyFile *file, NodeId function)
{
    const Module *module = pyfile_module(file);
    *results = (LaunchResults){.file = file, .arena = arena, .function = function};
    if (node_at(module, function)->subtree_end - function > MAX_NODES ||
        !has_launch(file, function)) {
        return;
    }
    bindings_add_targets(&results->bound, arena, module, function);
    bindings_sort(&results->bound);
    if (!find_outputs(results)) {
        return;
    }
    uint32_t known = 0;
    for (int round = 0; round < MAX_ROUNDS && known != results->outputs.count; round++) {
        known = results->outputs.count;
        spread(results);
    }
    if (known != results->outputs.count) {
        return;
    }
    NodeList returns = nodes_in(module, function, NODE_RETURN);
    for (uint32_t i = 0; i < returns.count && i < MAX_VALUES; i++) {
        NodeId value = node_child(module, returns.ids[i], ROLE_VALUE);
        if (value != NO_NODE && node_function(module, returns.ids[i]) == function) {
            collect(results, value);
        }
    }
}

bool is_bypassing(const LaunchResults *results, NodeId id)
{
    const Module *module = pyfile_module(results->file);
    for (uint32_t i = 0; i < results->bypassing.count; i++) {
        if (node_within(module, id, results->bypassing.items[i])) {
            return true;
        }
    }
    return false;
}
