/* OL23: a kernel without any loop slices nothing, so its workspace covers the whole axis.
 *
 * Looks at the primary kernels of each file. Any loop statement, any call whose callee mentions
 * "loop" and any call with one of two loop keywords anywhere in such a kernel is enough for the
 * file. Files that do not parse fail. */
#include "rules/common.h"

/* The helpers of at most this many kernels are searched for a loop to name in the message. */
enum { MAX_SEARCHED = 8 };

static bool contains_loop(Str name)
{
    for (size_t i = 0; i + 4 <= name.length; i++) {
        const char *at = name.at + i;
        if ((at[0] | 32) == 'l' && (at[1] | 32) == 'o' && (at[2] | 32) == 'o' &&
            (at[3] | 32) == 'p') {
            return true;
        }
    }
    return false;
}

static bool has_loop_keyword(const Module *module, NodeId call)
{
    return call_keyword(module, call, "unroll_list") != NO_NODE ||
           call_keyword(module, call, "submit_before_loop") != NO_NODE;
}

/* Some call below `root` looks like a loop. Callees nest, so the furthest end of a callee met so
 * far tells whether a node is inside one: a single pass, however long a chain of calls is. */
static bool has_loop_call(const PyFile *file, NodeId root)
{
    const Module *module = pyfile_module(file);
    NodeId end = node_at(module, root)->subtree_end, callee_end = 0;
    for (NodeId id = root; id < end; id++) {
        NodeKind kind = node_kind(module, id);
        if (id < callee_end) {
            if (contains_loop(node_name(module, id)) ||
                (kind == NODE_CONSTANT && expression_mentions(file, id, "loop", true))) {
                return true;
            }
        }
        if (kind == NODE_CALL) {
            if (has_loop_keyword(module, id)) {
                return true;
            }
            NodeId callee = node_at(module, call_func(module, id))->subtree_end;
            callee_end = callee > callee_end ? callee : callee_end;
        }
    }
    return false;
}

static bool has_loop(const PyFile *file, NodeId root)
{
    const Module *module = pyfile_module(file);
    return nodes_in(module, root, NODE_FOR).count > 0 ||
           nodes_in(module, root, NODE_ASYNC_FOR).count > 0 ||
           nodes_in(module, root, NODE_WHILE).count > 0 || has_loop_call(file, root);
}

/* A helper with a loop that a primary kernel reaches, or NO_NODE. */
static NodeId helper_with_loop(RuleRun *run, const PyFile *file)
{
    for (uint32_t i = 0; i < file->primary.count && i < MAX_SEARCHED; i++) {
        NodeId kernel = file->primary.ids[i];
        NodeList reached = graph_reach(file, run->arena, file->functions_m, kernel);
        for (uint32_t k = 0; k < reached.count; k++) {
            if (reached.ids[k] != kernel && has_loop(file, reached.ids[k])) {
                return reached.ids[k];
            }
        }
    }
    return NO_NODE;
}

static void check_parsed(RuleRun *run, const PyFile *file)
{
    const Module *module = pyfile_module(file);
    for (uint32_t i = 0; i < file->primary.count; i++) {
        if (has_loop(file, file->primary.ids[i])) {
            return;
        }
    }
    Place place = at_node(file, file->primary.ids[0]);
    Str names = function_names(run, file, file->primary);
    NodeId helper = helper_with_loop(run, file);
    if (helper == NO_NODE) {
        report(run, STATUS_WARN, place, "no loop in kernel %.*s", "kernel %.*s 中没有任何循环",
               STR_ARG(names));
        return;
    }
    Str name = node_name(module, helper);
    unsigned line = node_line(module, helper);
    Finding *finding = report(run, STATUS_WARN, place,
                              "no loop in kernel %.*s itself; its helper '%.*s' at line %u has one",
                              "kernel %.*s 自身没有循环；它调用的函数 '%.*s'（第 %u 行）中有循环",
                              STR_ARG(names), STR_ARG(name), line);
    finding_related(run, finding, at_node(file, helper), "'%.*s' has a loop", "'%.*s' 中有循环",
                    STR_ARG(name));
    finding_hint(
        run, finding,
        "Nothing to do if the loop of '%.*s' covers the dynamic or large axes of the kernel.",
        "若 '%.*s' 中的循环已覆盖 kernel 的动态轴或大轴，则无需修改。", STR_ARG(name));
}

static void check(RuleRun *run)
{
    const PyFiles *scan = &run->op->scan;
    bool looked = false;
    for (uint32_t i = 0; i < scan->count; i++) {
        const PyFile *file = scan->items[i];
        if (report_unparsable(run, file)) {
            looked = true;
        } else if (pyfile_module(file) != NULL && file->primary.count > 0) {
            looked = true;
            check_parsed(run, file);
        }
    }
    if (!looked) {
        rule_skip(run, "no file has a kernel", "没有文件包含 kernel");
    }
}

const Rule ol23 = {
    .id = "OL23",
    .name = "kernel-without-loop",
    .order = 9,
    .severity = S2,
    .dimension = D1,
    .effort = E1,
    .stages = STAGE(5) | STAGE(6),
    .target = TARGET_IMPL,
    .sets = IN(SET_IMPL),
    .fix = FIX_NONE,
    .needs = NEEDS_FILES,
    .hint = {"Iterate over the dynamic or large axes with pypto.loop(...) and pypto.view(...), or "
             "state in DESIGN.md that no loop is needed.",
             "用 pypto.loop(...) 配合 pypto.view(...) 遍历动态轴或大轴；若确实不需要循环，请在 "
             "DESIGN.md 中说明。"},
    .check = check,
};
