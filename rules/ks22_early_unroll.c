/* KS22: `pypto.loop_unroll` with several values before stage 6.
 *
 * Each value adds a compiled path and a way through the kernel's own code. OL56 asks the same of
 * `pypto.loop`. Suggested fix: the list becomes `[1]`. */
#include "rules/common.h"

static void check_file(RuleRun *run, const PyFile *file)
{
    if (!is_workflow_file(run, file)) {
        return;
    }
    const Module *module = pyfile_module(file);
    NodeList calls = module_nodes(module, NODE_CALL);
    for (uint32_t i = 0; i < calls.count; i++) {
        NodeId call = calls.ids[i];
        if (!str_is(pypto_call(file, call), "loop_unroll")) {
            continue;
        }
        NodeId list = call_keyword_value(module, call, "unroll_list");
        bool literal = node_is(module, list, NODE_LIST) || node_is(module, list, NODE_TUPLE);
        uint32_t count = literal ? node_count(module, list, ROLE_ELT) : 0;
        if (count < 2) {
            continue;
        }
        Finding *finding =
            report(run, STATUS_FAIL, at_focus(file, call, list),
                   "unroll_list=%.*s of pypto.loop_unroll has %u values; use one before stage 6",
                   "pypto.loop_unroll 的 unroll_list=%.*s 有 %u 个值；阶段 6 之前只用一个值",
                   STR_ARG(excerpt(run, file, list)), count);
        const Node *node = node_at(module, list);
        finding_edit(run, finding, FIX_SUGGEST, node->start, node->end, STR("[1]"));
    }
}

const Rule ks22 = {
    .id = "KS22",
    .name = "early-unroll",
    .order = 84,
    .severity = S1,
    .dimension = D1,
    .effort = E1,
    .stages = STAGE(4) | STAGE(5),
    .target = TARGET_IMPL,
    .sets = IN(SET_IMPL),
    .fix = FIX_SUGGEST,
    .needs = NEEDS_FILES | NEEDS_KERNEL | NEEDS_OPERATOR,
    .hint = {"Use a single value, by default unroll_list=[1]; several values are for the tuning "
             "that begins at stage 6.",
             "只用一个值，默认 unroll_list=[1]；多个值留到阶段 6 开始的调优。"},
    .check_file = check_file,
};
