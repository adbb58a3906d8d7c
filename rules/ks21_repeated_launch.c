/* KS21: a wrapper launches the same kernel more than once, outside a loop.
 *
 * The workflow's kernels are launched once for a call of the wrapper. Looks at Layer K functions of
 * files with kernels; a kernel is recognised as OL45 does. Launches that exclude each other (the
 * branches of an `if`, a fallback, after a `return`) count as one, those in loops are OL45's. */
#include "rules/common.h"

/* Is the node in a loop or a comprehension of the function? */
static bool is_in_loop(const Module *module, NodeId id, NodeId function)
{
    for (; id != function; id = node_at(module, id)->parent) {
        NodeKind kind = node_kind(module, id);
        if (kind == NODE_FOR || kind == NODE_ASYNC_FOR || kind == NODE_WHILE ||
            kind == NODE_COMPREHENSION || kind == NODE_LIST_COMP || kind == NODE_SET_COMP ||
            kind == NODE_DICT_COMP || kind == NODE_GENERATOR_EXP || kind == NODE_LAMBDA) {
            return true;
        }
    }
    return false;
}

/* The child of `around` that is `id` or holds it. */
static NodeId child_towards(const Module *module, NodeId around, NodeId id)
{
    while (node_at(module, id)->parent != around) {
        id = node_at(module, id)->parent;
    }
    return id;
}

/* Does at most one of two parts of a statement or expression run, by their fields? */
static bool are_exclusive(const Module *module, NodeId around, NodeId first, NodeId second)
{
    Role a = (Role)node_at(module, first)->role, b = (Role)node_at(module, second)->role;
    switch (node_kind(module, around)) {
    case NODE_IF:
    case NODE_IF_EXP:
        return (a == ROLE_BODY && b == ROLE_ORELSE) || (a == ROLE_ORELSE && b == ROLE_BODY);
    case NODE_TRY:
    case NODE_TRY_STAR: /* what fails is launched again by a fallback */
        return (b == ROLE_HANDLER && a != ROLE_FINALBODY) ||
               (a == ROLE_HANDLER && b == ROLE_ORELSE);
    case NODE_MATCH:
        return a == ROLE_CASE && b == ROLE_CASE;
    default:
        return false;
    }
}

/* True when a `return` or `raise` is or follows the node in one of the blocks around it that lie
 * below `around`: then what comes after `around` does not run. */
static bool leaves(const Module *module, NodeId id, NodeId around)
{
    for (; node_at(module, id)->parent != around; id = node_at(module, id)->parent) {
        for (NodeId next = id; next != NO_NODE; next = node_next(module, next)) {
            NodeKind kind = node_kind(module, next);
            if (kind == NODE_RETURN || kind == NODE_RAISE) {
                return true;
            }
        }
    }
    return false;
}

/* May both run in one call of the function? `first` stands before `second`. */
static bool both_run(const Module *module, NodeId first, NodeId second)
{
    NodeId around = node_at(module, first)->parent;
    while (!node_within(module, second, around)) {
        around = node_at(module, around)->parent;
    }
    if (node_within(module, second, first) || node_within(module, first, second)) {
        return true; /* one is an argument of the other */
    }
    return !are_exclusive(module, around, child_towards(module, around, first),
                          child_towards(module, around, second)) &&
           !leaves(module, first, around);
}

/* An earlier launch of the same kernel in the list, after which this one runs too, or NO_NODE. */
static NodeId launch_before(const PyFile *file, NodeList launches, uint32_t at)
{
    const Module *module = pyfile_module(file);
    Str kernel = kernel_launched(file, launches.ids[at]);
    for (uint32_t i = 0; i < at; i++) {
        if (str_equal(kernel_launched(file, launches.ids[i]), kernel) &&
            both_run(module, launches.ids[i], launches.ids[at])) {
            return launches.ids[i];
        }
    }
    return NO_NODE;
}

/* Launches in the function itself, outside loops; at most this many are compared. */
enum { MAX_LAUNCHES = 64 };

static void check_wrapper(RuleRun *run, const PyFile *file, NodeId wrapper)
{
    const Module *module = pyfile_module(file);
    NodeList calls = nodes_in(module, wrapper, NODE_CALL);
    NodeId found[MAX_LAUNCHES];
    NodeList launches = {found, 0};
    for (uint32_t i = 0; i < calls.count && launches.count < MAX_LAUNCHES; i++) {
        NodeId call = calls.ids[i];
        if (kernel_launched(file, call).length > 0 && node_function(module, call) == wrapper &&
            !is_in_loop(module, call, wrapper)) {
            found[launches.count++] = call;
        }
    }
    for (uint32_t i = 1; i < launches.count; i++) {
        NodeId first = launch_before(file, launches, i);
        if (first == NO_NODE) {
            continue;
        }
        Finding *finding = report(run, STATUS_FAIL, at_node(file, launches.ids[i]),
                                  "host wrapper '%.*s' launches kernel '%.*s' more than once",
                                  "host wrapper '%.*s' 多次启动 kernel '%.*s'",
                                  STR_ARG(node_name(module, wrapper)),
                                  STR_ARG(kernel_launched(file, launches.ids[i])));
        finding_related(run, finding, at_node(file, first), "the earlier launch",
                        "此前已在此处启动");
        return;
    }
}

static void check_file(RuleRun *run, const PyFile *file)
{
    if (!is_workflow_file(run, file)) {
        return;
    }
    NodeList wrappers = layer_k_functions(file, run->arena, run->op->name);
    for (uint32_t i = 0; i < wrappers.count; i++) {
        if (!is_kernel(file, wrappers.ids[i])) {
            check_wrapper(run, file, wrappers.ids[i]);
        }
    }
}

const Rule ks21 = {
    .id = "KS21",
    .name = "repeated-launch",
    .order = 83,
    .severity = S1,
    .dimension = D5,
    .effort = E2,
    .stages = STAGE(5) | STAGE(6) | STAGE(7),
    .target = TARGET_IMPL,
    .sets = IN(SET_IMPL),
    .fix = FIX_NONE,
    .needs = NEEDS_FILES | NEEDS_KERNEL | NEEDS_OPERATOR,
    .hint = {"Launch the kernel once in a call of the wrapper: put what the second launch computes "
             "into the kernel, as another loop or another output.",
             "wrapper 每次调用只启动一次 kernel：把第二次启动的计算放进 kernel，"
             "作为另一个循环或另一个输出。"},
    .check_file = check_file,
};
