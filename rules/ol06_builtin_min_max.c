/* OL06: Python's min() or max() in a kernel.
 *
 * They compare while the graph is being built and so fail or freeze one branch into it. Looks at
 * calls of the bare names anywhere below a kernel. */
#include "lint/rule.h"

/* Is the expression the bare name of a tensor parameter of the kernel? */
static bool is_tensor_parameter(const PyFile *file, NodeId kernel, NodeId expression)
{
    const Module *module = pyfile_module(file);
    if (!node_is(module, expression, NODE_NAME)) {
        return false;
    }
    NodeId arg = function_parameter(module, kernel, node_name(module, expression));
    return arg != NO_NODE && annotation_is_tensor(annotation_read(file, arg));
}

/* `min(a, b)` to `pypto.minimum(a, b)` when one of them is known to be a tensor. */
static void offer_operation(RuleRun *run, const PyFile *file, Finding *finding, NodeId kernel,
                            NodeId call, bool is_max)
{
    const Module *module = pyfile_module(file);
    NodeId first = call_arg(module, call, 0), second = call_arg(module, call, 1);
    if (second == NO_NODE || call_arg(module, call, 2) != NO_NODE ||
        node_is(module, first, NODE_STARRED) || node_is(module, second, NODE_STARRED) ||
        node_child(module, call, ROLE_KEYWORD) != NO_NODE ||
        (!is_tensor_parameter(file, kernel, first) && !is_tensor_parameter(file, kernel, second))) {
        return;
    }
    const Node *callee = node_at(module, call_func(module, call));
    finding_edit(run, finding, FIX_SUGGEST, callee->start, callee->end,
                 is_max ? STR("pypto.maximum") : STR("pypto.minimum"));
}

static void check_file(RuleRun *run, const PyFile *file)
{
    const Module *module = pyfile_module(file);
    NodeList calls = module_nodes(module, NODE_CALL);
    for (uint32_t i = 0; i < calls.count; i++) {
        Str name = call_name(module, calls.ids[i]);
        bool is_max = str_is(name, "max");
        if (!is_max && !str_is(name, "min")) {
            continue;
        }
        NodeId kernel = kernel_around(file, calls.ids[i]);
        if (kernel == NO_NODE) {
            continue;
        }
        Str kernel_name = node_name(module, kernel), text = excerpt(run, file, calls.ids[i]);
        Finding *finding =
            report(run, STATUS_FAIL, at_node(file, calls.ids[i]),
                   "Python builtin %.*s() in kernel '%.*s' of %.*s: '%.*s'",
                   "调用了 Python 内建函数 %.*s()（kernel '%.*s'，%.*s）：'%.*s'", STR_ARG(name),
                   STR_ARG(kernel_name), STR_ARG(pyfile_path(file)), STR_ARG(text));
        offer_operation(run, file, finding, kernel, calls.ids[i], is_max);
    }
}

const Rule ol06 = {
    .id = "OL06",
    .order = 6,
    .severity = S1,
    .dimension = D1,
    .effort = E1,
    .stages = STAGE(5) | STAGE(6),
    .target = TARGET_IMPL,
    .sets = IN(SET_IMPL),
    .fix = FIX_SUGGEST,
    .needs = NEEDS_FILES | NEEDS_KERNEL,
    .hint =
        {"Tensors: 'pypto.maximum' / 'pypto.minimum'. Symbolic scalars: 's.max(v)', 's.min(v)', "
         "'pypto.max', 'pypto.min'. Compile-time integers: compute them outside the kernel.",
         "张量：用 'pypto.maximum' / 'pypto.minimum'；符号标量：用 's.max(v)'、's.min(v)'、"
         "'pypto.max'、'pypto.min'；编译期整数：在 kernel 之外计算。"},
    .check_file = check_file,
};
