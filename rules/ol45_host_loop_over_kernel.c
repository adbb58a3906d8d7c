/* OL45: a host wrapper that launches the kernel in a Python `for … in range(…)`.
 *
 * The iteration then never reaches the device compiler. Looks at Layer K functions of files with
 * kernels; a kernel is recognised by its name, called bare or as an attribute, anywhere in the
 * loop. */
#include "rules/common.h"

/* The innermost Layer K function around a node, or NO_NODE. */
static NodeId wrapper_around(RuleRun *run, const Module *module, NodeId id)
{
    NodeId function = node_function(module, id);
    while (function != NO_NODE && !is_layer_k_name(run->op->name, node_name(module, function))) {
        function = node_function(module, function);
    }
    return function;
}

/* The call in the loop that launches a kernel and stands first in the source, or NO_NODE. */
static NodeId first_launch(const PyFile *file, NodeId loop)
{
    const Module *module = pyfile_module(file);
    NodeList calls = nodes_in(module, loop, NODE_CALL);
    NodeId first = NO_NODE;
    for (uint32_t i = 0; i < calls.count; i++) {
        NodeId call = calls.ids[i];
        if ((first == NO_NODE || node_at(module, call)->start < node_at(module, first)->start) &&
            kernel_launched(file, call).length > 0) {
            first = call;
        }
    }
    return first;
}

static void check_file(RuleRun *run, const PyFile *file)
{
    if (file->kernels.count == 0) {
        return;
    }
    const Module *module = pyfile_module(file);
    NodeList loops = module_nodes(module, NODE_FOR);
    for (uint32_t i = 0; i < loops.count; i++) {
        NodeId loop = loops.ids[i], iter = node_child(module, loop, ROLE_ITER);
        if (!is_range_iterator(module, iter)) {
            continue;
        }
        NodeId wrapper = wrapper_around(run, module, loop);
        NodeId launch = wrapper == NO_NODE ? NO_NODE : first_launch(file, loop);
        if (launch == NO_NODE) {
            continue;
        }
        Str bound = excerpt(run, file, iter), kernel = kernel_launched(file, launch);
        report(run, STATUS_FAIL, at_focus(file, loop, launch),
               "host wrapper '%.*s' launches kernel '%.*s' in a Python loop over %.*s",
               "host wrapper '%.*s' 在 Python 循环中启动 kernel '%.*s'，循环范围为 %.*s",
               STR_ARG(node_name(module, wrapper)), STR_ARG(kernel), STR_ARG(bound));
    }
}

const Rule ol45 = {
    .id = "OL45",
    .name = "host-loop-over-kernel",
    .order = 41,
    .severity = S0,
    .dimension = D1,
    .effort = E3,
    .stages = STAGE(5) | STAGE(6) | STAGE(7),
    .target = TARGET_IMPL,
    .fix = FIX_NONE,
    .needs = NEEDS_FILES,
    .hint = {"Move the iteration into the kernel: for i in pypto.loop(n), with pypto.view(..., "
             "offsets=[...]) for the part of each step; call the kernel once.",
             "把迭代移入 kernel：for i in pypto.loop(n)，每步用 pypto.view(..., offsets=[...]) "
             "取一块；wrapper 只调用一次 kernel。"},
    .check_file = check_file,
};
