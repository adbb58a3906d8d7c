/* OL56: several values in `unroll_list` before the optimisation stage.
 *
 * Each value adds a compiled path. Looks at the `for … in pypto.loop(…)` statements of the kernels
 * and of the Python blocks of DESIGN.md. Fix: the list becomes `[1]`; safe in code, suggested in
 * the document. */
#include "rules/common.h"

/* Elements of the `unroll_list` literal of a loop statement, and that literal; 0 when there is
 * none. */
static uint32_t unroll_values(const PyFile *file, NodeId loop, NodeId *list)
{
    const Module *module = pyfile_module(file);
    NodeId call = loop_statement_call(file, loop);
    NodeId value = call == NO_NODE ? NO_NODE : call_keyword_value(module, call, "unroll_list");
    if (!node_is(module, value, NODE_LIST) && !node_is(module, value, NODE_TUPLE)) {
        return 0;
    }
    *list = value;
    return node_count(module, value, ROLE_ELT);
}

static void add_fix(RuleRun *run, const PyFile *file, Finding *finding, NodeId list, FixClass fix)
{
    const Node *node = node_at(pyfile_module(file), list);
    finding_edit(run, finding, fix, node->start, node->end, STR("[1]"));
}

static void check_block(RuleRun *run, const PyFile *file)
{
    NodeList loops = module_nodes(pyfile_module(file), NODE_FOR);
    for (uint32_t i = 0; i < loops.count; i++) {
        NodeId list = NO_NODE;
        uint32_t count = unroll_values(file, loops.ids[i], &list);
        if (count < 2) {
            continue;
        }
        Place place = at_focus(file, loop_statement_call(file, loops.ids[i]), list);
        Finding *finding =
            report(run, STATUS_FAIL, place,
                   "unroll_list=%.*s in DESIGN.md has %u values; use one before stage 7",
                   "DESIGN.md 中的 unroll_list=%.*s 有 %u 个值；阶段 7 之前只用一个值",
                   STR_ARG(excerpt(run, file, list)), count);
        add_fix(run, file, finding, list, FIX_SUGGEST);
    }
}

static void check_code(RuleRun *run, const PyFile *file)
{
    const Module *module = pyfile_module(file);
    NodeList loops = module_nodes(module, NODE_FOR);
    for (uint32_t i = 0; i < loops.count; i++) {
        NodeId list = NO_NODE;
        uint32_t count = unroll_values(file, loops.ids[i], &list);
        NodeId kernel = count < 2 ? NO_NODE : kernel_around(file, loops.ids[i]);
        if (kernel == NO_NODE) {
            continue;
        }
        Place place = at_focus(file, loop_statement_call(file, loops.ids[i]), list);
        Finding *finding =
            report(run, STATUS_FAIL, place,
                   "unroll_list=%.*s has %u values in kernel '%.*s'; use one before stage 7",
                   "unroll_list=%.*s 有 %u 个值（kernel '%.*s'）；阶段 7 之前只用一个值",
                   STR_ARG(excerpt(run, file, list)), count, STR_ARG(node_name(module, kernel)));
        add_fix(run, file, finding, list, FIX_SAFE);
    }
}

/* A file scope leaves the document out unless it names it; a phase scope does not. */
static bool looks_at_design(const Operator *op)
{
    return op->scope != SCOPE_FILE || str_is(path_basename(op->file), "DESIGN.md");
}

static void check(RuleRun *run)
{
    Operator *op = run->op;
    bool has_design = operator_document(op, STR("DESIGN.md"))->exists;
    if (has_design && looks_at_design(op)) {
        const DesignBlocks *blocks = operator_design_blocks(op);
        for (uint32_t i = 0; i < blocks->count; i++) {
            check_block(run, &blocks->items[i].file);
        }
    }
    bool has_kernel = false;
    for (uint32_t i = 0; i < op->scan.count; i++) {
        const PyFile *file = op->scan.items[i];
        if (pyfile_module(file) != NULL && file->kernels.count > 0) {
            has_kernel = true;
            check_code(run, file);
        }
    }
    if (!has_design && !has_kernel) {
        rule_skip(run, "there is no DESIGN.md and no file with a kernel",
                  "没有 DESIGN.md，也没有包含 kernel 的文件");
    }
}

const Rule ol56 = {
    .id = "OL56",
    .name = "multi-value-unroll-list",
    .order = 46,
    .severity = S0,
    .dimension = D1,
    .effort = E1,
    .stages = STAGE(4) | STAGE(5) | STAGE(6),
    .target = TARGET_IMPL,
    .sets = IN(SET_IMPL) | IN(SET_DESIGN) | IN(SET_DESIGN_GATE),
    .fix = FIX_SAFE,
    .hint = {"Use a single value, by default unroll_list=[1]; keep several values for stage 7.",
             "只用一个值，默认 unroll_list=[1]；多个值留到阶段 7 调优时再用。"},
    .check = check,
};
