/* OL02: a kernel parameter bound to a new value.
 *
 * A kernel has no return value, so binding the name of an output leaves the caller's buffer as it
 * was. Looks at plain and augmented assignments anywhere in a kernel whose target is the bare name
 * of one of its ordinary parameters. */
#include "rules/common.h"
#include "rules/front_end.h"
#include "rules/names.h"

/* ORDER Operator: OPERATOR_ADD … OPERATOR_FLOOR_DIV. */
static const char *const augmented_text[] = {
    [OPERATOR_ADD] = "+=",        [OPERATOR_SUB] = "-=",      [OPERATOR_MULT] = "*=",
    [OPERATOR_MAT_MULT] = "@=",   [OPERATOR_DIV] = "/=",      [OPERATOR_MOD] = "%=",
    [OPERATOR_POW] = "**=",       [OPERATOR_L_SHIFT] = "<<=", [OPERATOR_R_SHIFT] = ">>=",
    [OPERATOR_BIT_OR] = "|=",     [OPERATOR_BIT_XOR] = "^=",  [OPERATOR_BIT_AND] = "&=",
    [OPERATOR_FLOOR_DIV] = "//=",
};

static const char *assignment_operator(const Module *module, NodeId statement)
{
    if (node_is(module, statement, NODE_ASSIGN)) {
        return "=";
    }
    size_t op = node_at(module, statement)->op;
    const char *text =
        op < sizeof augmented_text / sizeof *augmented_text ? augmented_text[op] : NULL;
    return text == NULL ? "=" : text;
}

/* `p = e` to `p[:] = e`, `p += e` to `p[:] = p + (e)`. */
static void offer_write_back(RuleRun *run, const PyFile *file, Finding *finding, NodeId kernel,
                             NodeId statement, NodeId target)
{
    const Module *module = pyfile_module(file);
    Str name = node_name(module, target);
    if (node_function(module, statement) != kernel ||
        node_count(module, statement, ROLE_TARGET) != 1 || node_at(module, target)->parenthesized ||
        !annotation_is_tensor(annotation_read(file, function_parameter(module, kernel, name)))) {
        return;
    }
    uint32_t after = node_at(module, target)->end;
    if (node_is(module, statement, NODE_ASSIGN)) {
        finding_edit(run, finding, FIX_SUGGEST, after, after, STR("[:]"));
        return;
    }
    Str op = str_from(assignment_operator(module, statement));
    size_t found = str_find(module->source->text, op, after);
    NodeId value = node_child(module, statement, ROLE_VALUE);
    if (found == SIZE_MAX || value == NO_NODE || found >= node_at(module, value)->start) {
        return;
    }
    Str text = str_format(run->arena, "[:] = %.*s %.*s", STR_ARG(name), (int)op.length - 1, op.at);
    finding_edit(run, finding, FIX_SUGGEST, after, (uint32_t)(found + op.length), text);
    if (!node_at(module, value)->parenthesized) {
        uint32_t start = node_at(module, value)->start, end = node_at(module, value)->end;
        finding_edit(run, finding, FIX_SUGGEST, start, start, STR("("));
        finding_edit(run, finding, FIX_SUGGEST, end, end, STR(")"));
    }
}

/* Is the statement in a kernel nested in `kernel` that has a parameter of this name? Then that
 * kernel reports it. */
static bool belongs_to_nested(const PyFile *file, NodeId kernel, NodeId statement, Str name)
{
    const Module *module = pyfile_module(file);
    NodeId inner = kernel_around(file, statement);
    while (inner != kernel && inner != NO_NODE) {
        if (function_parameter(module, inner, name) != NO_NODE) {
            return true;
        }
        inner = kernel_around(file, node_at(module, inner)->parent);
    }
    return false;
}

static void report_rebinding(RuleRun *run, const PyFile *file, NodeId kernel, NodeId statement,
                             NodeId target)
{
    const Module *module = pyfile_module(file);
    Str name = node_name(module, target), kernel_name = node_name(module, kernel);
    Str path = pyfile_path(file);
    if (belongs_to_nested(file, kernel, statement, name)) {
        return;
    }
    /* A number or an object carries no result; the workflow wants none of its names rebound. */
    TensorAnnotation annotation = annotation_read(file, function_parameter(module, kernel, name));
    bool of_workflow = !run->op->loose || run->op->upstream;
    Status status = older_status(run, file, kernel);
    if (status == STATUS_PASS || (!of_workflow && annotation.form == ANNOTATION_OTHER)) {
        return;
    }
    const char *op = assignment_operator(module, statement);
    Finding *finding = report(
        run, status, at_focus(file, statement, target),
        "kernel '%.*s' in %.*s rebinds its parameter '%.*s' with '%s'; before PyPTO 9.2 a result "
        "reaches the caller only by '%.*s[:] = ...', '%.*s.move(...)' or 'pypto.assemble(..., %.*s)'",
        "kernel '%.*s'（%.*s）重新绑定了参数 '%.*s'（运算符 '%s'）；PyPTO 9.2 之前结果只能通过 "
        "'%.*s[:] = ...'、'%.*s.move(...)' 或 'pypto.assemble(..., %.*s)' 写回",
        STR_ARG(kernel_name), STR_ARG(path), STR_ARG(name), op, STR_ARG(name), STR_ARG(name),
        STR_ARG(name));
    older_finding(run, finding);
    offer_write_back(run, file, finding, kernel, statement, target);
}

static void check_kernel(RuleRun *run, const PyFile *file, NodeId kernel)
{
    static const NodeKind kinds[] = {NODE_ASSIGN, NODE_AUG_ASSIGN};
    const Module *module = pyfile_module(file);
    NameTable parameters = {.arena = run->arena};
    NodeId arguments = function_arguments(module, kernel);
    NodeId arg = node_child(module, arguments, ROLE_PARAM);
    if (arg == NO_NODE) {
        return;
    }
    for (; arg != NO_NODE; arg = node_next(module, arg)) {
        name_table_add(&parameters, node_name(module, arg));
    }
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        NodeList statements = nodes_in(module, kernel, kinds[k]);
        for (uint32_t i = 0; i < statements.count; i++) {
            NodeId target = node_child(module, statements.ids[i], ROLE_TARGET);
            for (; target != NO_NODE; target = node_next(module, target)) {
                if (node_is(module, target, NODE_NAME) &&
                    name_table_find(&parameters, node_name(module, target)) != NULL) {
                    report_rebinding(run, file, kernel, statements.ids[i], target);
                }
            }
        }
    }
}

const Rule ol02 = {
    .id = "OL02",
    .name = "parameter-rebinding",
    .order = 2,
    .severity = S1,
    .dimension = D1,
    .effort = E1,
    .stages = STAGE(5) | STAGE(6) | STAGE(7),
    .target = TARGET_IMPL,
    .sets = IN(SET_IMPL) | IN(SET_KERNEL),
    .fix = FIX_SUGGEST,
    .needs = NEEDS_FILES | NEEDS_KERNEL,
    .hint =
        {"Write 'name[:] = expr', 'name.move(expr)' or 'pypto.assemble(expr, offsets, name)'; use "
         "another name for a temporary.",
         "改写为 'name[:] = expr'、'name.move(expr)' 或 'pypto.assemble(expr, offsets, name)'；"
         "临时变量请换一个名字。"},
    .check_kernel = check_kernel,
};
