/* OL03: a `return` in a JIT kernel.
 *
 * The JIT front end does not support return values; outputs are changed in place. Looks at every
 * return statement below a kernel, those of nested functions included. */
#include "rules/common.h"
#include "rules/front_end.h"
#include "rules/imports.h"

/* Is it a `return` or `return None` that ends the kernel's own body? Then it does nothing. */
static bool is_removable(const Module *module, NodeId kernel, NodeId statement)
{
    NodeId value = node_first(module, statement);
    return node_at(module, statement)->parent == kernel &&
           node_next(module, statement) == NO_NODE &&
           (value == NO_NODE ||
            (node_is(module, value, NODE_CONSTANT) && node_at(module, value)->op == CONSTANT_NONE));
}

static void offer_removal(RuleRun *run, const Module *module, Finding *finding, NodeId statement)
{
    const Node *node = node_at(module, statement);
    if (node_child(module, node->parent, ROLE_BODY) == statement) {
        finding_edit(run, finding, FIX_SAFE, node->start, node->end, STR("pass"));
        return;
    }
    Span span = statement_removal(module, statement);
    finding_edit(run, finding, FIX_SAFE, span.start, span.end, STR(""));
}

static void check_file(RuleRun *run, const PyFile *file)
{
    const Module *module = pyfile_module(file);
    Str path = pyfile_path(file);
    NodeList returns = module_nodes(module, NODE_RETURN);
    for (uint32_t i = 0; i < returns.count; i++) {
        NodeId statement = returns.ids[i];
        NodeId kernel = kernel_around(file, statement);
        if (kernel == NO_NODE) {
            continue;
        }
        NodeId function = node_function(module, statement);
        Str kernel_name = node_name(module, kernel), name = node_name(module, function);
        Text what = {"without a value", "（无返回值）"};
        if (node_first(module, statement) != NO_NODE) {
            what = (Text){"with a value", "（带返回值）"};
        }
        Str text = excerpt(run, file, statement);
        Place place = at_node(file, statement);
        Status older = older_status(run, file, kernel);
        if (function != kernel && older == STATUS_PASS) {
            continue;
        }
        if (function != kernel) {
            report(run, older, place,
                   "function '%.*s' nested in kernel '%.*s' of %.*s has a return %s: '%.*s'; only "
                   "PyPTO 9.2 accepts that",
                   "函数 '%.*s'（嵌套在 kernel '%.*s' 中，%.*s）含 return%s：'%.*s'；仅 PyPTO 9.2 "
                   "接受",
                   STR_ARG(name), STR_ARG(kernel_name), STR_ARG(path), text_in(run->lang, what),
                   STR_ARG(text));
            continue;
        }
        Finding *finding =
            report(run, STATUS_FAIL, place, "kernel '%.*s' in %.*s has a return %s: '%.*s'",
                   "kernel '%.*s'（%.*s）含 return%s：'%.*s'", STR_ARG(kernel_name), STR_ARG(path),
                   text_in(run->lang, what), STR_ARG(text));
        if (is_removable(module, kernel, statement)) {
            offer_removal(run, module, finding, statement);
        }
    }
}

const Rule ol03 = {
    .id = "OL03",
    .name = "return-in-kernel",
    .order = 3,
    .severity = S1,
    .dimension = D1,
    .effort = E1,
    .stages = STAGE(5) | STAGE(6) | STAGE(7),
    .target = TARGET_IMPL,
    .sets = IN(SET_IMPL) | IN(SET_KERNEL),
    .fix = FIX_SAFE,
    .needs = NEEDS_FILES | NEEDS_KERNEL,
    .hint =
        {"Write the result into an output parameter ('dst[:] = ...') and drop the return; move a "
         "helper that has to return something out of the kernel.",
         "把结果写入输出参数（'dst[:] = ...'）并删除 return；需要返回值的辅助函数请移到 kernel "
         "之外。"},
    .check_file = check_file,
};
