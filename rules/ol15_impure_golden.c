/* OL15: a golden file that uses pypto, or transposes without naming the axes.
 *
 * The golden is the independent baseline, and `.T` / `.t()` hide which axes the kernel has to swap.
 * Looks at `<op>_golden.py` only: its top-level imports, and attributes `T` and calls of `t`
 * anywhere. */
#include "rules/common.h"
#include "rules/imports.h"

/* Names bound by the framework imports; filled with the first violation. */
typedef struct GoldenCheck {
    RuleRun *run;
    const PyFile *file;
    NameTable names;
} GoldenCheck;

static bool is_unused(GoldenCheck *check, NodeId alias)
{
    const Module *module = pyfile_module(check->file);
    if (check->names.uses.count == 0) {
        NodeList aliases = module_nodes(module, NODE_ALIAS);
        for (uint32_t i = 0; i < aliases.count; i++) {
            if (is_pypto_module(node_name(module, aliases.ids[i]))) {
                name_table_add(&check->names, alias_bound_name(module, aliases.ids[i]));
            }
        }
        name_table_scan(&check->names, module);
    }
    const NameUse *use = name_table_find(&check->names, alias_bound_name(module, alias));
    return use != NULL && use->loads.count == 0 && use->quoted == 0;
}

static void check_import(GoldenCheck *check, NodeId statement)
{
    const Module *module = pyfile_module(check->file);
    NodeId alias = node_child(module, statement, ROLE_NAME);
    for (; alias != NO_NODE; alias = node_next(module, alias)) {
        Str name = node_name(module, alias), as_name = alias_asname(module, alias);
        if (!is_pypto_module(name)) {
            continue;
        }
        Finding *finding = report(check->run, STATUS_FAIL, at_node(check->file, statement),
                                  "golden file %.*s imports the framework: 'import %.*s%s%.*s'",
                                  "golden 文件 %.*s 导入了框架：'import %.*s%s%.*s'",
                                  STR_ARG(pyfile_path(check->file)), STR_ARG(name),
                                  as_name.length == 0 ? "" : " as ", STR_ARG(as_name));
        finding_hint(check->run, finding,
                     "Remove the framework import; the golden is written in torch only.",
                     "删除框架导入；golden 只能用 torch 编写。");
        if (is_unused(check, alias)) {
            Span span = import_item_removal(module, alias);
            finding_edit(check->run, finding, FIX_SAFE, span.start, span.end, STR(""));
        }
    }
}

static void check_from(GoldenCheck *check, NodeId statement)
{
    const Module *module = pyfile_module(check->file);
    if (!str_starts(node_name(module, statement), STR("pypto"))) {
        return;
    }
    Str text = excerpt(check->run, check->file, statement);
    Finding *finding = report(check->run, STATUS_FAIL, at_node(check->file, statement),
                              "golden file %.*s imports the framework: '%.*s'",
                              "golden 文件 %.*s 导入了框架：'%.*s'",
                              STR_ARG(pyfile_path(check->file)), STR_ARG(text));
    finding_hint(check->run, finding,
                 "Remove the import of a module named pypto…; the golden is written in torch only.",
                 "删除名称以 pypto 开头的模块的导入；golden 只能用 torch 编写。");
}

/* Replaces `x.T` or `x.t()` (`whole`) by a call of torch.transpose. `token` is the offset of the
 * name after the dot. */
static void offer_transpose(GoldenCheck *check, Finding *finding, NodeId whole, uint32_t token)
{
    Str text = pyfile_module(check->file)->source->text;
    const Node *node = node_at(pyfile_module(check->file), whole);
    uint32_t dot = token;
    while (dot > node->start && text.at[dot - 1] != '.') {
        char c = text.at[dot - 1];
        if (c != ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\\') {
            return; /* a comment between the dot and the name */
        }
        dot--;
    }
    if (dot == node->start) {
        return;
    }
    finding_edit(check->run, finding, FIX_SUGGEST, node->start, node->start,
                 STR("torch.transpose("));
    finding_edit(check->run, finding, FIX_SUGGEST, dot - 1, node->end, STR(", 0, 1)"));
}

static void check_attributes(GoldenCheck *check)
{
    const Module *module = pyfile_module(check->file);
    NodeList list = module_nodes(module, NODE_ATTRIBUTE);
    for (uint32_t i = 0; i < list.count; i++) {
        NodeId id = list.ids[i];
        if (!str_is(node_name(module, id), "T")) {
            continue;
        }
        Str text = excerpt(check->run, check->file, id);
        Str value = excerpt(check->run, check->file, attribute_value(module, id));
        uint32_t token = attribute_token(module, id);
        Finding *finding =
            report(check->run, STATUS_FAIL,
                   at_focus_range(check->file, id, token, node_at(module, id)->end),
                   "golden file %.*s uses '%.*s'; write torch.transpose(%.*s, d0, d1)",
                   "golden 文件 %.*s 使用了 '%.*s'；请改为 torch.transpose(%.*s, d0, d1)",
                   STR_ARG(pyfile_path(check->file)), STR_ARG(text), STR_ARG(value));
        if (!is_store(module, id)) {
            offer_transpose(check, finding, id, token);
        }
    }
}

static void check_calls(GoldenCheck *check)
{
    const Module *module = pyfile_module(check->file);
    NodeList list = module_nodes(module, NODE_CALL);
    for (uint32_t i = 0; i < list.count; i++) {
        NodeId call = list.ids[i];
        if (!str_is(call_attribute(module, call), "t") || call_arg(module, call, 0) != NO_NODE) {
            continue;
        }
        NodeId callee = call_func(module, call);
        Str text = excerpt(check->run, check->file, call);
        Str value = excerpt(check->run, check->file, attribute_value(module, callee));
        Finding *finding =
            report(check->run, STATUS_FAIL, at_node(check->file, call),
                   "golden file %.*s uses '%.*s'; write torch.transpose(%.*s, d0, d1)",
                   "golden 文件 %.*s 使用了 '%.*s'；请改为 torch.transpose(%.*s, d0, d1)",
                   STR_ARG(pyfile_path(check->file)), STR_ARG(text), STR_ARG(value));
        if (node_child(module, call, ROLE_KEYWORD) == NO_NODE) {
            offer_transpose(check, finding, call, attribute_token(module, callee));
        }
    }
}

static void check(RuleRun *run)
{
    Str path = operator_artifact(run->op, KIND_GOLDEN);
    const PyFile *file = operator_python(run->op, path);
    if (skip_unparsed(run, file)) {
        return;
    }
    const Module *module = pyfile_module(file);
    GoldenCheck golden = {.run = run, .file = file, .names = {.arena = run->arena}};
    NodeId id = node_child(module, 0, ROLE_BODY);
    for (; id != NO_NODE; id = node_next(module, id)) {
        if (node_is(module, id, NODE_IMPORT)) {
            check_import(&golden, id);
        } else if (node_is(module, id, NODE_IMPORT_FROM)) {
            check_from(&golden, id);
        }
    }
    check_attributes(&golden);
    check_calls(&golden);
}

const Rule ol15 = {
    .id = "OL15",
    .name = "impure-golden",
    .order = 16,
    .severity = S1,
    .dimension = D3,
    .effort = E1,
    .stages = STAGE(2) | STAGE(3) | STAGE(4) | STAGE(5) | STAGE(6),
    .target = TARGET_GOLDEN,
    .fix = FIX_SAFE,
    .needs = NEEDS_OWN_EDIT,
    .hint =
        {"Write 'torch.transpose(x, d0, d1)' with the axes spelled out, and note the transpose "
         "flag that the kernel should use.",
         "改写为 'torch.transpose(x, d0, d1)' 并写明轴，同时记下 kernel 应使用的 transpose 标志。"},
    .check = check,
};
