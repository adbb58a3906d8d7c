/* OL16: an implementation that imports its own golden.
 *
 * It could then pass every comparison without running a kernel. Looks at the top-level imports of
 * each parsed implementation file for the module `<op>_golden`. */
#include "rules/imports.h"

/* Is none of the names that the statement (or only its item `alias`) binds used anywhere? */
static bool is_unused(RuleRun *run, const Module *module, NodeId statement, NodeId alias)
{
    NameTable names = {.arena = run->arena};
    NodeId first = alias == NO_NODE ? node_child(module, statement, ROLE_NAME) : alias;
    for (NodeId id = first; id != NO_NODE;
         id = alias == NO_NODE ? node_next(module, id) : NO_NODE) {
        if (str_is(node_name(module, id), "*")) {
            return false;
        }
        name_table_add(&names, alias_bound_name(module, id));
    }
    name_table_scan(&names, module);
    for (uint32_t i = 0; i < names.uses.count; i++) {
        const NameUse *use = names.uses.items[i];
        if (use->loads.count > 0 || use->quoted > 0) {
            return false;
        }
    }
    return true;
}

static void report_import(RuleRun *run, const PyFile *file, NodeId statement, NodeId alias,
                          Span focus, Str golden, bool offer_fix)
{
    const Module *module = pyfile_module(file);
    Finding *finding = report(
        run, STATUS_FAIL, at_focus_range(file, statement, focus.start, focus.end),
        "implementation %.*s imports its golden module '%.*s'",
        "实现文件 %.*s 导入了 golden 模块 '%.*s'", STR_ARG(pyfile_path(file)), STR_ARG(golden));
    if (offer_fix && is_unused(run, module, statement, alias)) {
        Span span = alias == NO_NODE ? statement_removal(module, statement)
                                     : import_item_removal(module, alias);
        finding_edit(run, finding, FIX_SAFE, span.start, span.end, STR(""));
    }
}

static void check_file(RuleRun *run, const PyFile *file)
{
    const Module *module = pyfile_module(file);
    Str golden = artifact_name(run->arena, KIND_GOLDEN, run->op->name);
    /* Each fix is decided by a walk over the file: only the first ones get it, so that a file of
     * nothing but such imports stays linear. */
    enum { MAX_FIXES = 8 };
    uint32_t found = 0;
    NodeId id = node_child(module, 0, ROLE_BODY);
    for (; id != NO_NODE; id = node_next(module, id)) {
        if (node_is(module, id, NODE_IMPORT_FROM) && str_equal(node_name(module, id), golden)) {
            Span focus = import_module_span(module, id);
            report_import(run, file, id, NO_NODE, focus, golden, found++ < MAX_FIXES);
        }
        if (!node_is(module, id, NODE_IMPORT)) {
            continue;
        }
        NodeId alias = node_child(module, id, ROLE_NAME);
        for (; alias != NO_NODE; alias = node_next(module, alias)) {
            if (str_equal(node_name(module, alias), golden)) {
                Span focus = {node_at(module, alias)->start, node_at(module, alias)->end};
                report_import(run, file, id, alias, focus, golden, found++ < MAX_FIXES);
            }
        }
    }
}

const Rule ol16 = {
    .id = "OL16",
    .name = "golden-import-in-implementation",
    .order = 17,
    .severity = S1,
    .dimension = D3,
    .effort = E1,
    .stages = STAGE(5) | STAGE(6) | STAGE(7),
    .target = TARGET_IMPL,
    .sets = IN(SET_IMPL),
    .fix = FIX_SAFE,
    .needs = NEEDS_FILES | NEEDS_PARSED,
    .hint = {"Import the golden only in the test file; the implementation must compute its result "
             "itself.",
             "只在测试文件中导入 golden；实现必须自己计算结果。"},
    .check_file = check_file,
};
